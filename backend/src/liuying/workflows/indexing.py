"""Keeping search and the orders of lists in step with the catalogue: what lists leave out, search
leaves out too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries import listing, videos
from liuying.core.catalogue.queries.change_log import note_all_changed, note_changed
from liuying.features.search.documents import VideoTexts, document_of
from liuying.features.search.queries import documents
from liuying.kit.database import Database

BATCH = 500


class IndexCheck(msgspec.Struct, frozen=True):
    """What is wrong with the index. All lists are empty where nothing is.

    Attributes:
        missing: Videos that are listed but not found.
        stale: Videos whose texts have changed.
        surplus: Numbers that are found although no listed video has them.
        broken: Videos whose entries of the word index are not those of their documents.
    """

    missing: list[int]
    stale: list[int]
    surplus: list[int]
    broken: list[int]

    @property
    def is_right(self) -> bool:
        return not (self.missing or self.stale or self.surplus or self.broken)


def reindex_video(connection: sa.Connection, video_id: int) -> None:
    """Renew what search and lists know of a video after any change of it. Call it in the change's
    transaction.
    """
    reindex_videos(connection, [video_id])


def reindex_videos(connection: sa.Connection, video_ids: Sequence[int]) -> None:
    """Renew what search and lists know of several videos; those not listed are forgotten."""
    note_changed(connection, video_ids)
    texts = _texts(connection, video_ids)
    gone = [video_id for video_id in video_ids if video_id not in texts]
    if gone:
        documents.forget_documents(connection, gone)
    if texts:
        documents.write_documents(connection, list(texts.values()))


def build_index(database: Database) -> None:
    """Index what is not indexed yet, a batch a transaction: after a migration, and after what is
    written changed.

    It may be interrupted and goes on where it was; several processes may do it at once. Videos that
    change meanwhile are indexed by their own transactions.
    """
    with database.read() as connection:
        if documents.is_complete(connection):
            return
    is_complete = False
    while not is_complete:
        with database.write() as connection:
            is_complete = _build_batch(connection)


def _build_batch(connection: sa.Connection) -> bool:
    """Index the next videos; returns whether all are."""
    state = documents.lock_state(connection)
    if state.is_complete:
        return True
    if state.last_video_id == 0:  # whoever has the texts in memory knows what was before
        note_all_changed(connection)
    ids = videos.ids_after(connection, state.last_video_id, BATCH)
    if ids:
        reindex_videos(connection, ids)
    documents.note_state(connection, ids[-1] if ids else state.last_video_id, is_complete=not ids)
    return not ids


def check_index(connection: sa.Connection) -> IndexCheck:
    """Compare the whole index with the catalogue. Reads only; a million videos take minutes."""
    missing: list[int] = []
    stale: list[int] = []
    for ids in _batches(listing.every_listed_id(connection)):
        known = {one.video_id: one for one in documents.stored_documents(connection, ids)}
        for video_id, texts in _texts(connection, ids).items():
            if video_id not in known:
                missing.append(video_id)
            elif document_of(texts) != known[video_id]:
                stale.append(video_id)
    surplus = documents.unlisted_ids(connection)
    return IndexCheck(missing, stale, surplus, documents.wrongly_indexed(connection))


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    rest = iter(ids)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _texts(connection: sa.Connection, video_ids: Sequence[int]) -> dict[int, VideoTexts]:
    """What listed videos are found by."""
    names: dict[int, list[str]] = {}
    for label in videos.labels_of(connection, video_ids):
        names.setdefault(label.video_id, []).append(label.name)
    for artist in videos.artist_names_of(connection, video_ids):
        names.setdefault(artist.video_id, []).append(artist.name)
    return {
        video_id: VideoTexts(
            video_id, row.title, names.get(video_id, []), row.pageviews, row.created_at
        )
        for video_id, row in videos.rows_by_id(connection, video_ids).items()
    }
