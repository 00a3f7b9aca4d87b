"""Calls of ranks and play events (specification §7, decisions §4)."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from liuying.domains.catalogue.schemas import VideoItem
from liuying.domains.catalogue.service import get_video
from liuying.domains.catalogue.video_orders import VideoOrders
from liuying.domains.views import service as views
from liuying.domains.views.rules import Period, RankKind
from liuying.domains.views.schemas import PlayEvent, PlayEventTaken
from liuying.kit.answers import BODY, INVALID, LIMITED, MISSING, PageNumber, cached
from liuying.kit.caller import Caller
from liuying.kit.changes import Topic
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limited, Limits
from liuying.kit.paging import PageRequest, page_of
from liuying.pages.ranks import rank_page

KEPT = cached(Topic.RANKS, Topic.CATALOGUE, Topic.VIEWS)
Kind = Annotated[RankKind, QueryParameter(name="type", description="What is ranked by.")]


@get("/api/rank", sync_to_thread=True, opt=KEPT, responses=INVALID, operation_id="listRank", tags=["rank"])
def get_rank(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    video_orders: NamedDependency[VideoOrders],
    kind: Kind = "pageviews",
    period: FromQuery[Period] = "day",
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """A page of a rank of 100 places."""
    request = PageRequest(page, page_size)
    with database.read() as connection:
        items, places = rank_page(connection, video_orders, kind, period, request)
    return Envelope(page_of(items, places, request, "/api/rank", type=kind, period=period))


@get(
    "/api/rank/pageviews/{period:str}",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID,
    operation_id="listMostWatched",
    tags=["rank"],
)
def get_most_watched(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    video_orders: NamedDependency[VideoOrders],
    period: FromPath[Period],
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """A page of the videos that were watched most over a period."""
    request = PageRequest(page, page_size)
    with database.read() as connection:
        items, places = rank_page(connection, video_orders, "pageviews", period, request)
    return Envelope(page_of(items, places, request, f"/api/rank/pageviews/{period}"))


@post(
    "/api/play/event",
    status_code=200,
    sync_to_thread=True,
    responses=INVALID | MISSING | LIMITED | BODY,
    operation_id="reportPlayEvent",
    tags=["player"],
)
def post_play_event(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    caller: NamedDependency[Caller],
    data: JSONBody[PlayEvent],
) -> Envelope[PlayEventTaken]:
    """Count a view, or note how well a video played. What is acknowledged is on disk."""
    limits.check(Limited.PLAY_EVENT, caller.network)
    now = clock()

    def is_allowed() -> bool:
        return limits.allows(Limited.VIEW, caller.network, data.id)

    with database.write() as connection:
        get_video(connection, data.id)
        if data.event == "view":
            viewer = caller.code or caller.network
            is_counted = views.count_view(connection, hashes, viewer, data.id, now, is_allowed)
        else:
            is_counted = views.note_health(connection, hashes, caller.network, data, now)
    return Envelope(PlayEventTaken(is_counted))


ROUTES = [get_rank, get_most_watched, post_play_event]
