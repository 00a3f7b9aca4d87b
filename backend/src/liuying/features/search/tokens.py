"""What a text is found by: its characters and its pairs of neighbours.

A word of one or two characters is one token, so the index alone answers it exactly. A longer word
is the pairs of it, which may also stand apart in a text: those matches are verified. Latin letters
and digits are characters like all others, so that every part of a word finds it, as LIKE would.

A token is written in letters and digits of ASCII alone (code points in hexadecimal), which no
engine splits, folds or takes for an operator (docs/security.md#t12).
"""

from __future__ import annotations

import itertools
from functools import cache, lru_cache

from liuying.features.search.folding import SEEN_TEXTS

# Rarer pairs do not make a long word more selective: it is verified anyway.
MAX_PAIRS = 16


def tokens_of(text: str) -> set[str]:
    """Every token of a folded text; none spans a blank."""
    return set[str]().union(*map(_tokens_of_segment, text.split()))


@lru_cache(maxsize=SEEN_TEXTS)
def _tokens_of_segment(segment: str) -> frozenset[str]:
    codes = list(map(_code, segment))
    return frozenset([*codes, *map("g".join, itertools.pairwise(codes))])


@cache  # at most one entry for each character of Unicode
def _code(sign: str) -> str:
    return f"{ord(sign):x}"


def tokens_of_word(word: str) -> list[str]:
    """The tokens that a text with this word has, as few as say so."""
    codes = [f"{ord(sign):x}" for sign in word]
    if len(codes) == 1:
        return codes
    pairs = [f"{left}g{right}" for left, right in itertools.pairwise(codes)]
    return list(dict.fromkeys(pairs))[:MAX_PAIRS]


def is_exact(word: str) -> bool:
    """Whether the index alone says that a text has the word."""
    return len(word) <= 2
