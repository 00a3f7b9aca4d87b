"""What to offer while a visitor types, and where a search found nothing: hot words, artists,
labels, titles.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import sqlalchemy as sa

from liuying.features.search.folding import fold
from liuying.features.search.offered_hot_words import OfferedHotWords
from liuying.features.search.pinyin import HAN, readings_of, runs_of, splits_of
from liuying.features.search.prefixes import starts_of, typed_start
from liuying.features.search.queries.shown_names import Kind, listed_titles, shown_names
from liuying.features.search.queries.title_suggestions import (
    syllables_typed,
)
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.schemas import SuggestionView
from liuying.kit.clock import Milliseconds

MAX_SUGGESTIONS = 10
# Of each kind before titles, which are what most visitors type.
MAX_NAMES = 3
MAX_RELATED = 8


def suggest(
    connection: sa.Connection,
    orders: ResultCache,
    hot_words: OfferedHotWords,
    text: str,
    now: Milliseconds,
) -> list[SuggestionView]:
    """At most ten texts that begin as typed, in characters, pinyin or initials.

    If there are none, one wrong syllable of pinyin is forgiven.
    """
    start = typed_start(text)
    if not start:
        return []
    hot = [word for word in hot_words.words(connection, now) if _begins(word, start)]
    found = [SuggestionView(word, "hot") for word in hot[:MAX_NAMES]]
    found += _named(orders.names_beginning(connection, start, MAX_NAMES))
    found += _titles(connection, orders.titles_beginning(connection, text, MAX_SUGGESTIONS))
    if not found and (syllables := syllables_typed(text)):
        found = _named(orders.names_nearly_read(connection, syllables, MAX_NAMES))
        found += _titles(
            connection, orders.titles_nearly_read(connection, syllables, MAX_SUGGESTIONS)
        )
    return _distinct(found)[:MAX_SUGGESTIONS]


def related(
    connection: sa.Connection,
    orders: ResultCache,
    hot_words: OfferedHotWords,
    text: str,
    now: Milliseconds,
) -> list[SuggestionView]:
    """What to search for instead: what begins as the letters that were typed, artists and labels
    that share a character or a syllable, then hot words.
    """
    folded = fold(text)
    signs = frozenset("".join(HAN.findall(folded)))
    spoken = runs_of(readings_of([folded]))
    syllables = {one for run in spoken for sounds in run for one in sounds}
    syllables.update(one for split in splits_of(typed_start(text))[:1] for one in split)

    likely = orders.names_alike(connection, signs, syllables)
    alike = _named(shown_names(connection, likely))
    # Two initials begin much that no search finds by them.
    begun = suggest(connection, orders, hot_words, text, now) if text.isascii() else []
    found = [*begun, *sorted(alike, key=lambda one: likely.index(one.text))][:MAX_RELATED]
    found += [
        SuggestionView(word, "hot")
        for word in hot_words.words(connection, now)
        if orders.find(connection, word, 0, 1)[1]
    ]
    return [one for one in _distinct(found) if fold(one.text) != folded][:MAX_RELATED]


@lru_cache(maxsize=1000)
def _spelled(word: str) -> tuple[str, frozenset[str]]:
    """A folded hot word and its beginnings."""
    folded = fold(word)
    return folded, frozenset(starts_of(folded))


def _begins(word: str, start: str) -> bool:
    folded, starts = _spelled(word)
    is_inside = not start.isascii() and start in folded
    return is_inside or any(one.startswith(start) for one in starts)


def _named(names: Iterable[tuple[Kind, str]]) -> list[SuggestionView]:
    return [SuggestionView(name, kind) for kind, name in names]


def _titles(connection: sa.Connection, video_ids: list[int]) -> list[SuggestionView]:
    titles = listed_titles(connection, video_ids)
    return [
        SuggestionView(titles[video_id], "title") for video_id in video_ids if video_id in titles
    ]


def _distinct(found: Iterable[SuggestionView]) -> list[SuggestionView]:
    by_text: dict[str, SuggestionView] = {}
    for one in found:
        by_text.setdefault(fold(one.text), one)
    return list(by_text.values())
