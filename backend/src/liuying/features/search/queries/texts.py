"""Statements that read the searchable texts into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from liuying.features.search.segments import Part, Text, part_of
from liuying.features.search.tables import search_document
from liuying.kit.driver_rows import read_some

DOCUMENT = search_document.c
TEXT_ROW = (DOCUMENT.video_id, DOCUMENT.title, DOCUMENT.text, DOCUMENT.score)
READ_AT_ONCE = 10_000
# Asked at every change.
_SOME = f"{sa.select(*TEXT_ROW)} WHERE search_document.video_id IN ({{}})"


def all_parts(connection: sa.Connection) -> Iterator[Part]:
    """All texts by id.

    The database encodes a column of many texts as one: single rows would keep the interpreter from
    other threads.
    """
    last = sa.bindparam("last", type_=sa.Integer)
    read = (
        sa.select(*TEXT_ROW)
        .where(DOCUMENT.video_id > last)
        .order_by(DOCUMENT.video_id)
        .limit(READ_AT_ONCE)
        .subquery()
    )
    columns = [
        sa.func.aggregate_strings(sa.cast(read.c[column.name], sa.Text), "\n")
        for column in TEXT_ROW
    ]
    statement = sa.select(sa.func.max(read.c.video_id), *columns)
    newest = 0
    while (row := connection.execute(statement, {"last": newest}).one())[0] is not None:
        newest = row[0]
        ids, titles, texts, scores = (column.split("\n") for column in row[1:])
        some = zip(map(int, ids), titles, texts, map(int, scores), strict=True)
        yield part_of([Text(*one) for one in some])


def texts_of(connection: sa.Connection, ids: Sequence[int]) -> dict[int, Text]:
    """The texts of some videos, without those unknown to search."""
    rows = read_some(connection, _SOME, ids)
    return {row[0]: Text(*row) for row in rows}
