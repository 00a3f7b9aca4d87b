"""Subtitle files of any origin: what of them is read, and that nothing else comes out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.media.webvtt import MAX_BYTES, MAX_CUE_LENGTH, MAX_CUES, SubtitleError, webvtt_of

SRT = (
    "1\r\n00:00:01,500 --> 00:00:03,000\r\n海边的一天\r\n第二行\r\n\r\n"
    "2\r\n01:00:03,5 --> 01:00:04,000\r\n再见\r\n"
)
EXPECTED = (
    "WEBVTT\n\n00:00:01.500 --> 00:00:03.000\n海边的一天\n第二行\n\n"
    "01:00:03.500 --> 01:00:04.000\n再见\n"
)


def cue(text: str) -> str:
    """What becomes of the words of one cue."""
    document = webvtt_of(f"00:01.000 --> 00:02.000\n{text}\n".encode())
    return document.split("\n", 3)[3].removesuffix("\n")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_encodings(encoding: str) -> None:
    assert webvtt_of(SRT.encode(encoding)) == EXPECTED


def test_only_cues_of_webvtt_pass() -> None:
    document = """\ufeffWEBVTT - a title
Kind: captions

STYLE
::cue { background: url(https://example.org/seen) }

REGION
id:fred

NOTE a remark

first
00:05.000 --> 00:06.000 region:fred line:0 position:10%
later

00:01.000 --> 00:02.000 align:start
<v Roger><c.loud>earlier</c></v> <00:01.500>word
"""
    assert webvtt_of(document.encode()) == (
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nearlier word\n\n00:00:05.000 --> "
        "00:00:06.000\nlater\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<i>slanted</i> <B>bold</B>", "<i>slanted</i> <b>bold</b>"),
        ("<i>never closed", "<i>never closed</i>"),
        ("<i><b>crossed</i></b>", "<i><b>crossed</b></i>"),
        ("</b>closed first", "closed first"),
        ('<font color="red">red</font>', "red"),
        ('<i onclick="alert(1)">x</i>', "<i>x</i>"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("<scr<b>ipt>x</b>", "&lt;scr<b>ipt&gt;x</b>"),
        ("&lt;script&gt; &amp; more", "&lt;script&gt; &amp; more"),
        ("I <3 you & me", "I &lt;3 you &amp; me"),
        ("{\\an8}above", "above"),
        ("to the \u202eleft\u0007", "to the left"),
        ("x" * (MAX_CUE_LENGTH + 5), "x" * MAX_CUE_LENGTH),
    ],
)
def test_markup(text: str, expected: str) -> None:
    assert cue(text) == expected


ASS = """\ufeff[Script Info]
; 00:01.000 --> 00:02.000
Title: 海边
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,黑体,48

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,仅供制作者
Dialogue: 0,0:00:03.00,0:00:04.50,Default,,0,0,0,,{\\an8\\i1}斜体{\\i0}，逗号, 也在\\N\\N第二行
Dialogue: 1,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\pos(1,2)\\bord2}描边
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\blur3}描边
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}
Dialogue: 0,later,0:00:02.00,Default,,0,0,0,,没有时间

[Fonts]
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,附件
"""


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_events_of_substation_alpha(encoding: str) -> None:
    assert webvtt_of(ASS.encode(encoding)) == (
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n描边\n\n"
        "00:00:03.000 --> 00:00:04.500\n<i>斜体</i>，逗号, 也在\n第二行\n"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # No number that takes long to read, or may not be read at all.
        ("{\\b" + "1" * 9000 + "}bold", "<b>bold</b>"),
        ("{\\b" + "0" * 9000 + "}plain", "plain"),
        # Forgetting the style does not end a drawing.
        ("{\\p1}m 0 0{\\r}m 5 5{\\p0}words", "words"),
    ],
)
def test_codes_of_substation_alpha(words: str, expected: str) -> None:
    content = (
        f"[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{words}\n"
    )
    assert webvtt_of(content.encode()) == f"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{expected}\n"


def test_a_note_in_webvtt_is_no_section() -> None:
    content = "WEBVTT\n\nNOTE\n[Events]\n\n00:01.000 --> 00:02.000\nwords\n"
    assert webvtt_of(content.encode()).endswith("words\n")


def test_the_older_form_names_its_columns_otherwise() -> None:
    content = """[Script Info]
[Events]
Format: Marked, Start, End, Text
Dialogue: Marked=0,0:00:01.00,0:00:02.00,words, all of them
"""
    assert (
        webvtt_of(content.encode())
        == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nwords, all of them\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<script>alert(1)</script> & <b>x</b>",
            "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;x&lt;/b&gt;",
        ),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("{\\b700}fat{\\r} {\\u1}line", "<b>fat</b> <u>line</u>"),
        ("{\\iclip(1)\\be1\\pos(3,4)}plain", "plain"),
        ("{note}said\\hhere\\nthere", "said here there"),
        ("{\\an8 never closed", "{\\an8 never closed"),
        ("00:05.000 --> 00:06.000", "00:05.000 --&gt; 00:06.000"),
    ],
)
def test_words_of_substation_alpha(text: str, expected: str) -> None:
    document = webvtt_of(f"[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,{text}\n".encode())
    assert document == f"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{expected}\n"


@given(st.text(alphabet="<>/bipru01&;lt{}\\\\,:-\n N字\r\u2028", max_size=200))
def test_whatever_an_event_says_nothing_but_words_comes_out(text: str) -> None:
    document = webvtt_of(f"[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,x{text}\n".encode())
    assert not set(re.findall(r"<[^>]*>?", document)) - {
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<u>",
        "</u>",
    }
    assert document.count("-->") == document.count("\n\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "没有字幕内容"),
        (b"only words\n", "没有字幕内容"),
        (b"00:01.000 --> 00:02.000\n<b></b>\n", "没有字幕内容"),
        (b"00:02.000 --> 00:01.000\nbackwards\n", "没有字幕内容"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "编码无法识别"),
        (b"\xff\xfe\0", "没有字幕内容"),
        (b"00:01.000 --> 00:02.000\n\xff\xff\xff\n", "编码无法识别"),
        (b" " * (MAX_BYTES + 1), "超过 4 MB"),
        ((b"0:1.0-->0:2.0\n" + b"&" * 999 + b"\n\n") * 1000, "超过 4 MB"),
        (b"0:1.0-->0:2.0\nx\n\n" * (MAX_CUES + 1), f"超过 {MAX_CUES} 条"),
    ],
    ids=range(10),
)
def test_what_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(SubtitleError, match=message):
        webvtt_of(content)


@given(st.text(alphabet="<>/bi&;lt{}\\-\n 字\r\u2028", max_size=200))
def test_whatever_it_says_it_stays_one_cue_of_plain_words(text: str) -> None:
    document = webvtt_of(f"00:01.000 --> 00:02.000\nx {text}\n".encode())
    head, times, *words = (
        document.removesuffix("\n").split("\n")[0:1] + document.removesuffix("\n").split("\n")[2:]
    )
    assert (head, times) == ("WEBVTT", "00:00:01.000 --> 00:00:02.000")
    assert all(word.strip() for word in words)
    assert "-->" not in "\n".join(words)
    assert not set(re.findall(r"<[^>]*>?", "\n".join(words))) - {"<b>", "</b>", "<i>", "</i>"}
    assert not re.search(r"&(?!amp;|lt;|gt;)", "\n".join(words))
