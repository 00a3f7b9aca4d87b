"""Calls that mix features (specification §7)."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.ranking import SEEDS
from liuying.core.catalogue.rules import SHARE_CATEGORY
from liuying.core.catalogue.schemas import VideoItem, as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.sort_orders import DEFAULT_SORT_ORDER, SortOrder
from liuying.features.ads.service import AdPolicy
from liuying.features.search.result_cache import ResultCache
from liuying.kit.changes import CacheTopic
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.identifiers import MAX_ID
from liuying.kit.paging import PageRequest, page_of, read_place
from liuying.kit.responses import INVALID, MISSING, AfterPlace, PageNumber, PathIdentifier, cached
from liuying.pages import home, player
from liuying.pages.boot import ClientSettings, runtime_config
from liuying.pages.schemas import HomeBlock, PlayInfo, Recommendation, RuntimeConfig

# A pool changes daily, and the freshness of its candidates hourly.
RECOMMENDED = cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS, lifetime=600)
Seed = Annotated[int, QueryParameter(ge=0, lt=SEEDS, description="Which pool of the day, from 0.")]
Keyword = Annotated[
    str, QueryParameter(name="serach", max_length=64, description="What is searched for.")
]


@get(
    "/api/videoindex",
    sync_to_thread=True,
    opt=cached(
        CacheTopic.CATALOGUE, CacheTopic.VIEWS, CacheTopic.ADS, CacheTopic.CONFIG, lifetime=30
    ),
    operation_id="listHomeBlocks",
    tags=["home"],
)
def get_blocks(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    sort_index: NamedDependency[SortIndex],
    ad_policy: NamedDependency[AdPolicy],
) -> Envelope[list[HomeBlock]]:
    """A block per category; its first item may be an advertisement."""
    with database.read() as connection:
        return Envelope(home.list_blocks(connection, sort_index, clock(), ad_policy))


@get(
    "/api/videorecommand",
    sync_to_thread=True,
    opt=RECOMMENDED,
    responses=INVALID,
    operation_id="recommendVideos",
    tags=["home"],
)
def get_recommendation(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    sort_index: NamedDependency[SortIndex],
    category_id: Annotated[int, QueryParameter(name="type", ge=0, le=MAX_ID)] = 0,
    seed: Seed = 0,
) -> Envelope[Recommendation]:
    """The pool behind 换一批."""
    with database.read() as connection:
        return Envelope(home.recommend(connection, sort_index, category_id, seed, clock()))


@get(
    "/api/videoplay/{video_id:int}",
    sync_to_thread=True,
    opt=cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS),
    responses=INVALID | MISSING,
    operation_id="getPlayInfo",
    tags=["player"],
)
def get_play_info(
    database: NamedDependency[Database],
    play_infos: NamedDependency[player.PlayInfos],
    video_id: PathIdentifier,
    uuid: Annotated[
        str, QueryParameter(max_length=64, description="The literal 1; not a data code.")
    ] = "1",
) -> Envelope[PlayInfo]:
    """Everything on the player page."""
    del uuid  # Specified as a constant (docs/product.md#r24): the answer is the same for everybody.
    with database.read() as connection:
        return Envelope(play_infos.find(connection, video_id))


@get(
    "/api/videomaylike",
    sync_to_thread=True,
    opt=cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS),
    responses=INVALID,
    operation_id="listSimilarVideos",
    tags=["player"],
)
def get_similar(
    database: NamedDependency[Database],
    sort_index: NamedDependency[SortIndex],
    video_id: Annotated[
        int, QueryParameter(name="id", ge=0, le=MAX_ID, description="0 is none.")
    ] = 0,
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """What a visitor may like beside a video."""
    with database.read() as connection:
        return Envelope(as_sent(player.similar_videos(connection, sort_index, video_id, page)))


@get(
    "/api/videoSearch",
    sync_to_thread=True,
    opt=cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS, CacheTopic.SEARCH),
    responses=INVALID,
    operation_id="searchVideos",
    tags=["search"],
)
def get_search(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    search_orders: NamedDependency[ResultCache],
    sort_index: NamedDependency[SortIndex],
    keyword: Keyword = "",
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """Videos whose title, labels or artists contain every word; if there are none, letters are
    taken for pinyin.
    """
    request = PageRequest(page, page_size)
    with database.read() as connection:
        ids, total = search_orders.find(connection, keyword, request.offset, request.per_page)
        items = catalogue.listed_by_id(connection, sort_index, ids)
    return Envelope(as_sent(page_of(items, total, request, "/api/videoSearch", serach=keyword)))


@get(
    "/api/videoshare",
    sync_to_thread=True,
    opt=cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS),
    responses=INVALID,
    operation_id="listShareVideos",
    tags=["sharing"],
)
def get_share_videos(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    sort_index: NamedDependency[SortIndex],
    category_id: Annotated[int, QueryParameter(name="type", ge=0, le=MAX_ID)] = SHARE_CATEGORY,
    orderby: FromQuery[SortOrder] = DEFAULT_SORT_ORDER,
    page: PageNumber = 1,
    after: AfterPlace = "",
) -> Envelope[Page[VideoItem]]:
    """Videos that sharing unlocks."""
    request = PageRequest(page, page_size, read_place(after))
    with database.read() as connection:
        found = catalogue.list_category(
            connection,
            sort_index,
            category_id,
            orderby,
            request,
            "/api/videoshare",
            type=category_id,
        )
    return Envelope(as_sent(found))


@get(
    "/api/config",
    sync_to_thread=True,
    opt=cached(CacheTopic.ADS, CacheTopic.CONFIG),
    operation_id="getConfig",
    tags=["configuration"],
)
def get_config(
    database: NamedDependency[Database], client_settings: NamedDependency[ClientSettings]
) -> Envelope[RuntimeConfig]:
    """What the client must know before it starts."""
    with database.read() as connection:
        return Envelope(runtime_config(connection, client_settings))


ROUTES = [
    get_blocks,
    get_recommendation,
    get_play_info,
    get_similar,
    get_search,
    get_share_videos,
    get_config,
]
