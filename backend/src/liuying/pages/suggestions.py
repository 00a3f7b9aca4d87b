"""What to offer while a visitor types, and where a search found nothing: hot words, artists, labels, titles."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Literal

import msgspec
import sqlalchemy as sa

from liuying.domains.catalogue.queries import LISTED
from liuying.domains.catalogue.tables import artist, label, video, video_artist, video_label
from liuying.domains.search.documents import starts_of
from liuying.domains.search.folding import fold
from liuying.domains.search.kept_orders import KeptOrders
from liuying.domains.search.readings import HAN, readings_of, runs_of, splits_of
from liuying.domains.search.schemas import HotGroupView, SuggestionView
from liuying.domains.search.suggestions import (
    LAST_SIGN,
    is_nearly_read,
    syllables_typed,
    titles_beginning,
    titles_nearly_read,
    typed_start,
)
from liuying.domains.search.terms import visible_hot_groups
from liuying.kit.changes import Topic, newest_change
from liuying.kit.clock import Milliseconds

MOST_SUGGESTIONS = 10
# Of each kind before titles, which are what most visitors type.
MOST_NAMES = 3
MOST_RELATED = 8
SHARED_SIGN, SHARED_SYLLABLE = 2, 1


class Name(msgspec.Struct, frozen=True):
    """An artist or a label."""

    kind: Literal["artist", "label"]
    number: int
    text: str


class Spelling(msgspec.Struct, frozen=True):
    """How a name may be typed."""

    folded: str
    starts: frozenset[str]
    readings: str

    @property
    def syllables(self) -> frozenset[str]:
        return frozenset(one for run in runs_of(self.readings) for sounds in run for one in sounds)


@lru_cache(maxsize=50_000)
def spelling_of(text: str) -> Spelling:
    """The spellings of a name; they cost more than all else, and names stay."""
    folded = fold(text)
    return Spelling(folded, frozenset(starts_of(folded)), readings_of([folded]))


class KnownNames:
    """Every artist and label, read anew when the catalogue has changed."""

    def __init__(self) -> None:
        self._newest = -1
        self._names: list[Name] = []
        # What each begins with, in order, and its place among the names.
        self._starts: list[tuple[str, int]] = []
        self._lock = threading.Lock()

    def all(self, connection: sa.Connection) -> list[Name]:
        """All of them, artists first."""
        return self._current(connection)[0]

    def beginning(self, connection: sa.Connection, start: str) -> list[Name]:
        """Those that begin with a text (`typed_start`), or hold it where it is more than letters; artists first."""
        names, starts = self._current(connection)
        first, behind = bisect_left(starts, (start, 0)), bisect_left(starts, (start + LAST_SIGN, 0))
        places = {place for _start, place in starts[first:behind]}
        if not start.isascii():
            places.update(place for place, one in enumerate(names) if start in spelling_of(one.text).folded)
        return [names[place] for place in sorted(places)]

    def _current(self, connection: sa.Connection) -> tuple[list[Name], list[tuple[str, int]]]:
        newest = newest_change(connection, Topic.CATALOGUE)
        # Whoever comes meanwhile waits: spelling ten thousands of names takes a second, and once is enough.
        with self._lock:
            if newest != self._newest:
                artists = connection.execute(sa.select(artist.c.id, artist.c.name).order_by(artist.c.id))
                labels = connection.execute(sa.select(label.c.id, label.c.name).order_by(label.c.id))
                self._names = [Name("artist", *row) for row in artists] + [Name("label", *row) for row in labels]
                self._starts = sorted(
                    (start, place) for place, one in enumerate(self._names) for start in spelling_of(one.text).starts
                )
                self._newest = newest
            return self._names, self._starts


def suggest(
    connection: sa.Connection, orders: KeptOrders, names: KnownNames, text: str, now: Milliseconds
) -> list[SuggestionView]:
    """At most ten texts that begin as was typed, in characters, pinyin or initials.

    Where nothing does, one wrong syllable of pinyin is forgiven.
    """
    start = typed_start(text)
    if not start:
        return []
    hot = [word for word in _words(visible_hot_groups(connection, orders, now)) if _begins(word, start)]
    found = [SuggestionView(word, "hot") for word in hot[:MOST_NAMES]]
    found += _views(connection, names.beginning(connection, start))
    found += _titles(connection, titles_beginning(connection, text, MOST_SUGGESTIONS))
    if not found and (syllables := syllables_typed(text)):
        near = (one for one in names.all(connection) if is_nearly_read(spelling_of(one.text).readings, syllables))
        found = _views(connection, near)
        found += _titles(connection, titles_nearly_read(connection, syllables, MOST_SUGGESTIONS))
    return _distinct(found)[:MOST_SUGGESTIONS]


def related(
    connection: sa.Connection, orders: KeptOrders, names: KnownNames, text: str, now: Milliseconds
) -> list[SuggestionView]:
    """What to search instead: artists and labels that share a character or a syllable, then hot words."""
    folded = fold(text)
    signs = frozenset("".join(HAN.findall(folded)))
    spoken = runs_of(readings_of([folded]))
    syllables = {one for run in spoken for sounds in run for one in sounds}
    syllables.update(one for split in splits_of(typed_start(text))[:1] for one in split)

    def likeness(name: Name) -> int:
        spelling = spelling_of(name.text)
        shared = len(signs & frozenset(spelling.folded)), len(syllables & spelling.syllables)
        return shared[0] * SHARED_SIGN + shared[1] * SHARED_SYLLABLE

    scored = [(likeness(one), one) for one in names.all(connection)] if signs or syllables else []
    likely = sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], len(pair[1].text)))
    shown = (one for _likeness, one in likely if _is_shown(connection, one))
    found = [SuggestionView(one.text, one.kind) for one in islice(shown, MOST_RELATED)]
    hot = _words(visible_hot_groups(connection, orders, now))
    found += [SuggestionView(word, "hot") for word in hot if orders.find(connection, word, 0, 1)[1]]
    return [one for one in _distinct(found) if fold(one.text) != folded][:MOST_RELATED]


def _begins(text: str, start: str) -> bool:
    spelling = spelling_of(text)
    is_inside = not start.isascii() and start in spelling.folded
    return is_inside or any(one.startswith(start) for one in spelling.starts)


def _views(connection: sa.Connection, found: Iterable[Name]) -> list[SuggestionView]:
    """A few of each kind that videos in lists have."""
    kept: dict[str, list[SuggestionView]] = {"artist": [], "label": []}
    for one in found:
        if len(kept[one.kind]) < MOST_NAMES and _is_shown(connection, one):
            kept[one.kind].append(SuggestionView(one.text, one.kind))
    return kept["artist"] + kept["label"]


def _is_shown(connection: sa.Connection, name: Name) -> bool:
    """Whether a listed video has it: what leads nowhere is not offered."""
    link = video_artist.c.artist_id if name.kind == "artist" else video_label.c.label_id
    shown = sa.select(video.c.id).join(link.table, link.table.c.video_id == video.c.id).where(link == name.number)
    return connection.execute(shown.where(LISTED).limit(1)).first() is not None


def _titles(connection: sa.Connection, video_ids: list[int]) -> list[SuggestionView]:
    rows = connection.execute(sa.select(video.c.id, video.c.title).where(LISTED, video.c.id.in_(video_ids)))
    titles = {row.id: row.title for row in rows}
    return [SuggestionView(titles[video_id], "title") for video_id in video_ids if video_id in titles]


def _words(groups: Iterable[HotGroupView]) -> list[str]:
    return [word for group in groups for word in group.lists]


def _distinct(found: Iterable[SuggestionView]) -> list[SuggestionView]:
    by_text: dict[str, SuggestionView] = {}
    for one in found:
        by_text.setdefault(fold(one.text), one)
    return list(by_text.values())
