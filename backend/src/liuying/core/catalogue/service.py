"""The catalogue's service for other modules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.built_sort_index import Stretch
from liuying.core.catalogue.queries import names, videos
from liuying.core.catalogue.rows import VideoRow
from liuying.core.catalogue.rules import is_locked, play_time
from liuying.core.catalogue.schemas import (
    ArtistView,
    CategoryView,
    LabelView,
    ListedVideo,
    VideoItem,
    artist_view,
    image_from_json,
)
from liuying.core.catalogue.share_ids import with_share_ids
from liuying.core.catalogue.sort_index import MAX_CACHED_ITEMS, SortIndex
from liuying.core.catalogue.sort_orders import SortOrder
from liuying.kit.clock import to_iso
from liuying.kit.database import AnyRow, Database
from liuying.kit.envelope import Page
from liuying.kit.errors import NotFoundError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.images import EncryptedImage
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.paging import PageRequest, page_of

# Videos read by one statement: some 6 ms.
READ_AT_ONCE = 500


def items_from_rows(
    connection: sa.Connection, rows: Sequence[AnyRow | VideoRow]
) -> list[VideoItem]:
    """Rows of `videos.select_rows` as list items, with their labels fetched in one statement."""
    labels: dict[int, list[LabelView]] = {}
    if rows:
        for found in videos.labels_of(connection, (row.id for row in rows)):
            labels.setdefault(found.video_id, []).append(LabelView(id=found.id, name=found.name))
    return [_item(row, labels.get(row.id, [])) for row in rows]


def _item(row: AnyRow | VideoRow, labels: list[LabelView]) -> VideoItem:
    locked, gated = is_locked(row.category_id), bool(row.is_gated)
    return VideoItem(
        id=row.id,
        title=row.title,
        cover=EncryptedImage() if gated else image_from_json(row.cover),
        video_path="" if locked or gated else row.playlist,
        created_at=to_iso(row.created_at),
        updated_at=to_iso(row.updated_at),
        page_views=row.pageviews,
        play_time=play_time(row.duration),
        duration=row.duration / 1000,
        width=row.width,
        height=row.height,
        labels=labels,
        category_id=row.category_id,
        category_name=row.category_name,
        is_locked=locked,
        is_gated=True if gated else msgspec.UNSET,
    )


def list_category(
    connection: sa.Connection,
    orders: SortIndex,
    category_id: int,
    order: SortOrder,
    request: PageRequest,
    path: str,
    **query: str | int,
) -> Page[ListedVideo]:
    """One page of a category's videos; category 0 means all (specification §2, /list).

    An unknown category is an empty list, so that old links to a removed category do no harm.

    Args:
        path: Path of the call, for the address of the next page, like `query`.
    """
    found = orders.in_category(connection, category_id, order, request)
    return _page(
        found,
        listed_by_id(connection, orders, found.ids),
        request,
        path,
        {**query, "orderby": order},
    )


def list_known_category(
    orders: SortIndex,
    category_id: int,
    order: SortOrder,
    request: PageRequest,
    path: str,
    **query: str | int,
) -> Page[ListedVideo] | None:
    """One page of a list, from memory alone; None if the database must be asked."""
    known = orders.known_in_category(category_id, order, request)
    return None if known is None else _page(*known, request, path, {**query, "orderby": order})


def list_artist_videos(
    connection: sa.Connection,
    orders: SortIndex,
    artist_id: int,
    order: SortOrder,
    request: PageRequest,
) -> Page[ListedVideo]:
    """One page of an artist's videos.

    Raises:
        NotFoundError: There is no such artist.
    """
    found = orders.by_artist(connection, artist_id, order, request)
    if found.total == 0 and names.artist_by_id(connection, artist_id) is None:
        raise NotFoundError
    items = listed_by_id(connection, orders, found.ids)
    return _page(found, items, request, f"/api/artist/{artist_id}", {"orderby": order})


def _page(
    found: Stretch,
    items: list[ListedVideo],
    request: PageRequest,
    path: str,
    query: dict[str, str | int],
) -> Page[ListedVideo]:
    if found.end is not None:
        query["after"] = str(found.end)
    return page_of(
        items, found.total, msgspec.structs.replace(request, start=found.offset), path, **query
    )


def list_categories(connection: sa.Connection) -> list[CategoryView]:
    """The visible categories; the client adds the entry 全部 (docs/product.md#r3)."""
    return [
        CategoryView(
            id=row.id,
            name=row.name,
            icon_path=image_from_json(row.icon).url,
            order=row.position,
            icon=image_from_json(row.icon),
            type_id=row.id,
        )
        for row in names.category_rows(connection)
    ]


def list_artists_of(
    connection: sa.Connection, orders: SortIndex, video_id: int
) -> list[ArtistView]:
    """A video's artists, by initial and name."""
    rows = videos.artists_of(connection, video_id)
    counts = orders.name_counts.of_some(connection, "artist", [row.id for row in rows])
    return [artist_view(row, counts[row.id]) for row in rows]


def get_video(connection: sa.Connection, video_id: int) -> tuple[VideoItem, AnyRow]:
    """A playable video and its row.

    Raises:
        NotFoundError: It does not exist or is hidden.
    """
    # PostgreSQL refuses to look for a number that the column cannot hold.
    row = videos.video_row(connection, video_id) if video_id <= MAX_ID else None
    if row is None:
        raise NotFoundError
    return items_from_rows(connection, [row])[0], row


def listed_by_id(
    connection: sa.Connection, orders: SortIndex, ids: Sequence[int]
) -> list[ListedVideo]:
    """Listed videos in the order of `ids`, without those that are gone."""
    found = orders.items.find(connection, ids, partial(_read_listed, orders.hashes))
    return [found[id_] for id_ in ids if id_ in found]


def read_ahead(database: Database, orders: SortIndex) -> None:
    """Cache the items of the videos that stand in front of lists, as many as are cached at all."""
    _read_in_bulk(database, orders, orders.foremost(MAX_CACHED_ITEMS))


def read_again(database: Database, orders: SortIndex) -> None:
    """Cache the current items of the videos whose items were dropped since the last call."""
    _read_in_bulk(database, orders, orders.items.take_dropped())


def _read_in_bulk(database: Database, orders: SortIndex, ids: Sequence[int]) -> None:
    """Read in bulk a video takes half the time that it takes with its page."""
    for start in range(0, len(ids), READ_AT_ONCE):
        # A connection for each part: nobody waits for one, and what changes meanwhile is followed.
        with database.read() as connection:
            listed_by_id(connection, orders, ids[start : start + READ_AT_ONCE])


def items_by_id(
    connection: sa.Connection, orders: SortIndex, ids: Sequence[int]
) -> list[VideoItem]:
    """Listed videos by id, in the order of `ids`, as structs that are not encoded yet."""
    return [one.item for one in listed_by_id(connection, orders, ids)]


def _read_listed(
    hashes: KeyedHashes, connection: sa.Connection, ids: Sequence[int]
) -> dict[int, ListedVideo]:
    rows = videos.rows_by_id(connection, ids)
    items = with_share_ids(hashes, items_from_rows(connection, list(rows.values())))
    return {item.id: ListedVideo(msgspec.Raw(msgspec.json.encode(item))) for item in items}
