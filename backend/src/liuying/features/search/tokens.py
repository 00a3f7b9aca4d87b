"""The tokens of a text: its characters and its pairs of neighbours.

A word of one or two characters is a single token, so the index alone answers it exactly. A longer
word consists of pairs, which a text may also contain separately: such matches are verified. Latin
letters and digits are treated like all other characters, so that every part of a word finds it, as
LIKE would.

A token consists of ASCII letters and digits only (hexadecimal code points), which no engine splits,
folds or takes for an operator (docs/security.md#t12).
"""

from __future__ import annotations

import itertools
from functools import cache, lru_cache

from liuying.features.search.folding import SEEN_TEXTS

# Further, less rare pairs do not make a long word more selective: it is verified anyway.
MAX_PAIRS = 16


def tokens_of(text: str) -> set[str]:
    """All tokens of a folded text; none spans a blank."""
    return set[str]().union(*map(_tokens_of_segment, text.split()))


@lru_cache(maxsize=SEEN_TEXTS)
def _tokens_of_segment(segment: str) -> frozenset[str]:
    codes = list(map(_code, segment))
    return frozenset([*codes, *map("g".join, itertools.pairwise(codes))])


@cache  # At most one entry per Unicode character.
def _code(sign: str) -> str:
    return f"{ord(sign):x}"


def tokens_of_word(word: str) -> list[str]:
    """A minimal set of tokens that every text with this word has."""
    codes = [f"{ord(sign):x}" for sign in word]
    if len(codes) == 1:
        return codes
    pairs = [f"{left}g{right}" for left, right in itertools.pairwise(codes)]
    return list(dict.fromkeys(pairs))[:MAX_PAIRS]


def is_exact(word: str) -> bool:
    """Whether the index alone proves that a text contains the word."""
    return len(word) <= 2
