"""One form for all spellings of the same words: width, case, Traditional and Simplified."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from opencc import OpenCC

# What is worked out of a text is cached for so many of them: labels, artists and the words of
# titles come again and again. As many names as a large site has, beside its words.
SEEN_TEXTS = 50_000


@cache
def _converter() -> OpenCC:
    # Loading its dictionaries takes a moment, so it waits for the first text.
    return OpenCC("t2s")


@lru_cache(maxsize=SEEN_TEXTS)
def fold(text: str) -> str:
    """`ＡＢＣ 臺灣` → `abc 台湾`: NFKC, case folded, Traditional to Simplified, blanks joined
    to one.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Control and format characters are no part of a word, and a NUL ends a text for the database.
    if not folded.isprintable():  # which texts with one of them are not
        folded = "".join(
            " " if unicodedata.category(sign).startswith("C") else sign for sign in folded
        )
    return " ".join(str(_converter().convert(folded)).split())
