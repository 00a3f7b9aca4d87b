"""One form for all spellings of the same words: width, case, Traditional and Simplified."""

from __future__ import annotations

import unicodedata
from functools import cache

from opencc import OpenCC


@cache
def _converter() -> OpenCC:
    # Loading its dictionaries takes a moment, so it waits for the first text.
    return OpenCC("t2s")


def fold(text: str) -> str:
    """`ＡＢＣ 臺灣` → `abc 台湾`: NFKC, case folded, Traditional to Simplified, blanks joined to one."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(str(_converter().convert(folded)).split())
