"""The word index behind one interface: FTS5 in SQLite, `tsvector` with GIN in PostgreSQL.

Both hold the same tokens and return the same sets. They hold an index only; texts are in
`search_document`. Migrations create their tables, which are not part of the metadata.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Protocol

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from liuying.features.search.entries import CHANNELS, Channel, Entry, checksum
from liuying.kit.inserting import insert_many

# How much SQLite collects in memory before writing a part of an index that is being filled.
FILLING_BYTES = 64 << 20
# All of: any of: all of these tokens.
Condition = Sequence[Sequence[Sequence[str]]]


class Engine(Protocol):
    """An index of tokens. Everything runs in the caller's transaction."""

    def add(self, connection: sa.Connection, entries: Sequence[Entry]) -> None:
        """Add videos that are not in it."""

    def remove(self, connection: sa.Connection, entries: Sequence[Entry]) -> None:
        """Remove videos; `entries` must be what was added."""

    def clear(self, connection: sa.Connection) -> None:
        """Remove everything."""

    def begin_filling(self, connection: sa.Connection) -> None:
        """Prepare an empty index for very many videos at once."""

    def end_filling(self, connection: sa.Connection) -> None:
        """Return to normal after `begin_filling`, with what was added since."""

    def matching(self, channel: Channel, condition: Condition) -> sa.Subquery:
        """The videos that fulfil a condition, as a table with the single column `video_id`."""

    def position(self, column: sa.ColumnElement[str], word: str) -> sa.ColumnElement[int]:
        """The position of a word in a column, from 1; 0 if it is missing."""

    def checksums(self, connection: sa.Connection, channel: Channel) -> dict[int, int]:
        """The `checksum` of each video's entry."""


def engine_of(connection: sa.Connection) -> Engine:
    """The engine of a connection's database."""
    return POSTGRES if connection.dialect.name == "postgresql" else SQLITE


def _render(condition: Condition, both: str, either: str) -> str:
    """A condition in the engine's syntax. Tokens consist of ASCII letters and digits, so none is
    an operator.
    """
    return f" {both} ".join(
        "("
        + f" {either} ".join(
            "(" + f" {both} ".join(f"'{one}'" for one in tokens) + ")" for tokens in any_of
        )
        + ")"
        for any_of in condition
    )


class SqliteEngine:
    """FTS5 with `detail=none` and without content: it knows which rows have a token, and nothing
    else.
    """

    def add(self, connection: sa.Connection, entries: Sequence[Entry]) -> None:
        for channel in CHANNELS:
            rows = [(one.video_id, one.tokens(channel)) for one in entries]
            connection.exec_driver_sql(
                f"INSERT INTO search_{channel}(rowid, tokens) VALUES (?, ?)",  # noqa: S608  # constants
                rows,
            )

    def remove(self, connection: sa.Connection, entries: Sequence[Entry]) -> None:
        for channel in CHANNELS:
            rows = [(one.video_id, one.tokens(channel)) for one in entries]
            columns = f"search_{channel}(search_{channel}, rowid, tokens)"
            statement = f"INSERT INTO {columns} VALUES ('delete', ?, ?)"  # noqa: S608  # as above
            connection.exec_driver_sql(statement, rows)

    def clear(self, connection: sa.Connection) -> None:
        for channel in CHANNELS:
            connection.exec_driver_sql(
                f"INSERT INTO search_{channel}(search_{channel}) VALUES ('delete-all')"  # noqa: S608  # as above
            )

    def begin_filling(self, connection: sa.Connection) -> None:
        # Nothing is merged between transactions.
        self._configure(connection, automerge=0, hashsize=FILLING_BYTES)

    def end_filling(self, connection: sa.Connection) -> None:
        for channel in CHANNELS:
            connection.exec_driver_sql(
                f"INSERT INTO search_{channel}(search_{channel}) VALUES ('optimize')"  # noqa: S608  # as above
            )
        self._configure(connection, automerge=4, hashsize=1 << 20)  # The default values.

    def _configure(self, connection: sa.Connection, **options: int) -> None:
        for channel in CHANNELS:
            statement = f"INSERT INTO search_{channel}(search_{channel}, rank) VALUES (?, ?)"  # noqa: S608  # as above
            connection.exec_driver_sql(statement, list(options.items()))

    def matching(self, channel: Channel, condition: Condition) -> sa.Subquery:
        index = sa.table(f"search_{channel}", sa.column("rowid", sa.Integer))
        match = sa.literal_column(index.name).op("MATCH")(
            _render(condition, "AND", "OR").replace("'", '"')
        )
        return sa.select(index.c.rowid.label("video_id")).where(match).subquery()

    def position(self, column: sa.ColumnElement[str], word: str) -> sa.ColumnElement[int]:
        return sa.func.instr(column, word, type_=sa.Integer)

    def checksums(self, connection: sa.Connection, channel: Channel) -> dict[int, int]:
        vocabulary = f"search_vocabulary_{channel}"
        connection.exec_driver_sql(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{vocabulary} USING fts5vocab(main, "
            f"search_{channel}, instance)"
        )
        sums: dict[int, int] = {}
        for term, video_id in connection.exec_driver_sql(
            f"SELECT term, doc FROM temp.{vocabulary}"  # noqa: S608  # as above
        ):
            sums[video_id] = sums.get(video_id, 0) + zlib.crc32(term.encode())
        return sums


class PostgresEngine:
    """A row per video with one `tsvector` per channel. The lexemes are the tokens, without
    positions.
    """

    def add(self, connection: sa.Connection, entries: Sequence[Entry]) -> None:
        insert_many(connection, SEARCH_INDEX, map(msgspec.structs.astuple, entries))

    def remove(self, connection: sa.Connection, entries: Sequence[Entry]) -> None:
        ids = [one.video_id for one in entries]
        connection.execute(sa.delete(SEARCH_INDEX).where(SEARCH_INDEX.c.video_id.in_(ids)))

    def clear(self, connection: sa.Connection) -> None:
        connection.execute(sa.delete(SEARCH_INDEX))

    def begin_filling(self, connection: sa.Connection) -> None:
        for channel in CHANNELS:
            connection.exec_driver_sql(f"DROP INDEX ix_search_index_{channel}")

    def end_filling(self, connection: sa.Connection) -> None:
        for channel in CHANNELS:
            connection.exec_driver_sql(
                f"CREATE INDEX ix_search_index_{channel} ON search_index USING gin ({channel})"
            )

    def matching(self, channel: Channel, condition: Condition) -> sa.Subquery:
        query = sa.cast(_render(condition, "&", "|"), postgresql.TSQUERY)
        return (
            sa.select(SEARCH_INDEX.c.video_id)
            .where(SEARCH_INDEX.c[channel].op("@@")(query))
            .subquery()
        )

    def position(self, column: sa.ColumnElement[str], word: str) -> sa.ColumnElement[int]:
        return sa.func.strpos(column, word, type_=sa.Integer)

    def checksums(self, connection: sa.Connection, channel: Channel) -> dict[int, int]:
        statement = sa.select(
            SEARCH_INDEX.c.video_id,
            sa.func.tsvector_to_array(SEARCH_INDEX.c[channel], type_=TOKENS),
        )
        return {video_id: checksum(tokens) for video_id, tokens in connection.execute(statement)}


TOKENS = postgresql.ARRAY(sa.Text)
SEARCH_INDEX = sa.table(
    "search_index",
    sa.column("video_id", sa.Integer),
    sa.column("words"),
    sa.column("readings"),
    sa.column("descriptions"),
)
SQLITE = SqliteEngine()
POSTGRES = PostgresEngine()
