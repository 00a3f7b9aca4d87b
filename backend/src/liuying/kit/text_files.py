"""Text files of an operator: UTF-8, UTF-16, or the Chinese encodings of Windows."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from liuying.kit.errors import InvalidInputError

NAMES = "UTF-8、UTF-16、GB 18030、Big5"
MARK = "\ufeff"
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# Microsoft's variant first; the other has Hong Kong's characters.
BIG5_FORMS = ("cp950", "big5hkscs")
# The characters that each standard calls frequent (GB 2312 level 1, Big5 level 1): nearly all of
# any Chinese text, and far fewer of a text that is decoded by the wrong table.
FREQUENT_GB = re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")
FREQUENT_BIG5 = re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]")
WIDE_SHARE = 0.25
# A word or two may fit either table; then the more common encoding is assumed.
FEWEST_BYTES = 12
# A few hundred characters are enough to decide.
SAMPLE_BYTES = 64 * 1024


def text_of(content: bytes, name: str) -> str:
    """A file's text in any of the encodings that `decoded` knows.

    Args:
        name: How to call the file in a refusal.

    Raises:
        InvalidInputError: The encoding is another one, or the text contains a NUL.
    """
    text = decoded(content)
    if text is None:
        raise InvalidInputError(f"{name} 的编码无法识别，支持 {NAMES}")
    return text


def decoded(content: bytes) -> str | None:
    """Decode bytes and drop a byte order mark; None if no known encoding fits.

    A byte order mark decides. Without one, it is UTF-16 if every second byte of much of it is NUL;
    otherwise UTF-8 if that is valid, which hardly happens by chance; otherwise GB 18030 or Big5,
    whichever yields more frequent characters, and GB 18030 for very short texts.
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
        # Letters, digits and line ends have their NUL byte second in one byte order and first in
        # the other.
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
    """The share of frequent characters among those that are not ASCII, from 0 to 1."""
    characters = [
        one.encode(encoding) for one in sample.decode(encoding, "ignore") if not one.isascii()
    ]
    return sum(frequent.fullmatch(one) is not None for one in characters) / max(1, len(characters))
