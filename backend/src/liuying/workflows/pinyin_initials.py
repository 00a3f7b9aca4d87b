"""The letter under which a name appears in an index."""

from __future__ import annotations

from bisect import bisect_right

# GB 2312 orders its 3,755 common characters by pronunciation: the first character of each letter as
# code points of the encoding. There are none under I, U and V.
FIRST_OF_LETTER = {
    0xB0A1: "A", 0xB0C5: "B", 0xB2C1: "C", 0xB4EE: "D", 0xB6EA: "E", 0xB7A2: "F", 0xB8C1: "G",
    0xB9FE: "H",
    0xBBF7: "J", 0xBFA6: "K", 0xC0AC: "L", 0xC2E8: "M", 0xC4C3: "N", 0xC5B6: "O", 0xC5BE: "P",
    0xC6DA: "Q",
    0xC8BB: "R", 0xC8F6: "S", 0xCBFA: "T", 0xCDDA: "W", 0xCEF4: "X", 0xD1B9: "Y", 0xD4D1: "Z",
}  # fmt: skip
LAST_OF_LEVEL_ONE = 0xD7F9
OTHER = "#"
_STARTS = sorted(FIRST_OF_LETTER)


def initial_of(name: str) -> str:
    """`林小野` → `L`, `alice` → `A`; `#` if the letter is unknown."""
    first = name.strip()[:1].upper()
    if "A" <= first <= "Z":
        return first
    try:
        code = int.from_bytes(first.encode("gb2312"))
    except UnicodeEncodeError:
        return OTHER
    if not _STARTS[0] <= code <= LAST_OF_LEVEL_ONE:
        return OTHER
    return FIRST_OF_LETTER[_STARTS[bisect_right(_STARTS, code) - 1]]
