"""Ranks: 100 places by views, favourites or novelty over a rolling period
(docs/product.md#playback, docs/product.md#operator).

A rank is a snapshot that a write transaction replaces as a whole: readers see the old one or the
new one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.queries.listing import LISTED_AMONG, in_category
from liuying.core.catalogue.rules import EXCLUDED_CATEGORIES
from liuying.core.catalogue.schemas import VideoItem
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.tables import video
from liuying.features.favourites.tables import favourite
from liuying.features.search.queries.documents import rescore
from liuying.features.views import service as views
from liuying.features.views.queries import take_pending
from liuying.features.views.rules import KINDS, PERIODS, RANK_PLACES, Period, RankKind, period_start
from liuying.features.views.tables import rank_place, view_hour
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds, hour_of
from liuying.kit.database import AnyRow, Database
from liuying.kit.paging import PageRequest, slice_of

RANKED = in_category(None)
RANKED_AMONG = sa.and_(LISTED_AMONG, video.c.category_id.not_in(EXCLUDED_CATEGORIES))
# A video and what it is ranked by.
Place = tuple[int, int]
Rank = tuple[str, str]


def rank_page(
    connection: sa.Connection,
    orders: SortIndex,
    kind: RankKind,
    period: Period,
    request: PageRequest,
) -> tuple[list[VideoItem], int]:
    """A page of a rank and the places it has in all; videos that went since the snapshot leave no
    gap.
    """
    statement = (
        sa.select(rank_place.c.video_id, rank_place.c.score)
        .join(video, video.c.id == rank_place.c.video_id)
        .where(RANKED, rank_place.c.kind == kind, rank_place.c.period == period)
        .order_by(rank_place.c.place)
    )
    places = _pairs(connection.execute(statement).all())
    scores = dict(slice_of(places, request))
    items = [
        msgspec.structs.replace(item, rank=request.offset + number, score=scores[item.id])
        for number, item in enumerate(
            catalogue.items_by_id(connection, orders, list(scores)), start=1
        )
    ]
    return items, len(places)


def aggregate_views(database: Database, now: Milliseconds) -> None:
    """Add what was watched since the last time to the videos' counts, and renew the ranks.

    Safe beside other processes: what one has taken another does not find. Ranks are computed while
    others may write; the kept answers are told only where something changed.
    """
    with database.write() as connection:
        pending = take_pending(connection)
        views.forget_old(connection, now)
        if pending:
            rescore(connection, _add_views(connection, pending))
            note_changed(connection, sorted(pending))
            record_change(connection, CacheTopic.VIEWS)
    with database.read() as connection:
        renewed = _renewed_ranks(connection, now)
    if renewed:
        with database.write() as connection:
            _replace_ranks(connection, renewed)


def _add_views(connection: sa.Connection, pending: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """Add views to videos; returns number, views and time of publication of each, as search wants
    them.
    """
    added = [{"number": video_id, "seen": seen} for video_id, seen in sorted(pending.items())]
    more = video.c.pageviews + sa.bindparam("seen")
    connection.execute(
        sa.update(video).where(video.c.id == sa.bindparam("number")).values(pageviews=more), added
    )
    statement = sa.select(video.c.id, video.c.pageviews, video.c.created_at).where(
        video.c.id.in_(pending)
    )
    return [(row.id, row.pageviews, row.created_at) for row in connection.execute(statement)]


def _renewed_ranks(connection: sa.Connection, now: Milliseconds) -> dict[Rank, list[Place]]:
    """The ranks that differ from the snapshot."""
    known: dict[Rank, list[Place]] = {}
    for row in connection.execute(sa.select(rank_place).order_by(rank_place.c.place)):
        known.setdefault((row.kind, row.period), []).append((row.video_id, row.score))
    leaders = _most_watched(connection)
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
    there = set(connection.execute(sa.select(video.c.id).where(video.c.id.in_(ranked))).scalars())
    for (kind, period), places in renewed.items():
        connection.execute(
            sa.delete(rank_place).where(rank_place.c.kind == kind, rank_place.c.period == period)
        )
        kept = [
            (video_id, score) for video_id, score in places if video_id in there
        ]  # some were removed meanwhile
        rows = [
            {"kind": kind, "period": period, "place": place, "video_id": video_id, "score": score}
            for place, (video_id, score) in enumerate(kept, start=1)
        ]
        if rows:
            connection.execute(sa.insert(rank_place), rows)


def _places(
    connection: sa.Connection,
    kind: RankKind,
    period: Period,
    start: Milliseconds,
    leaders: list[Place],
) -> list[Place]:
    """The best 100. Where a period has fewer, what leads over all time follows: a young site has a
    rank, too.
    """
    if kind == "new":
        created = sa.select(video.c.id, video.c.created_at).where(
            RANKED, video.c.created_at >= start
        )
        newest = created.order_by(video.c.created_at.desc(), video.c.id.desc()).limit(RANK_PLACES)
        return _pairs(connection.execute(newest).all())
    if kind == "pageviews" and period == "all":
        return leaders
    first = _favourited(connection, start) if kind == "favorites" else _watched(connection, start)
    there = {video_id for video_id, _score in first}
    return (first + [(video_id, 0) for video_id, _views in leaders if video_id not in there])[
        :RANK_PLACES
    ]


def _watched(connection: sa.Connection, start: Milliseconds) -> list[Place]:
    total = sa.func.sum(view_hour.c.views).label("score")
    statement = (
        sa.select(video.c.id, total)
        .join(view_hour, view_hour.c.video_id == video.c.id)
        .where(RANKED_AMONG, view_hour.c.hour >= hour_of(start))
        .group_by(video.c.id)
        .order_by(total.desc(), video.c.id.desc())
        .limit(RANK_PLACES)
    )
    return _pairs(connection.execute(statement).all())


def _favourited(connection: sa.Connection, start: Milliseconds) -> list[Place]:
    total = sa.func.count().label("score")
    statement = (
        sa.select(video.c.id, total)
        .join(favourite, favourite.c.video_id == video.c.id)
        .where(RANKED_AMONG, favourite.c.created_at >= start)
        .group_by(video.c.id)
        .order_by(total.desc(), video.c.id.desc())
        .limit(RANK_PLACES)
    )
    return _pairs(connection.execute(statement).all())


def _most_watched(connection: sa.Connection) -> list[Place]:
    statement = (
        sa.select(video.c.id, video.c.pageviews)
        .where(RANKED)
        .order_by(video.c.pageviews.desc(), video.c.id.desc())
        .limit(RANK_PLACES)
    )
    return _pairs(connection.execute(statement).all())


def _pairs(rows: Sequence[AnyRow]) -> list[Place]:
    return [(row[0], int(row[1])) for row in rows]
