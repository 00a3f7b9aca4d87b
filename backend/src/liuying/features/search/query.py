"""What was typed, as words of a query."""

from __future__ import annotations

import msgspec

from liuying.features.search.folding import fold
from liuying.features.search.numerals import with_digits
from liuying.features.search.tokens import is_exact

MAX_WORDS = 8


class Word(msgspec.Struct, frozen=True):
    """A word of a query and its spellings: as typed, and with digits for a number written in
    Chinese.
    """

    spellings: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        return all(is_exact(one) for one in self.spellings)


class Query(msgspec.Struct, frozen=True):
    """What was typed, as plain words: operators have no meaning (docs/security.md#t12)."""

    phrase: str
    words: tuple[Word, ...]


def parse(keyword: str) -> Query:
    """The words of a keyword; words after the eighth are ignored."""
    words = list(dict.fromkeys(fold(keyword).split()))[:MAX_WORDS]
    spelled = tuple(Word(tuple(dict.fromkeys([word, with_digits(word)]))) for word in words)
    return Query(with_digits(fold(keyword)), spelled)
