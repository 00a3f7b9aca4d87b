"""Keeping search and the orders of lists in step with the catalogue: search leaves out what
lists leave out. And making them right again where somebody wrote past the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries import listing, videos
from liuying.core.catalogue.queries.change_log import note_all_changed, note_changed
from liuying.core.catalogue.queries.details import descriptions_of
from liuying.core.catalogue.queries.name_counts import count_again
from liuying.features.search.documents import VideoTexts, document_of
from liuying.features.search.queries import documents
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import Database

BATCH = 500


class IndexCheck(msgspec.Struct, frozen=True):
    """Faults of the index. All lists are empty if there are none.

    Attributes:
        missing: Listed videos that search does not find.
        stale: Videos whose texts have changed.
        surplus: Ids in search without a listed video.
        broken: Videos whose entry in the word index differs from their document.
    """

    missing: list[int]
    stale: list[int]
    surplus: list[int]
    broken: list[int]

    @property
    def is_right(self) -> bool:
        return not (self.missing or self.stale or self.surplus or self.broken)


def reindex_video(connection: sa.Connection, video_id: int) -> None:
    """Update what search and lists know of a video after any change. Call it in the change's
    transaction.
    """
    reindex_videos(connection, [video_id])


def reindex_videos(connection: sa.Connection, video_ids: Iterable[int]) -> None:
    """Update what search and lists know of several videos; unlisted ones are removed. However many
    there are: a statement names no more than a batch of them.
    """
    for batch in _batches(video_ids):
        _reindex_batch(connection, batch)


def _reindex_batch(connection: sa.Connection, video_ids: Sequence[int]) -> None:
    note_changed(connection, video_ids)
    texts = _texts(connection, video_ids)
    gone = [video_id for video_id in video_ids if video_id not in texts]
    if gone:
        documents.forget_documents(connection, gone)
    if texts:
        documents.write_documents(connection, list(texts.values()))


def build_index(database: Database) -> None:
    """Index what is not indexed yet, one batch per transaction: after a migration, or after a
    change of what is stored.

    It may be interrupted and continues where it stopped; several processes may run it at once.
    Videos that change meanwhile are indexed by their own transactions.
    """
    with database.read() as connection:
        if documents.is_complete(connection):
            return
    is_complete = False
    while not is_complete:
        with database.write() as connection:
            is_complete = _build_batch(connection)


def _build_batch(connection: sa.Connection) -> bool:
    """Index the next videos; returns whether all are indexed."""
    state = documents.lock_state(connection)
    if state.is_complete:
        return True
    if state.last_video_id == 0:  # Whoever has the texts in memory knows the previous state.
        note_all_changed(connection)
    ids = videos.ids_after(connection, state.last_video_id, BATCH)
    if ids:
        reindex_videos(connection, ids)
    documents.note_state(connection, ids[-1] if ids else state.last_video_id, is_complete=not ids)
    return not ids


def check_index(connection: sa.Connection) -> IndexCheck:
    """Compare the whole index with the catalogue. Read-only; it takes minutes at a million
    videos.
    """
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


def recount_names(database: Database) -> None:
    """Count the listed videos of each artist and label again."""
    with database.write() as connection:
        count_again(connection)
        record_change(connection, CacheTopic.CATALOGUE)


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    rest = iter(ids)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _texts(connection: sa.Connection, video_ids: Sequence[int]) -> dict[int, VideoTexts]:
    """The searchable texts of listed videos."""
    names: dict[int, list[str]] = {}
    for label in videos.labels_of(connection, video_ids):
        names.setdefault(label.video_id, []).append(label.name)
    for artist in videos.artist_names_of(connection, video_ids):
        names.setdefault(artist.video_id, []).append(artist.name)
    descriptions = descriptions_of(connection, video_ids)
    return {
        video_id: VideoTexts(
            video_id,
            row.title,
            names.get(video_id, []),
            row.pageviews,
            row.created_at,
            descriptions.get(video_id, ""),
        )
        for video_id, row in videos.rows_by_id(connection, video_ids).items()
    }
