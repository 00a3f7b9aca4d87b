"""Calls of favourites (specification §7). A data code identifies the caller; no answer ever
contains one.
"""

from __future__ import annotations

from typing import Annotated

from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.core.catalogue.schemas import VideoItem
from liuying.core.visitors.service import NOBODY, ensure_visitor, find_visitor
from liuying.features.favourites import queries, rules, service
from liuying.features.favourites.schemas import (
    SITE,
    FavouriteIds,
    FavouriteTotal,
    FavouriteUsers,
    FavouriteView,
    IdsQuestion,
    NewFavourite,
    Removal,
    Removed,
    Site,
)
from liuying.features.favourites.service import UnlockedVideos
from liuying.kit.caller import Caller
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.errors import InvalidInputError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.paging import PageRequest
from liuying.kit.responses import (
    BODY,
    FORBIDDEN,
    INVALID,
    LIMITED,
    MISSING,
    UNAVAILABLE,
    WRITING,
    PageNumber,
    WithCode,
    WithOptionalCode,
)

PATH = service.PATH


@get(
    PATH,
    sync_to_thread=True,
    responses=INVALID | LIMITED,
    operation_class=WithCode,
    operation_id="listFavourites",
    tags=["favourites"],
)
def get_favourites(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    page_size: NamedDependency[int],
    caller: NamedDependency[Caller],
    site: FromQuery[Site] = SITE,
    page: PageNumber = 1,
) -> Envelope[Page[FavouriteView]]:
    """One page of the caller's favourites, newest first."""
    code = caller.required_code
    with database.read() as connection:
        visitor_id = find_visitor(connection, hashes, code) or NOBODY
        request = PageRequest(page, page_size)
        return Envelope(service.list_own(connection, hashes, visitor_id, site, request))


@post(
    PATH,
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | MISSING | FORBIDDEN | BODY | LIMITED | UNAVAILABLE,
    operation_class=WithCode,
    operation_id="addFavourite",
    tags=["favourites"],
)
def post_favourite(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    unlocked_videos: NamedDependency[UnlockedVideos],
    caller: NamedDependency[Caller],
    data: JSONBody[NewFavourite],
) -> Envelope[FavouriteView]:
    """Add a favourite; repeating it changes nothing."""
    code, now = caller.required_code, clock()
    limits.check(rules.CHANGES, caller.network)
    with database.write() as connection:
        visitor_id = ensure_visitor(connection, hashes, code, now)
        return Envelope(
            service.add(connection, visitor_id, data.site, data.id, now, unlocked_videos)
        )


@delete(
    PATH,
    status_code=200,
    sync_to_thread=True,
    opt=WRITING,
    responses=INVALID | BODY | LIMITED | UNAVAILABLE,
    operation_class=WithCode,
    operation_id="removeFavourite",
    tags=["favourites"],
)
def delete_favourite(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    limits: NamedDependency[Limits],
    caller: NamedDependency[Caller],
    data: JSONBody[Removal | None] = None,
    video_id: Annotated[
        int | None, QueryParameter(name="id", ge=1, le=MAX_ID, include_in_schema=False)
    ] = None,
    site: Annotated[Site, QueryParameter(include_in_schema=False)] = SITE,
) -> Envelope[Removed]:
    """Remove a favourite. The query may carry what the body carries, for clients whose body is
    dropped.
    """
    code = caller.required_code
    removal = data or (Removal(id=video_id, site=site) if video_id is not None else None)
    if removal is None:
        raise InvalidInputError("请求参数有误", "id")
    limits.check(rules.CHANGES, caller.network)
    with database.write() as connection:
        visitor_id = find_visitor(connection, hashes, code, is_locked=True) or NOBODY
        queries.remove(connection, visitor_id, removal.site, removal.id)
    return Envelope(Removed(removal.id))


@post(
    f"{PATH}/ids",
    status_code=200,
    sync_to_thread=True,
    responses=INVALID | BODY | LIMITED,
    operation_class=WithCode,
    operation_id="findFavourites",
    tags=["favourites"],
)
def post_ids(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    caller: NamedDependency[Caller],
    data: JSONBody[IdsQuestion],
) -> Envelope[FavouriteIds]:
    """Which of up to 100 videos are the caller's favourites."""
    code = caller.required_code
    with database.read() as connection:
        visitor_id = find_visitor(connection, hashes, code) or NOBODY
        return Envelope(
            FavouriteIds(service.favourited(connection, visitor_id, data.site, data.ids))
        )


@get(
    f"{PATH}/total",
    sync_to_thread=True,
    responses=INVALID | LIMITED,
    operation_class=WithCode,
    operation_id="countFavourites",
    tags=["favourites"],
)
def get_total(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    caller: NamedDependency[Caller],
    site: FromQuery[Site] = SITE,
) -> Envelope[FavouriteTotal]:
    """Number of the caller's favourites."""
    code = caller.required_code
    with database.read() as connection:
        visitor_id = find_visitor(connection, hashes, code) or NOBODY
        return Envelope(FavouriteTotal(queries.count(connection, visitor_id, site)))


@get(
    f"{PATH}/user",
    sync_to_thread=True,
    responses=INVALID | LIMITED,
    operation_class=WithOptionalCode,
    operation_id="listFavouriteUsers",
    tags=["favourites"],
)
def get_users(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    caller: NamedDependency[Caller],
    site: FromQuery[Site] = SITE,
    page: PageNumber = 1,
) -> Envelope[FavouriteUsers]:
    """Other visitors with favourites, by alias."""
    with database.read() as connection:
        found = find_visitor(connection, hashes, caller.code) if caller.code is not None else None
        return Envelope(service.list_users(connection, found or NOBODY, site, page))


@get(
    f"{PATH}/userVideos",
    sync_to_thread=True,
    responses=INVALID,
    operation_id="listUserFavourites",
    tags=["favourites"],
)
def get_user_videos(
    database: NamedDependency[Database],
    hashes: NamedDependency[KeyedHashes],
    page_size: NamedDependency[int],
    row_id: Annotated[
        str, QueryParameter(name="id", max_length=64, description="`id` of a listed visitor.")
    ],
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """Somebody else's favourites."""
    with database.read() as connection:
        request = PageRequest(page, page_size)
        return Envelope(service.list_of(connection, hashes, row_id, SITE, request))


ROUTES: list[ControllerRouterHandler] = [
    # Handlers of one path are registered together: registered separately, Litestar 2.25 would run
    # each in a thread of a thread.
    Router("/", route_handlers=[get_favourites, post_favourite, delete_favourite]),
    post_ids,
    get_total,
    get_users,
    get_user_videos,
]
