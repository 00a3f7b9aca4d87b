"""The player page: one video with all that is shown around it, and the videos that resemble it."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from liuying.domains.catalogue import queries, service
from liuying.domains.catalogue.ranking import SimilarCandidate, order_similar
from liuying.domains.catalogue.rules import ALL_CATEGORIES
from liuying.domains.catalogue.schemas import VideoFields, VideoItem
from liuying.domains.catalogue.video_orders import VideoOrders
from liuying.domains.playback.service import list_sources, list_subtitles, storyboard_of
from liuying.kit.envelope import Page
from liuying.kit.paging import PageRequest, page_of, slice_of
from liuying.pages.schemas import CategoryRef, PlayInfo

# Of how many related videos the most alike are chosen: bounded work, whatever the size of the catalogue.
CANDIDATES = 600
SIMILAR_SIZE = 12


def play_info(connection: sa.Connection, orders: VideoOrders, video_id: int) -> PlayInfo:
    """All that the player page shows. A locked video names no source (decisions §3).

    Raises:
        NotFoundError: No such video, or it is hidden.
    """
    item, row = service.get_video(connection, video_id)
    is_open = not item.is_locked and row.asset_key is not None
    return PlayInfo(
        **{field.name: getattr(item, field.name) for field in msgspec.structs.fields(VideoFields)},
        is_lock=item.is_locked,
        poster=item.cover,
        sources=list_sources(connection, row.asset_key, row.playlist) if is_open else [],
        subtitles=list_subtitles(connection, row.asset_key) if is_open else [],
        storyboard=storyboard_of(connection, row.asset_key) if is_open else None,
        artists=service.list_artists_of(connection, orders, video_id),
        category=CategoryRef(id=item.category_id, name=item.category_name),
    )


def similar_videos(connection: sa.Connection, orders: VideoOrders, video_id: int, page: int) -> Page[VideoItem]:
    """A page of what a visitor may like beside a video; what is seen most where none is given (0).

    An unknown video is answered with what is seen most: the list beside a removed video is still of use.
    """
    request = PageRequest(page, SIMILAR_SIZE)
    row = queries.video_row(connection, video_id)
    if row is None:
        found = orders.in_category(connection, ALL_CATEGORIES, "hot", request)
        return page_of(service.items_by_id(connection, found.ids), found.total, request, "/api/videomaylike")
    candidates = queries.similar_candidates(connection, row.id, row.category_id, CANDIDATES)
    ids = [one.id for one in candidates] + [row.id]
    label_ids: dict[int, list[int]] = {}
    for found_label in queries.labels_of(connection, ids):
        label_ids.setdefault(found_label.video_id, []).append(found_label.id)
    artist_ids = queries.artist_ids_of(connection, ids)
    mine = label_ids.get(row.id, [])
    ordered = order_similar(
        [
            SimilarCandidate(
                one.id, one.category_id, one.pageviews, label_ids.get(one.id, []), artist_ids.get(one.id, [])
            )
            for one in candidates
        ],
        row.category_id,
        mine,
        artist_ids.get(row.id, []),
        queries.label_counts(connection, mine),
    )
    data = service.items_by_id(connection, slice_of(ordered, request))
    return page_of(data, len(ordered), request, "/api/videomaylike", id=row.id)
