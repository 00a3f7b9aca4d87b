"""Numbers written in Chinese as digits: `第三十一集` is also `第31集`."""

from __future__ import annotations

import re
from functools import lru_cache

from liuying.features.search.folding import SEEN_TEXTS

VALUES = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
RUN = re.compile("[零〇一二两三四五六七八九十百千万亿]+")
D = "([一二两三四五六七八九])"
BELOW_TEN_THOUSAND = re.compile(f"(?:{D}千)?[零〇]?(?:{D}百)?[零〇]?(?:{D}?(十))?[零〇]?{D}?")


@lru_cache(maxsize=SEEN_TEXTS)
def with_digits(text: str) -> str:
    """A text whose well-formed Chinese numbers are replaced by digits; other words (`千万`, `万一`)
    stay.
    """
    return RUN.sub(lambda run: _digits(run.group()), text)


def _digits(run: str) -> str:
    if all(sign in VALUES for sign in run):  # Digit by digit: 二〇二五.
        return "".join(str(VALUES[sign]) for sign in run)
    number = _number(run, "亿", 100_000_000)
    return run if number is None else str(number)


def _number(run: str, unit: str, size: int) -> int | None:
    above, found, below = run.rpartition(unit)
    upper = _section(above) if found else 0
    lower = (
        (_section(below) if below else 0)
        if unit == "万"
        else (_number(below, "万", 10_000) if below else 0)
    )
    if upper is None or lower is None or (found and upper == 0) or lower >= size:
        return None
    return upper * size + lower


def _section(run: str) -> int | None:
    """A number below 10,000; None if it is not one, or is ambiguous such as `一百二`, which may be
    120 or 102.
    """
    found = BELOW_TEN_THOUSAND.fullmatch(run)
    if not run or found is None:
        return None
    thousands, hundreds, tens, ten, ones = found.groups()
    if ones and not ten and (thousands or hundreds) and not set("零〇") & set(run):
        return None
    tens_value = VALUES.get(tens or "", 1) if ten else 0
    return sum(
        value * size
        for value, size in (
            (VALUES.get(thousands or "", 0), 1000),
            (VALUES.get(hundreds or "", 0), 100),
            (tens_value, 10),
            (VALUES.get(ones or "", 0), 1),
        )
    )
