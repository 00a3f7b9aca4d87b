"""Writing made-up videos: batches come from other processes, rows and the word index are written by
one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.change_log import note_all_changed
from liuying.core.catalogue.queries.name_counts import leave_counting, resume_counting
from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.features.search.documents import starts_in
from liuying.features.search.queries.documents import insert_documents, lock_state, note_state
from liuying.features.search.queries.engines import engine_of
from liuying.features.search.queries.spellings import note_names
from liuying.features.search.tables import search_document, search_start
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import Database
from liuying.kit.inserting import insert_many
from liuying_seeding import mark
from liuying_seeding.videos import (
    CATEGORIES,
    VIDEO_COLUMNS,
    Batch,
    Plan,
    encode_batch,
    make_all_names,
)

# Batches a transaction.
TOGETHER = 5
CACHE_KIB = 256_000
# Threads that sort beside SQLite's own where an index is made.
SORTERS = 1
# Written once at the end: three times as fast as with every row.
LATER = (
    *video.indexes,
    *video_label.indexes,
    *video_artist.indexes,
    *search_start.indexes,
    *search_document.indexes,
)
# Beginnings of titles as they come, until all are there.
STARTS = sa.Table(
    "made_up_start", sa.MetaData(), *(sa.Column(one.name, one.type) for one in search_start.columns)
)

Report = Callable[[int], None]


def say_nothing(_written: int) -> None:
    """For whoever does not look."""


def seed(database: Database, plan: Plan, report: Report = say_nothing) -> None:
    """Fill an empty installation with made-up videos, findable and in order.

    Args:
        database: Migrated.
        plan: What is to be made.
        report: Called with how many videos are written.

    Raises:
        InvalidInputError: The installation is not empty.
    """
    with database.write() as connection:
        mark.claim(connection, plan.videos)
    with _batches(plan) as batches:
        with database.write() as connection:
            uncounted = _begin(connection, plan)
        written = 0
        while some := list(islice(batches, TOGETHER)):
            with _filling(database) as connection:
                for batch in some:
                    _write(connection, batch)
                    written += len(batch.videos)
            report(written)
    with _filling(database) as connection:
        _end(connection, plan)
        resume_counting(connection, uncounted)


def _begin(connection: sa.Connection, plan: Plan) -> list[str]:
    _write_names(connection, plan)
    for index in LATER:
        index.drop(connection)
    STARTS.create(connection)
    engine_of(connection).begin_filling(connection)
    return leave_counting(connection)


def _end(connection: sa.Connection, plan: Plan) -> None:
    # In their order: one by one they would fall all over a large index.
    in_order = sa.select(STARTS).order_by(*STARTS.c)
    connection.execute(sa.insert(search_start).from_select(list(STARTS.c.keys()), in_order))
    STARTS.drop(connection)
    engine_of(connection).end_filling(connection)
    for index in LATER:
        index.create(connection)
    lock_state(connection)
    note_state(connection, plan.videos, is_complete=True)
    _set_sequences(connection)
    note_all_changed(connection)
    record_change(connection, CacheTopic.CATALOGUE, CacheTopic.ARTISTS, CacheTopic.SEARCH)
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("ANALYZE")  # by itself it would come to it in a minute


def _write_names(connection: sa.Connection, plan: Plan) -> None:
    names = make_all_names(plan.seed)
    rows = [
        {"id": number, "name": f"分类{number:02}", "position": number}
        for number in range(1, CATEGORIES + 1)
    ]
    connection.execute(sa.insert(category), rows)
    connection.execute(
        sa.insert(label),
        [{"id": place, "name": name} for place, name in enumerate(names.labels, 1)],
    )
    people = zip(names.artists, names.initials, strict=True)
    rows = [
        {"id": at, "name": name, "initial": initial} for at, (name, initial) in enumerate(people, 1)
    ]
    connection.execute(sa.insert(artist), rows)
    note_names(connection, {*names.labels, *names.artists})


@contextmanager
def _filling(database: Database) -> Iterator[sa.Connection]:
    """A transaction that writes very much."""
    with database.write() as connection:
        if database.is_sqlite:
            connection.exec_driver_sql(f"PRAGMA cache_size=-{CACHE_KIB}")
            connection.exec_driver_sql(f"PRAGMA threads={SORTERS}")
        yield connection


@contextmanager
def _batches(plan: Plan) -> Iterator[Iterator[Batch]]:
    """Every batch in order, a few of them under way at a time, the first ones at once."""
    workers = max(1, os.cpu_count() or 1)
    # Not forked: the parent's threads and connections stay its own.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        numbers = iter(range(plan.batches))
        under_way = deque(
            pool.submit(encode_batch, plan, number) for number in islice(numbers, 2 * workers + 1)
        )

        def in_order() -> Iterator[Batch]:
            decoder = msgspec.msgpack.Decoder(Batch)
            while under_way:
                yield decoder.decode(under_way.popleft().result())
                under_way.extend(
                    pool.submit(encode_batch, plan, number) for number in islice(numbers, 1)
                )

        yield in_order()


def _write(connection: sa.Connection, batch: Batch) -> None:
    insert_many(connection, video, batch.videos, VIDEO_COLUMNS)
    insert_many(connection, video_label, batch.labels)
    insert_many(connection, video_artist, batch.artists)
    insert_documents(connection, batch.prepared)
    insert_many(connection, STARTS, starts_in(batch.prepared))


def _set_sequences(connection: sa.Connection) -> None:
    """Let PostgreSQL number what comes later from there on; SQLite does so by itself."""
    if connection.dialect.name == "postgresql":
        for table in (video, label, artist):
            largest = sa.select(sa.func.max(table.c.id)).scalar_subquery()
            connection.execute(
                sa.select(sa.func.setval(sa.func.pg_get_serial_sequence(table.name, "id"), largest))
            )
