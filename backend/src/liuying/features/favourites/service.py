"""Visitors' favourites as they are shown."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.schemas import VideoItem
from liuying.core.catalogue.share_ids import with_share_ids
from liuying.core.visitors import service as visitors
from liuying.features.favourites import queries
from liuying.features.favourites.rules import FULL_MESSAGE, LOCKED_MESSAGE, MAX_FAVOURITES
from liuying.features.favourites.schemas import FavouriteUser, FavouriteUsers, FavouriteView
from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.envelope import Page
from liuying.kit.errors import ForbiddenError, NotFoundError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.paging import PageRequest, page_of

USERS_A_PAGE = 20
# Limits the pages of visitors: a database skips to a page row by row.
USER_PAGES = 500
PATH = "/api/favorites"

# Which videos a visitor has unlocked by sharing: (connection, visitor, videos) → unlocked ones.
UnlockedVideos = Callable[[sa.Connection, int, list[int]], set[int]]


def add(
    connection: sa.Connection,
    visitor_id: int,
    site: str,
    video_id: int,
    now: Milliseconds,
    unlocked_videos: UnlockedVideos,
) -> FavouriteView:
    """Add a favourite; the second time changes nothing.

    Raises:
        NotFoundError: No such video, or it is hidden.
        ForbiddenError: The visitor has not unlocked it, or has the maximum number of favourites.
    """
    item, _ = catalogue.get_video(connection, video_id)
    if item.is_locked and not unlocked_videos(connection, visitor_id, [video_id]):
        raise ForbiddenError(LOCKED_MESSAGE)
    try:
        with connection.begin_nested():
            favourited_at = _add(connection, visitor_id, site, video_id, now)
    except sa.exc.IntegrityError as error:
        raise NotFoundError from error  # Removed since it was read.
    alias = visitors.views_of(connection, [visitor_id])[visitor_id].alias
    return _view(item, alias, site, favourited_at)


def list_own(
    connection: sa.Connection,
    hashes: KeyedHashes,
    visitor_id: int,
    site: str,
    request: PageRequest,
) -> Page[FavouriteView]:
    """One page of a visitor's favourites, newest first."""
    rows = queries.listed_rows(connection, visitor_id, site, request)
    items = with_share_ids(hashes, catalogue.items_from_rows(connection, rows))
    known = visitors.views_of(connection, [visitor_id]).get(visitor_id)
    data = [
        _view(item, known.alias if known else "", site, row.favourited_at)
        for item, row in zip(items, rows, strict=True)
    ]
    return page_of(data, queries.count(connection, visitor_id, site), request, PATH, site=site)


def list_of(
    connection: sa.Connection, hashes: KeyedHashes, row_id: str, site: str, request: PageRequest
) -> Page[VideoItem]:
    """One page of somebody else's favourites; empty for an unknown row."""
    visitor_id = visitors.find_by_row_id(connection, row_id) or visitors.NOBODY
    rows = queries.listed_rows(connection, visitor_id, site, request)
    items = with_share_ids(hashes, catalogue.items_from_rows(connection, rows))
    return page_of(
        items, queries.count(connection, visitor_id, site), request, f"{PATH}/userVideos", id=row_id
    )


def favourited(
    connection: sa.Connection, visitor_id: int, site: str, video_ids: list[int]
) -> list[int]:
    """The favourites among `video_ids`, in their order and without repetition; hidden videos are
    left out.
    """
    found = queries.favourited_among(connection, visitor_id, site, video_ids)
    return [one for one in dict.fromkeys(video_ids) if one in found]


def list_users(connection: sa.Connection, caller_id: int, site: str, page: int) -> FavouriteUsers:
    """One page of other visitors with favourites, most recently active first."""
    if page > USER_PAGES:
        return FavouriteUsers(users=[])
    rows = queries.active_visitors(
        connection,
        site,
        other_than=caller_id,
        offset=(page - 1) * USERS_A_PAGE,
        limit=USERS_A_PAGE + 1,  # One more tells whether another page follows.
    )
    shown = rows[:USERS_A_PAGE]
    known = visitors.views_of(connection, shown)
    users = [
        FavouriteUser(
            id=known[one].row_id, uuid=known[one].alias, total=queries.count(connection, one, site)
        )
        for one in shown
        if one in known  # A change of the code may have removed the row meanwhile.
    ]
    has_next = len(rows) > USERS_A_PAGE and page < USER_PAGES
    return FavouriteUsers(
        users=users, next_page_url=f"{PATH}/user?site={site}&page={page + 1}" if has_next else None
    )


def _add(
    connection: sa.Connection, visitor_id: int, site: str, video_id: int, now: Milliseconds
) -> Milliseconds:
    """Add a favourite; returns when it was first added. The visitor's row must be locked.

    Raises:
        ForbiddenError: The list is full; the transaction must be rolled back.
    """
    if queries.insert_favourite(connection, visitor_id, site, video_id, now):
        if queries.has_more_than(connection, visitor_id, site, MAX_FAVOURITES):
            raise ForbiddenError(FULL_MESSAGE)
        queries.note_activity(connection, visitor_id, site, now)
        return now
    return queries.favourited_at(connection, visitor_id, site, video_id)


def _view(item: VideoItem, alias: str, site: str, favourited_at: Milliseconds) -> FavouriteView:
    return FavouriteView(
        uuid=alias,
        site=site,
        id=item.id,
        image_url=item.cover.url,
        image_type=item.cover.type,
        title=item.title,
        # None of a video of the locked category, unlocked or not: the player asks for a signed one.
        path=item.video_path,
        created_at=to_iso(favourited_at),
        video=item,
    )
