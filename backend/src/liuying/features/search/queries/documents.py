"""Statements that write, remove and compare search documents. Each runs inside the caller's
transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED
from liuying.core.catalogue.tables import video
from liuying.features.search.documents import (
    VERSION,
    Document,
    Prepared,
    VideoTexts,
    prepare,
    score_of,
    starts_in,
)
from liuying.features.search.entries import CHANNELS, checksum
from liuying.features.search.queries.engines import engine_of
from liuying.features.search.queries.spellings import forget_names, note_names
from liuying.features.search.tables import search_document, search_start, search_state
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_many
from liuying.kit.updating import update_each

STATE_ID = 1
READ_AT_ONCE = 1000


def write_documents(connection: sa.Connection, videos: Sequence[VideoTexts]) -> None:
    """Make videos searchable, or update their documents."""
    _remove(connection, [one.video_id for one in videos])
    if videos:
        insert_prepared(connection, [prepare(one) for one in videos])
        note_names(connection, {name for one in videos for name in one.related})
    record_change(connection, CacheTopic.SEARCH)


def insert_prepared(connection: sa.Connection, prepared: Sequence[Prepared]) -> None:
    """Add videos that search does not know yet. The caller records the change."""
    insert_documents(connection, prepared)
    insert_many(connection, search_start, starts_in(prepared))


def insert_documents(connection: sa.Connection, prepared: Sequence[Prepared]) -> None:
    """Add videos that search does not know yet, without the beginnings of their titles."""
    insert_many(
        connection, search_document, (msgspec.structs.astuple(one.document) for one in prepared)
    )
    engine_of(connection).add(connection, [one.entry for one in prepared])


def forget_documents(connection: sa.Connection, video_ids: Collection[int]) -> None:
    """Remove videos from search."""
    _remove(connection, video_ids)
    record_change(connection, CacheTopic.SEARCH)


def _remove(connection: sa.Connection, video_ids: Collection[int]) -> None:
    known = stored_documents(connection, video_ids)
    if known:
        engine_of(connection).remove(connection, [one.entry for one in known])
        connection.execute(
            sa.delete(search_document).where(search_document.c.video_id.in_(video_ids))
        )
        connection.execute(sa.delete(search_start).where(search_start.c.video_id.in_(video_ids)))


def rescore(connection: sa.Connection, videos: Iterable[tuple[int, int, Milliseconds]]) -> None:
    """Update scores: id, views and time of publication of each. The caller records the change."""
    scores = {
        video_id: score_of(pageviews, created_at) for video_id, pageviews, created_at in videos
    }
    columns = search_document.c.video_id, search_document.c.score
    known = connection.execute(sa.select(*columns).where(columns[0].in_(scores)))
    changed = {
        row.video_id: scores[row.video_id] for row in known if row.score != scores[row.video_id]
    }
    update_each(connection, search_document.c.score, changed)


def stored_documents(connection: sa.Connection, video_ids: Collection[int]) -> list[Document]:
    """The stored documents of some videos, by id."""
    statement = sa.select(search_document).where(search_document.c.video_id.in_(video_ids))
    rows = connection.execute(statement.order_by(search_document.c.video_id))
    return [Document(**row._mapping) for row in rows]


def unlisted_ids(connection: sa.Connection) -> list[int]:
    """Videos in search that no list shows."""
    number = search_document.c.video_id
    is_listed = sa.exists().where(LISTED, video.c.id == number)
    return list(connection.execute(sa.select(number).where(~is_listed).order_by(number)).scalars())


def unindexed_ids(connection: sa.Connection) -> list[int]:
    """Listed videos that are missing in search."""
    is_found = sa.exists().where(search_document.c.video_id == video.c.id)
    statement = sa.select(video.c.id).where(LISTED, ~is_found).order_by(video.c.id)
    return list(connection.execute(statement).scalars())


def wrongly_indexed(connection: sa.Connection) -> list[int]:
    """Videos whose entry in the word index differs from their document, or that have only one of
    the two.
    """
    engine = engine_of(connection)
    held = {channel: engine.checksums(connection, channel) for channel in CHANNELS}
    wrong: set[int] = set()
    for row in _all_documents(connection):
        entry = Document(**row._mapping).entry
        sums = [held[channel].pop(row.video_id, 0) for channel in CHANNELS]
        if sums != [checksum(entry.tokens(channel).split()) for channel in CHANNELS]:
            wrong.add(row.video_id)
    return sorted(wrong.union(*held.values()))


def _all_documents(connection: sa.Connection) -> Iterator[AnyRow]:
    """By video, some at a time: all together would take much memory."""
    key = search_document.c.video_id
    statement = sa.select(search_document).where(key > sa.bindparam("last")).order_by(key)
    last = 0
    while some := connection.execute(statement.limit(READ_AT_ONCE), {"last": last}).all():
        yield from some
        last = some[-1].video_id


def is_complete(connection: sa.Connection) -> bool:
    """Whether every video is indexed by the current version."""
    state = connection.execute(sa.select(search_state).where(search_state.c.id == STATE_ID)).one()
    return bool(state.is_complete) and state.version == VERSION


def lock_state(connection: sa.Connection) -> AnyRow:
    """How far the index is built; other builders wait. An index of an older version is emptied
    first.
    """
    statement = sa.select(search_state).where(search_state.c.id == STATE_ID).with_for_update()
    state = connection.execute(statement).one()
    if state.version == VERSION:
        return state
    engine_of(connection).clear(connection)
    connection.execute(sa.delete(search_document))
    connection.execute(sa.delete(search_start))
    forget_names(connection)
    note_state(connection, 0, is_complete=False)
    return connection.execute(statement).one()


def note_state(connection: sa.Connection, last_video_id: int, *, is_complete: bool) -> None:
    """Record the progress of a build."""
    values = {"version": VERSION, "last_video_id": last_video_id, "is_complete": is_complete}
    connection.execute(
        sa.update(search_state).where(search_state.c.id == STATE_ID).values(**values)
    )
