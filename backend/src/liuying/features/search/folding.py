"""Folding all spellings of a word into one: width, case, Traditional and Simplified."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from opencc import OpenCC

# Number of texts whose result is cached: labels, artists and words of titles recur. As many as a
# large site has names, beside its words.
SEEN_TEXTS = 50_000


@cache
def _converter() -> OpenCC:
    # Loading its dictionaries takes a moment, so it waits for the first text.
    return OpenCC("t2s")


@lru_cache(maxsize=SEEN_TEXTS)
def fold(text: str) -> str:
    """`ＡＢＣ 臺灣` → `abc 台湾`: NFKC, case-folded, Traditional to Simplified, single blanks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Control and format characters are no part of a word, and a NUL would end the text for the
    # database.
    if not folded.isprintable():  # Texts with one of them are not.
        folded = "".join(
            " " if unicodedata.category(sign).startswith("C") else sign for sign in folded
        )
    return " ".join(str(_converter().convert(folded)).split())
