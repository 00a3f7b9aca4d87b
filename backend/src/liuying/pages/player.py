"""The player page: one video with everything shown around it, and similar videos."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import msgspec
import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue import service
from liuying.core.catalogue.catalogue_cache import CatalogueCache
from liuying.core.catalogue.queries import sort_facts, videos
from liuying.core.catalogue.queries.change_log import newest_numbers
from liuying.core.catalogue.queries.details import detail_row
from liuying.core.catalogue.ranking import likeness_of, spread_artists
from liuying.core.catalogue.rules import ALL_CATEGORIES, EXCLUDED_CATEGORIES, is_locked
from liuying.core.catalogue.schemas import (
    ChapterView,
    ListedVideo,
    VideoFields,
    VideoItem,
    image_from_json,
)
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.playback.queries.playable import storyboard_of
from liuying.core.playback.service import list_audio_tracks, list_sources, list_subtitles
from liuying.core.playback.ways import playlist_addresses, ways_of
from liuying.kit.clock import Milliseconds, to_iso_if_known
from liuying.kit.database import AnyRow
from liuying.kit.envelope import Page
from liuying.kit.errors import NotFoundError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.paging import PageRequest, page_of, slice_of
from liuying.pages.schemas import CategoryRef, GatedVideo, PlayInfo

# Number of related videos among which the most similar are chosen: bounded work, whatever the
# catalogue's size.
CANDIDATES = 600
# How far back a label's videos are considered: a common label means little, however common it is.
MANY = 10_000
SIMILAR_SIZE = 12
# Twenty pages, with at most five videos of the same artists each.
MAX_SIMILAR = 240
MAX_BY_SAME = 60
# Player pages, of some kilobytes each.
MAX_CACHED_INFOS = 2_000


class PlayInfos:
    """What player pages say, cached until the catalogue changes; how often a video was watched is
    read each time.

    Args:
        orders: The process's orders of lists.

    Attributes:
        orders: As given.
    """

    def __init__(self, orders: SortIndex) -> None:
        self.orders = orders
        self._kept: CatalogueCache[PlayInfo] = CatalogueCache(MAX_CACHED_INFOS)

    def find(self, connection: sa.Connection, video_id: int) -> PlayInfo:
        """Like `play_info`.

        Raises:
            NotFoundError: No such video, or it is hidden.
        """
        if video_id > MAX_ID:
            raise NotFoundError
        # Read first: what is read afterwards is at least as new.
        of_catalogue, page_views = videos.catalogue_and_views(connection, video_id)
        known = self._kept.find(video_id, of_catalogue)
        if known is None:
            known = play_info(connection, self.orders, video_id)
            self._kept.keep(video_id, of_catalogue, known)
            return known
        return msgspec.structs.replace(known, page_views=page_views)

    def forget(self) -> None:
        """Drop everything: the log may be another one with the same numbers."""
        self._kept.forget()


def play_info(connection: sa.Connection, orders: SortIndex, video_id: int) -> PlayInfo:
    """Everything on the player page. A locked or gated video has no source
    (docs/product.md#sharing, docs/product.md#age-gate).

    Raises:
        NotFoundError: No such video, or it is hidden.
    """
    item, row = service.get_video(connection, video_id)
    return _described(connection, orders, item, row)


def gated_play_info(
    connection: sa.Connection,
    orders: SortIndex,
    hashes: KeyedHashes,
    video_id: int,
    now: Milliseconds,
) -> PlayInfo:
    """Likewise for a visitor who has said his age: with the cover of a gated video and the ways to
    play it. A locked one still has no source.

    Raises:
        NotFoundError: No such video, or it is hidden.
    """
    item, row = service.get_video(connection, video_id)
    known = _described(connection, orders, item, row)
    if not row.is_gated:
        return known
    cover = image_from_json(row.cover)
    if item.is_locked or row.asset_key is None:
        return msgspec.structs.replace(known, cover=cover, poster=cover)
    ways = ways_of(connection, hashes, row.asset_key, row.playlist, now)
    return msgspec.structs.replace(
        known,
        cover=cover,
        poster=cover,
        video_path=ways.video_path,
        sources=ways.sources,
        audio_tracks=ways.audio_tracks,
        subtitles=ways.subtitles,
        storyboard=ways.storyboard,
        chapters=_chapters(detail_row(connection, video_id)),
    )


def gated_videos(
    connection: sa.Connection, hashes: KeyedHashes, ids: Sequence[int], now: Milliseconds
) -> list[GatedVideo]:
    """Covers and paths of the gated ones among some listed videos, in the order of `ids`."""
    rows = videos.rows_by_id(connection, ids)
    gated = [rows[id_] for id_ in dict.fromkeys(ids) if id_ in rows and rows[id_].is_gated]
    keys = [row.asset_key for row in gated if row.asset_key is not None]
    address = playlist_addresses(connection, hashes, keys, now)
    return [
        GatedVideo(
            id=row.id,
            cover=image_from_json(row.cover),
            video_path=""
            if is_locked(row.category_id) or row.asset_key is None
            else address(row.asset_key, row.playlist),
        )
        for row in gated
    ]


def _described(
    connection: sa.Connection, orders: SortIndex, item: VideoItem, row: AnyRow
) -> PlayInfo:
    """A video's page as everybody sees it."""
    video_id = item.id
    is_open = not item.is_locked and not row.is_gated and row.asset_key is not None
    detail = detail_row(connection, video_id)
    premiered_at = None if detail is None else detail.premiered_at
    return PlayInfo(
        **{field.name: getattr(item, field.name) for field in msgspec.structs.fields(VideoFields)},
        is_lock=item.is_locked,
        poster=item.cover,
        sources=list_sources(connection, row.asset_key, row.playlist) if is_open else [],
        audio_tracks=list_audio_tracks(connection, row.asset_key) if is_open else [],
        subtitles=list_subtitles(connection, row.asset_key) if is_open else [],
        storyboard=storyboard_of(connection, row.asset_key) if is_open else None,
        artists=service.list_artists_of(connection, orders, video_id),
        category=CategoryRef(id=item.category_id, name=item.category_name),
        description="" if detail is None else detail.description,
        premiered_at=to_iso_if_known(premiered_at),
        chapters=_chapters(detail) if is_open else [],
    )


def _chapters(detail: AnyRow | None) -> list[ChapterView]:
    stored = [] if detail is None else detail.chapters or []
    return [ChapterView(one["start"], one["title"]) for one in stored]


def similar_videos(
    connection: sa.Connection, orders: SortIndex, video_id: int, page: int
) -> Page[ListedVideo]:
    """One page of videos a visitor may like beside a given one; without one (0), the most watched.

    An unknown video gets the most watched ones: the list beside a removed video stays useful.
    """
    request = PageRequest(page, SIMILAR_SIZE)
    # Read first: what is read afterwards is at least as new.
    of_catalogue, of_videos = newest_numbers(connection)
    ordered = orders.similar.find(video_id, of_catalogue)
    if ordered is None:
        row = videos.video_row(connection, video_id)
        if row is None:
            found = orders.in_category(connection, ALL_CATEGORIES, "hot", request)
            items = service.listed_by_id(connection, orders, found.ids)
            return page_of(items, found.total, request, "/api/videomaylike")
        # Orders that have not followed yet may choose what is hidden by now.
        is_current = orders.is_as_of(of_videos)
        ordered = _similar_ids(connection, orders, video_id, row.category_id)
        if is_current:
            orders.similar.keep(video_id, of_catalogue, ordered)
    data = service.listed_by_id(connection, orders, slice_of(ordered, request))
    return page_of(data, len(ordered), request, "/api/videomaylike", id=video_id)


def _similar_ids(
    connection: sa.Connection, orders: SortIndex, video_id: int, category_id: int
) -> array[int]:
    """Videos similar to a given one, most similar first.

    Candidates are the most recent videos of each of its labels and artists and of its category, and
    of these the newest. The amount read does not grow with the catalogue.
    """
    labelled = {
        label_id: sort_facts.video_ids_of_label(connection, label_id, MANY)
        for label_id in videos.label_ids_of(connection, video_id)
    }
    own_artists = videos.artist_ids_of(connection, [video_id]).get(video_id, [])
    by_same = [
        sort_facts.video_ids_of_artist(connection, artist_id, CANDIDATES)
        for artist_id in own_artists
    ]
    newest_of_category = np.array(
        orders.leading(connection, category_id, "new", CANDIDATES), np.int64
    )
    related = np.concatenate(
        [newest_of_category, *by_same, *(found[:CANDIDATES] for found in labelled.values())]
    )
    ids, facts = orders.facts_of(connection, related.tolist())
    chosen = np.flatnonzero(
        (ids != video_id) & ~np.isin(facts["category_id"], list(EXCLUDED_CATEGORIES))
    )
    newest = np.lexsort((ids[chosen], facts["created_at"][chosen]))[::-1][:CANDIDATES]
    ids, facts = ids[chosen][newest], facts[chosen][newest]
    is_by_same = np.isin(ids, np.concatenate(by_same)) if by_same else np.zeros(len(ids), np.bool_)
    labels = [(np.isin(ids, found), len(found)) for found in labelled.values()]
    order = np.lexsort((ids, -likeness_of(facts, category_id, labels, is_by_same)))
    # Others must have their turn too.
    is_shown = ~is_by_same[order] | (np.cumsum(is_by_same[order]) <= MAX_BY_SAME)
    ordered = ids[order][is_shown][:MAX_SIMILAR].tolist()
    artists = videos.artist_ids_of(connection, ordered)
    return array("q", spread_artists([(id_, artists.get(id_, [])) for id_ in ordered]))
