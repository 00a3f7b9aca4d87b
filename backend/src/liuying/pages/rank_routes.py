"""Calls of ranks (specification §7, docs/product.md#playback)."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from liuying.core.catalogue.schemas import VideoItem
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.views.rules import Period, RankKind
from liuying.kit.changes import CacheTopic
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.paging import PageRequest, page_of
from liuying.kit.responses import INVALID, PageNumber, cached
from liuying.pages.ranks import rank_page

KEPT = cached(CacheTopic.RANKS, CacheTopic.CATALOGUE, CacheTopic.VIEWS)
MOST_WATCHED = "/api/rank/pageviews"
Kind = Annotated[RankKind, QueryParameter(name="type", description="What is ranked by.")]


@get(
    "/api/rank",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID,
    operation_id="listRank",
    tags=["rank"],
)
def get_rank(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    sort_index: NamedDependency[SortIndex],
    kind: Kind = "pageviews",
    period: FromQuery[Period] = "day",
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """One page of a rank of 100 places."""
    request = PageRequest(page, page_size)
    with database.read() as connection:
        items, places = rank_page(connection, sort_index, kind, period, request)
    return Envelope(page_of(items, places, request, "/api/rank", type=kind, period=period))


@get(
    f"{MOST_WATCHED}/{{period:str}}",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID,
    operation_id="listMostWatched",
    tags=["rank"],
)
def get_most_watched(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    sort_index: NamedDependency[SortIndex],
    period: FromPath[Period],
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """One page of the most watched videos of a period."""
    return _most_watched(database, sort_index, period, PageRequest(page, page_size))


@get(
    MOST_WATCHED,
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID,
    operation_id="listMostWatchedToday",
    tags=["rank"],
)
def get_most_watched_today(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    sort_index: NamedDependency[SortIndex],
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """One page of the most watched videos of the period that holds where none is named: the day."""
    return _most_watched(database, sort_index, "day", PageRequest(page, page_size))


def _most_watched(
    database: Database, sort_index: SortIndex, period: Period, request: PageRequest
) -> Envelope[Page[VideoItem]]:
    with database.read() as connection:
        items, places = rank_page(connection, sort_index, "pageviews", period, request)
    return Envelope(page_of(items, places, request, f"{MOST_WATCHED}/{period}"))


ROUTES = [get_rank, get_most_watched, get_most_watched_today]
