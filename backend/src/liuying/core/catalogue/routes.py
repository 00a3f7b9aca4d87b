"""Calls of the catalogue (specification §7)."""

from __future__ import annotations

from typing import cast

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery

from liuying.core.catalogue import service
from liuying.core.catalogue.schemas import ArtistView, CategoryView, TagView, VideoItem, as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.sort_orders import DEFAULT_SORT_ORDER, SortOrder
from liuying.kit.changes import CacheTopic
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.paging import PageRequest, read_place
from liuying.kit.responses import INVALID, MISSING, AfterPlace, PageNumber, PathIdentifier, cached

KEPT = cached(CacheTopic.CATALOGUE)
CACHED_VIDEOS = cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS)


@get(
    "/api/videosort",
    sync_to_thread=True,
    opt=KEPT,
    operation_id="listCategories",
    tags=["catalogue"],
)
def get_categories(database: NamedDependency[Database]) -> Envelope[list[CategoryView]]:
    """Categories in the operator's order, without 72 and 73."""
    with database.read() as connection:
        return Envelope(service.list_categories(connection))


@get(
    "/api/videosort/{category_id:int}",
    sync_to_thread=True,
    opt=CACHED_VIDEOS,
    responses=INVALID | MISSING,
    operation_id="listCategoryVideos",
    tags=["catalogue"],
)
def get_category_videos(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    sort_index: NamedDependency[SortIndex],
    category_id: PathIdentifier,
    orderby: FromQuery[SortOrder] = DEFAULT_SORT_ORDER,
    page: PageNumber = 1,
    after: AfterPlace = "",
) -> Envelope[Page[VideoItem]]:
    """One page of a category's videos; 0 means all."""
    request = PageRequest(page, page_size, read_place(after))
    path = f"/api/videosort/{category_id}"
    with database.read() as connection:
        return Envelope(
            as_sent(
                service.list_category(connection, sort_index, category_id, orderby, request, path)
            )
        )


@get("/api/artist", sync_to_thread=True, opt=KEPT, operation_id="listArtists", tags=["catalogue"])
def get_artists(
    database: NamedDependency[Database], sort_index: NamedDependency[SortIndex]
) -> Envelope[list[ArtistView]]:
    """Every artist, by initial and name."""
    with database.read() as connection:
        # Encoded already; the type is that on the wire.
        return Envelope(cast("list[ArtistView]", sort_index.artists.encoded(connection)))


@get(
    "/api/artist/{artist_id:int}",
    sync_to_thread=True,
    opt=CACHED_VIDEOS,
    responses=INVALID | MISSING,
    operation_id="listArtistVideos",
    tags=["catalogue"],
)
def get_artist_videos(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    sort_index: NamedDependency[SortIndex],
    artist_id: PathIdentifier,
    orderby: FromQuery[SortOrder] = DEFAULT_SORT_ORDER,
    page: PageNumber = 1,
    after: AfterPlace = "",
) -> Envelope[Page[VideoItem]]:
    """One page of an artist's videos."""
    request = PageRequest(page, page_size, read_place(after))
    with database.read() as connection:
        return Envelope(
            as_sent(service.list_artist_videos(connection, sort_index, artist_id, orderby, request))
        )


@get("/api/tags", sync_to_thread=True, opt=KEPT, operation_id="listTags", tags=["catalogue"])
def get_tags(
    database: NamedDependency[Database], sort_index: NamedDependency[SortIndex]
) -> Envelope[list[TagView]]:
    """Every label of a listed video, most used first."""
    with database.read() as connection:
        # Encoded already; the type is that on the wire.
        return Envelope(cast("list[TagView]", sort_index.labels.encoded(connection)))


ROUTES = [get_categories, get_category_videos, get_artists, get_artist_videos, get_tags]
