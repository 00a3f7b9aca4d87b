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
# Of a text in UTF-16 nearly all is ASCII, Han, or punctuation of the two; bytes of anything else
# that are taken for it are all over the place.
WIDE_SHARE = 0.9
WIDE_SIGNS = re.compile("[\t\n\r -~\u00b7\u2010-\u2026\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
HAN = re.compile("[\u3400-\u9fff]")
COMMON_SHARE = 0.6
# More of the lines that are not ASCII may not be damaged.
BAD_SHARE = 0.2
# A word or two may be read by either table: then it is what most of them are.
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


def readable(content: bytes) -> str | None:
    """As `decoded`; where bytes of a line are damaged, that line alone is left out. None where most
    of it cannot be read.
    """
    text = decoded(content)
    if text is not None:
        return text
    if b"\0" in content:
        encoding = next(_likely(content), None)
        wide = None if encoding is None else content.decode(encoding, "ignore")
        return None if wide is None or "\0" in wide else wide.lstrip(MARK)
    lines = content.removeprefix(codecs.BOM_UTF8).split(b"\n")
    telling = [line for line in lines if not line.isascii()]
    for encoding in ("utf-8", "gb18030", *BIG5_FORMS):
        bad = {line for line in telling if not _is_of(line, encoding)}
        if sum(line in bad for line in telling) <= len(telling) * BAD_SHARE:
            return "\n".join(line.decode(encoding) for line in lines if line not in bad)
    return None


def _is_of(line: bytes, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def decoded(content: bytes) -> str | None:
    """Decode bytes and drop a byte order mark; None if no known encoding fits.

    A mark decides. Without one it is UTF-16 where it holds NULs and nearly all of it are then signs
    that texts hold, else UTF-8 where it is valid, which no other text is by chance; else GB 18030
    or Big5, whichever makes more of its characters frequent ones, and GB 18030 where there are
    very few.
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
        # Two bytes in the wrong order are rarely a sign that texts hold.
        shares = {
            encoding: _wide_share(content[:SAMPLE_BYTES], encoding)
            for encoding in ("utf-16-le", "utf-16-be")
        }
        best = max(shares, key=lambda encoding: shares[encoding])
        if shares[best] >= WIDE_SHARE and _is_common(content[:SAMPLE_BYTES].decode(best, "ignore")):
            yield best
    else:
        yield "utf-8"
        sample = content[:SAMPLE_BYTES]
        is_big5 = sum(byte >= 0x80 for byte in sample) >= FEWEST_BYTES and (
            _share(sample, "big5hkscs", FREQUENT_BIG5) > _share(sample, "gb18030", FREQUENT_GB)
        )
        yield from (*BIG5_FORMS, "gb18030") if is_big5 else ("gb18030", *BIG5_FORMS)


def _wide_share(sample: bytes, encoding: str) -> float:
    """How much of it are signs that texts hold, from 0 to 1."""
    text = sample.decode(encoding, "ignore")
    return len(WIDE_SIGNS.findall(text)) / max(1, len(text))


def _is_common(text: str) -> bool:
    """Whether a text's Han characters are those that people write: pairs of Latin letters that are
    taken for Han are others.
    """
    han = "".join(HAN.findall(text))
    shares = (
        _frequent_share(han, "gb18030", FREQUENT_GB),
        _frequent_share(han, "big5hkscs", FREQUENT_BIG5),
    )
    return not han or max(shares) >= COMMON_SHARE


def _share(sample: bytes, encoding: str, frequent: re.Pattern[bytes]) -> float:
    """The share of frequent characters among those that are not ASCII, from 0 to 1."""
    return _frequent_share(sample.decode(encoding, "ignore"), encoding, frequent)


def _frequent_share(text: str, encoding: str, frequent: re.Pattern[bytes]) -> float:
    characters = [one.encode(encoding, "replace") for one in text if not one.isascii()]
    return sum(frequent.fullmatch(one) is not None for one in characters) / max(1, len(characters))
