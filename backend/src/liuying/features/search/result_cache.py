"""A cache of ordered results, so that any page of a query costs as much as its first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence

import sqlalchemy as sa

from liuying.features.search.folding import fold
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.names_index import NamesIndex
from liuying.features.search.pinyin import Syllables
from liuying.features.search.prefixes import typed_start
from liuying.features.search.queries import spellings, title_suggestions
from liuying.features.search.queries.matches import ids_by_description, ordered_ids
from liuying.features.search.queries.shown_names import Kind, shown_names
from liuying.features.search.query import Query, parse
from liuying.features.search.ranking import Extended, Ranking, extended, in_order
from liuying.kit.changes import CacheTopic, newest_change

# The cache's memory limit, enough for the queries of a busy minute. The least recently used go
# first.
MAX_BYTES = 24_000_000
MAX_QUERIES = 2_000
# Further down nobody looks for what a title does not say.
MOST_BY_DESCRIPTION = 1_000


class ResultCache:
    """Caches a query's order as long as nothing that search knows has changed.

    An entry carries the number of the newest change of what is found and of views, by which it is
    ranked. After any other change the first look drops everything, in every process.

    Args:
        index: The texts in memory, whose log then reports changes; without it the database answers.
        names: The names in memory; without them the database answers.
    """

    def __init__(self, index: MemoryIndex | None = None, names: NamesIndex | None = None) -> None:
        self._index = index
        self._names = names
        self._cached: OrderedDict[str, Ranking | Extended] = OrderedDict()
        self._newest_cached = 0
        self._bytes = 0
        # How often everything was forgotten.
        self._turn = 0
        self._lock = threading.Lock()

    @property
    def held_bytes(self) -> int:
        """The memory in use."""
        return self._bytes

    def forget(self) -> None:
        """Drop everything, and keep nothing of what is being computed: the change log may be
        another one with the same numbers.
        """
        with self._lock:
            self._turn += 1
            self._clear(0)

    def find(
        self, connection: sa.Connection, keyword: str, offset: int, limit: int
    ) -> tuple[Sequence[int], int]:
        """Ids of a page, and the total.

        Args:
            keyword: As typed; empty finds nothing.
            offset: How many to skip.
            limit: How many to return.
        """
        order = self._order(connection, fold(keyword))
        return order.page(offset, limit), len(order)

    def titles_beginning(self, connection: sa.Connection, text: str, limit: int) -> list[int]:
        """Videos whose title begins with a text, its pinyin or its initials, best first.

        A single Latin letter means too little: every twentieth title begins with it.
        """
        start = typed_start(text)
        if not start or (len(start) == 1 and start.isascii()):
            return []
        found = None
        if self._index is not None:
            newest = self._newest(connection)
            found = self._index.titles_beginning(connection, start, limit, newest)
        return (
            title_suggestions.titles_beginning(connection, start, limit) if found is None else found
        )

    def titles_nearly_read(
        self, connection: sa.Connection, syllables: Syllables, limit: int
    ) -> list[int]:
        """Videos whose reading is what was typed (`syllables_typed`) but for one syllable."""
        found = None
        if self._index is not None:
            newest = self._newest(connection)
            found = self._index.titles_nearly_read(connection, syllables, limit, newest)
        return (
            title_suggestions.titles_nearly_read(connection, syllables, limit)
            if found is None
            else found
        )

    def names_beginning(
        self, connection: sa.Connection, start: str, most: int
    ) -> list[tuple[Kind, str]]:
        """At most so many names of each kind that begin as typed (`typed_start`), or contain it if
        it is more than letters.
        """
        found = self._names.beginning(connection, start, most) if self._names else None
        if found is None:
            return shown_names(connection, spellings.names_beginning(connection, start), most)
        return found

    def names_nearly_read(
        self, connection: sa.Connection, syllables: Syllables, most: int
    ) -> list[tuple[Kind, str]]:
        """At most so many names of each kind that are read as typed (`syllables_typed`) but for one
        syllable.
        """
        found = self._names.nearly_read(connection, syllables, most) if self._names else None
        if found is None:
            return shown_names(connection, spellings.names_nearly_read(connection, syllables), most)
        return found

    def names_alike(
        self, connection: sa.Connection, signs: Collection[str], syllables: Collection[str]
    ) -> Sequence[str]:
        """Names that share characters or syllables, first those that share most, then the shortest,
        whether listed videos have them or not.
        """
        found = self._names.alike(connection, signs, syllables) if self._names else None
        return spellings.names_alike(connection, signs, syllables) if found is None else found

    def _order(self, connection: sa.Connection, phrase: str) -> Ranking | Extended:
        # Read first: an order computed afterwards is at least as new as it states.
        turn, newest = self._turn, self._newest(connection)
        with self._lock:
            if turn == self._turn and newest != self._newest_cached:
                self._clear(newest)
            if (cached := self._cached.get(phrase)) is not None:
                self._cached.move_to_end(phrase)
                return cached
        order = self._computed(connection, phrase, newest)
        with self._lock:
            if (turn, newest) == (self._turn, self._newest_cached):
                self._keep(phrase, order)
        return order

    def _clear(self, newest: int) -> None:
        self._cached.clear()
        self._bytes, self._newest_cached = 0, newest

    def _newest(self, connection: sa.Connection) -> int:
        if self._index is None:
            return newest_change(connection, CacheTopic.SEARCH, CacheTopic.VIEWS)
        return self._index.newest_number(connection)

    def _computed(self, connection: sa.Connection, phrase: str, newest: int) -> Ranking | Extended:
        """By titles, labels and artists; what has the words in its description alone follows."""
        query = parse(phrase)
        found = self._by_names(connection, phrase, query, newest)
        return extended(found, ids_by_description(connection, query, MOST_BY_DESCRIPTION))

    def _by_names(
        self, connection: sa.Connection, phrase: str, query: Query, newest: int
    ) -> Ranking:
        found = None if self._index is None else self._index.find(connection, query, newest)
        return in_order(ordered_ids(connection, phrase)) if found is None else found

    def _keep(self, phrase: str, order: Ranking | Extended) -> None:
        self._forget(phrase)
        self._cached[phrase] = order
        self._bytes += order.held_bytes
        while self._bytes > MAX_BYTES or len(self._cached) > MAX_QUERIES:
            self._forget(next(iter(self._cached)))

    def _forget(self, phrase: str) -> None:
        if (cached := self._cached.pop(phrase, None)) is not None:
            self._bytes -= cached.held_bytes
