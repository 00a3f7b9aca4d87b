"""Which encoding a text is in: told by the text itself, and by nothing that is only likely."""

from __future__ import annotations

import codecs

import pytest

from liuying.kit.text_files import decoded, readable

SIMPLIFIED = "今天的风很大，我们还是去了海边。孩子们在沙滩上跑来跑去，谁也不想回家。"
TRADITIONAL = "今天的風很大，我們還是去了海邊。孩子們在沙灘上跑來跑去，誰也不想回家。"
HONG_KONG = "今日啲風好大，我哋都係去咗海邊。班細路喺沙灘跑嚟跑去，冇人想返屋企。"


@pytest.mark.parametrize("lines", [1, 200])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (SIMPLIFIED, "utf-8"),
        (SIMPLIFIED, "gbk"),
        (SIMPLIFIED, "gb18030"),
        (TRADITIONAL, "gbk"),
        (TRADITIONAL, "cp950"),
        (HONG_KONG, "big5hkscs"),
        (f"1\n{TRADITIONAL}", "utf-16-le"),
        (f"00:01 --> 00:02\n{SIMPLIFIED}", "utf-16-be"),
    ],
)
def test_what_windows_writes_in_chinese(text: str, encoding: str, lines: int) -> None:
    whole = f"00:00:01,000 --> 00:00:02,000\n{text}\n\n" * lines
    assert decoded(whole.encode(encoding)) == whole


@pytest.mark.parametrize("text", [SIMPLIFIED, TRADITIONAL])
def test_a_mark_decides_and_is_no_part_of_the_text(text: str) -> None:
    assert decoded(text.encode("utf-8-sig")) == text
    assert decoded(codecs.BOM_UTF16_BE + text.encode("utf-16-be")) == text
    assert decoded(codecs.BOM_UTF16_LE + text.encode("utf-16-le")) == text


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff",
        "été à la plage".encode("latin-1"),
        "file".encode("utf-32"),
        b"words\0and more",
        codecs.BOM_UTF16_LE + b"\0",
        codecs.BOM_UTF8 + SIMPLIFIED.encode("gbk"),
    ],
)
def test_what_is_no_text(content: bytes) -> None:
    assert decoded(content) is None


@pytest.mark.parametrize("text", ["海边", "夏天的风", "你", "一二三四五"])
def test_a_word_or_two_are_read_as_simplified(text: str) -> None:
    assert decoded(f"title: {text}\n".encode("gbk")) == f"title: {text}\n"


def test_nothing_is_a_text() -> None:
    assert decoded(b"") == ""


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [SIMPLIFIED, TRADITIONAL, "00:01 --> 00:02\n海\n"])
def test_utf_16_without_a_mark(text: str, encoding: str) -> None:
    assert decoded((text + "\n").encode(encoding)) == text + "\n"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_a_damaged_byte_costs_its_line(encoding: str) -> None:
    lines = [f"第{number}行，说的是海边的风".encode(encoding) for number in range(10)]
    lines[4] = lines[4][:5] + b"\xff" + lines[4][5:]
    content = b"\n".join(lines)
    assert decoded(content) is None
    kept = readable(content)
    assert kept is not None
    assert [f"第{number}行" in kept for number in range(10)] == [n != 4 for n in range(10)]


def test_what_is_mostly_damaged_is_no_text() -> None:
    assert readable(b"\n".join([b"\xff\xff\xfe"] * 5)) is None
