"""Text files of an operator: UTF-8, UTF-16, or what Windows writes in Chinese."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from liuying.kit.errors import InvalidInputError

NAMES = "UTF-8、UTF-16、GB 18030、Big5"
MARK = "\ufeff"
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# Microsoft's form first; the other has Hong Kong's characters.
BIG5_FORMS = ("cp950", "big5hkscs")
# The characters that each standard calls frequent (GB 2312 level 1, Big5 level 1): nearly all of
# any Chinese text, and much less of one that is read by the other's table.
FREQUENT_GB = re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")
FREQUENT_BIG5 = re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]")
WIDE_SHARE = 0.25
# A word or two may be read by either table: then it is what most of them are.
FEWEST_BYTES = 12
# Some hundred characters tell for certain.
SAMPLE_BYTES = 64 * 1024


def text_of(content: bytes, name: str) -> str:
    """A file's text, in any of the encodings that `decoded` knows.

    Args:
        name: What the file is, for the refusal.

    Raises:
        InvalidInputError: It is in another, or holds a NUL.
    """
    text = decoded(content)
    if text is None:
        raise InvalidInputError(f"{name} 的编码无法识别，支持 {NAMES}")
    return text


def decoded(content: bytes) -> str | None:
    """The text of bytes, without a mark of their encoding; None where it is none that is known.

    A mark decides. Without one it is UTF-16 where every second byte of much of it is NUL, else
    UTF-8 where it is valid, which no other text is by chance; else GB 18030 or Big5, whichever
    makes more of its characters frequent ones, and GB 18030 where there are very few.
    """
    for encoding in _likely(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text.lstrip(MARK)
    return None


def _likely(content: bytes) -> Iterator[str]:
    marked = next((name for mark, name in MARKS.items() if content.startswith(mark)), None)
    if marked is not None:
        yield marked
    elif b"\0" in content:
        # Letters, digits and ends of lines have their NUL second in the one order and first in the
        # other.
        for encoding, half in (("utf-16-le", content[1::2]), ("utf-16-be", content[::2])):
            if half.count(0) >= len(half) * WIDE_SHARE:
                yield encoding
    else:
        yield "utf-8"
        sample = content[:SAMPLE_BYTES]
        is_big5 = sum(byte >= 0x80 for byte in sample) >= FEWEST_BYTES and (
            _share(sample, "big5hkscs", FREQUENT_BIG5) > _share(sample, "gb18030", FREQUENT_GB)
        )
        yield from (*BIG5_FORMS, "gb18030") if is_big5 else ("gb18030", *BIG5_FORMS)


def _share(sample: bytes, encoding: str, frequent: re.Pattern[bytes]) -> float:
    """How much of what is not ASCII are frequent characters, from 0 to 1."""
    characters = [
        one.encode(encoding) for one in sample.decode(encoding, "ignore") if not one.isascii()
    ]
    return sum(frequent.fullmatch(one) is not None for one in characters) / max(1, len(characters))
