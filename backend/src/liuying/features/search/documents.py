"""What search knows of a video: written, removed and compared. Each function works inside the
caller's transaction.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec
import sqlalchemy as sa

from liuying.features.search.engines import CHANNELS, Entry, checksum, engine_of
from liuying.features.search.folding import fold
from liuying.features.search.numerals import with_digits
from liuying.features.search.pinyin import reading_tokens, readings_of
from liuying.features.search.prefixes import starts_of
from liuying.features.search.spellings import forget_names, note_names
from liuying.features.search.tables import search_document, search_start, search_state
from liuying.features.search.tokens import tokens_of
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds, day_number
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_many

# To be raised with every change of what is written for a text: the index is then built anew
# (`workflows.indexing`).
VERSION = 2
# A tenfold of views counts as much as being 180 days younger.
TENFOLD, TENFOLD_DAYS = 100, 180
STATE_ID = 1


class VideoTexts(msgspec.Struct, frozen=True):
    """A video as it is to be found.

    Attributes:
        video_id: Its number.
        title: As shown.
        related: Names of its labels and artists.
        pageviews: Its views.
        created_at: When it was published.
    """

    video_id: int
    title: str
    related: Sequence[str]
    pageviews: int
    created_at: Milliseconds


class Document(msgspec.Struct, frozen=True, array_like=True):
    """A row of `search_document`."""

    video_id: int
    title: str
    text: str
    readings: str
    score: int

    @property
    def entry(self) -> Entry:
        """What the word index holds of it."""
        return Entry(
            self.video_id,
            *(
                " ".join(sorted(one))
                for one in (tokens_of(self.text), reading_tokens(self.readings))
            ),
        )


def score_of(pageviews: int, created_at: Milliseconds) -> int:
    """Popularity and freshness in one number that does not change with time, and seldom with a
    single view.
    """
    freshness = day_number(created_at) * TENFOLD / TENFOLD_DAYS
    return round(TENFOLD * math.log10(max(0, pageviews) + 10) + freshness)


def document_of(texts: VideoTexts) -> Document:
    """What is kept of a video's texts."""
    fields = [fold(text) for text in (texts.title, *texts.related)]
    # Numbers written in Chinese are found by their digits as well.
    segments = [segment for field in fields for segment in field.split()]
    in_digits = [digits for segment in segments if (digits := with_digits(segment)) != segment]
    return Document(
        video_id=texts.video_id,
        title=with_digits(fields[0]),
        text=" ".join([*fields, *dict.fromkeys(in_digits)]),
        readings=readings_of(fields),
        score=score_of(texts.pageviews, texts.created_at),
    )


class Prepared(msgspec.Struct, frozen=True, array_like=True):
    """All that is written of a video: its document, its entry in the word index and its title's
    beginnings.
    """

    document: Document
    entry: Entry
    starts: list[str]


def prepare(texts: VideoTexts) -> Prepared:
    """What is to be written of a video: most of the work, and none of it the database's."""
    document = document_of(texts)
    return Prepared(document, document.entry, sorted(starts_of(fold(texts.title))))


def write_documents(connection: sa.Connection, videos: Sequence[VideoTexts]) -> None:
    """Make videos findable, or renew what is known of them."""
    _remove(connection, [one.video_id for one in videos])
    if videos:
        insert_prepared(connection, [prepare(one) for one in videos])
        note_names(connection, {name for one in videos for name in one.related})
    record_change(connection, CacheTopic.SEARCH)


def insert_prepared(connection: sa.Connection, prepared: Sequence[Prepared]) -> None:
    """Write videos that search does not know yet. Whoever calls records the change."""
    insert_documents(connection, prepared)
    insert_many(connection, search_start, starts_in(prepared))


def insert_documents(connection: sa.Connection, prepared: Sequence[Prepared]) -> None:
    """The same without the beginnings of titles."""
    insert_many(
        connection, search_document, (msgspec.structs.astuple(one.document) for one in prepared)
    )
    engine_of(connection).add(connection, [one.entry for one in prepared])


def starts_in(prepared: Iterable[Prepared]) -> Iterator[tuple[str, int]]:
    """Rows of `search_start`."""
    return ((start, one.document.video_id) for one in prepared for start in one.starts)


def forget_documents(connection: sa.Connection, video_ids: Collection[int]) -> None:
    """Make videos unfindable."""
    _remove(connection, video_ids)
    record_change(connection, CacheTopic.SEARCH)


def _remove(connection: sa.Connection, video_ids: Collection[int]) -> None:
    known = stored_documents(connection, search_document.c.video_id.in_(video_ids))
    if known:
        engine_of(connection).remove(connection, [one.entry for one in known])
        connection.execute(
            sa.delete(search_document).where(search_document.c.video_id.in_(video_ids))
        )
        connection.execute(sa.delete(search_start).where(search_start.c.video_id.in_(video_ids)))


def rescore(connection: sa.Connection, videos: Iterable[tuple[int, int, Milliseconds]]) -> None:
    """Renew the scores of videos: number, views and time of publication of each. Whoever calls
    records the change.
    """
    scores = {
        video_id: score_of(pageviews, created_at) for video_id, pageviews, created_at in videos
    }
    columns = search_document.c.video_id, search_document.c.score
    known = connection.execute(sa.select(*columns).where(columns[0].in_(scores)))
    changed = [
        {"number": row.video_id, "new": scores[row.video_id]}
        for row in known
        if row.score != scores[row.video_id]
    ]
    if changed:
        statement = sa.update(search_document).where(columns[0] == sa.bindparam("number"))
        connection.execute(statement.values(score=sa.bindparam("new")), changed)


def stored_documents(connection: sa.Connection, where: sa.ColumnElement[bool]) -> list[Document]:
    """Documents as they are written, by number."""
    rows = connection.execute(
        sa.select(search_document).where(where).order_by(search_document.c.video_id)
    )
    return [Document(**row._mapping) for row in rows]


def wrongly_indexed(connection: sa.Connection) -> list[int]:
    """Videos whose entries of the word index are not those of their documents, or that have one of
    the two only.
    """
    engine = engine_of(connection)
    held = {channel: engine.checksums(connection, channel) for channel in CHANNELS}
    wrong: set[int] = set()
    wanted = connection.execution_options(yield_per=1000).execute(sa.select(search_document))
    for row in wanted:
        entry = Document(**row._mapping).entry
        sums = [held[channel].pop(row.video_id, 0) for channel in CHANNELS]
        if sums != [checksum(entry.tokens(channel).split()) for channel in CHANNELS]:
            wrong.add(row.video_id)
    return sorted(wrong.union(*held.values()))


def is_complete(connection: sa.Connection) -> bool:
    """Whether every video is indexed in this version's way."""
    state = connection.execute(sa.select(search_state).where(search_state.c.id == STATE_ID)).one()
    return bool(state.is_complete) and state.version == VERSION


def lock_state(connection: sa.Connection) -> AnyRow:
    """How far the index is built; another process that builds waits. Where the version is old, it
    is emptied first.
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
    """Note how far a build has come."""
    values = {"version": VERSION, "last_video_id": last_video_id, "is_complete": is_complete}
    connection.execute(
        sa.update(search_state).where(search_state.c.id == STATE_ID).values(**values)
    )
