"""One form for all spellings of the same words: width, case, Traditional and Simplified."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from opencc import OpenCC


@cache
def _converter() -> OpenCC:
    # Loading its dictionaries takes a moment, so it waits for the first text.
    return OpenCC("t2s")


@lru_cache(maxsize=20_000)  # labels and artists come again and again
def fold(text: str) -> str:
    """`ＡＢＣ 臺灣` → `abc 台湾`: NFKC, case folded, Traditional to Simplified, blanks joined to one."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Control and format characters are no part of a word, and a NUL ends a text for the database.
    if not folded.isprintable():  # which texts with one of them are not
        folded = "".join(" " if unicodedata.category(sign).startswith("C") else sign for sign in folded)
    return " ".join(str(_converter().convert(folded)).split())
