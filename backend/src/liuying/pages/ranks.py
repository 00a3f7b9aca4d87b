"""Ranks: 100 places by views, favourites or novelty over a rolling period
(docs/product.md#playback, docs/product.md#operator).

A rank is a snapshot that a transaction replaces as a whole: readers see either the old one or the
new one.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.queries import videos
from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.schemas import VideoItem
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.queries.documents import rescore
from liuying.features.views import service as views
from liuying.features.views.queries import take_pending
from liuying.features.views.rules import KINDS, PERIODS, RANK_PLACES, Period, RankKind, period_start
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds, hour_of
from liuying.kit.database import Database
from liuying.kit.paging import PageRequest, slice_of
from liuying.pages.queries import ranks as queries
from liuying.pages.queries.ranks import Place, Rank

# Videos whose views are added with the same statements. PostgreSQL takes 65,535 values in one, and
# SQLite at least 32,766.
AT_ONCE = 5000


def rank_page(
    connection: sa.Connection,
    orders: SortIndex,
    kind: RankKind,
    period: Period,
    request: PageRequest,
) -> tuple[list[VideoItem], int]:
    """One page of a rank and its total; videos removed since the snapshot leave no gap."""
    places = queries.places_of(connection, kind, period)
    scores = dict(slice_of(places, request))
    items = [
        msgspec.structs.replace(item, rank=request.offset + number, score=scores[item.id])
        for number, item in enumerate(
            catalogue.items_by_id(connection, orders, list(scores)), start=1
        )
    ]
    return items, len(places)


def aggregate_views(database: Database, now: Milliseconds) -> None:
    """Add new views to the videos' counts and renew the ranks.

    Safe with several processes: views taken by one are not found by another. Ranks are computed
    while others may write, and cached responses are dropped only where something changed.
    """
    with database.write() as connection:
        views.sum_day(connection, now)
    with database.write() as connection:
        pending = take_pending(connection)
        views.forget_old(connection, now)
        watched = sorted(pending)
        for begin in range(0, len(watched), AT_ONCE):
            some = watched[begin : begin + AT_ONCE]
            rescore(connection, videos.add_views(connection, {one: pending[one] for one in some}))
        if pending:
            # After every row: others change their rows first, too, and then draw a number.
            note_changed(connection, watched)
            record_change(connection, CacheTopic.VIEWS)
    with database.read() as connection:
        renewed = _renewed_ranks(connection, now)
    if renewed:
        with database.write() as connection:
            _replace_ranks(connection, renewed)


def _renewed_ranks(connection: sa.Connection, now: Milliseconds) -> dict[Rank, list[Place]]:
    """The ranks that differ from the snapshot."""
    known = queries.snapshot(connection)
    leaders = queries.most_watched(connection)
    fresh = {
        (kind, period): _places(connection, kind, period, period_start(period, now), leaders)
        for kind in KINDS
        for period in PERIODS
    }
    return {rank: places for rank, places in fresh.items() if places != known.get(rank, [])}


def _replace_ranks(connection: sa.Connection, renewed: dict[Rank, list[Place]]) -> None:
    # First of all: on PostgreSQL it lets one process at a time replace ranks.
    record_change(connection, CacheTopic.RANKS)
    ranked = {video_id for places in renewed.values() for video_id, _score in places}
    there = videos.existing_ids(connection, ranked)  # Some were removed meanwhile.
    for rank, places in renewed.items():
        queries.replace_rank(connection, rank, [one for one in places if one[0] in there])


def _places(
    connection: sa.Connection,
    kind: RankKind,
    period: Period,
    start: Milliseconds,
    leaders: list[Place],
) -> list[Place]:
    """The best 100. If a period has fewer, the leaders of all time follow: even a young site has
    a rank.
    """
    if kind == "new":
        return queries.newest(connection, start)
    if kind == "pageviews" and period == "all":
        return leaders
    if kind == "favorites":
        first = queries.favourited_since(connection, start)
    else:
        first = queries.watched_since(connection, hour_of(start))
    there = {video_id for video_id, _score in first}
    return (first + [(video_id, 0) for video_id, _views in leaders if video_id not in there])[
        :RANK_PLACES
    ]
