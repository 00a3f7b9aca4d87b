"""Inserting rows exactly once under concurrency, and inserting many rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from liuying.kit.driver_rows import driver_errors

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.types import TypeEngine


def insert_if_absent(
    connection: sa.Connection, table: sa.Table, values: Mapping[str, object]
) -> bool:
    """Insert a row unless one of the table's unique keys is taken.

    The database decides: of two transactions with the same key one inserts; the other waits for it
    (PostgreSQL) or runs after it (SQLite).

    Returns:
        Whether the row was inserted.
    """
    # Drivers count rows of such statements differently; a returned row is reliable on both.
    statement = (
        _insert(connection, table)
        .values(**values)
        .on_conflict_do_nothing()
        .returning(sa.literal(1))
    )
    return connection.execute(statement).first() is not None


def insert_absent(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[Mapping[str, object]],
    key: sa.ColumnElement[str],
) -> set[str]:
    """Insert those of several rows whose unique keys are free, in order.

    Returns:
        `key` of the inserted rows.
    """
    statement, values = _insert_rows(connection, table, rows)
    absent = statement.on_conflict_do_nothing().returning(key)
    return set(connection.execute(absent, values).scalars())


def add_to_counters(
    connection: sa.Connection,
    table: sa.Table,
    key: Mapping[str, int],
    counts: Mapping[str, int],
) -> None:
    """Add to the counters of a row that may not exist yet, in one statement."""
    statement = _insert(connection, table).values(**key, **counts)
    sums = {name: table.c[name] + statement.excluded[name] for name in counts}
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=sums))


def upsert(
    connection: sa.Connection,
    table: sa.Table,
    values: Mapping[str, object],
    key: Sequence[str],
    where: sa.ColumnElement[bool] | None = None,
) -> bool:
    """Insert a row, or give an existing one these values, in one statement.

    Args:
        key: Names of the columns of the unique key.
        where: Which existing rows may be changed; None for any.

    Returns:
        False if the existing row may not.
    """
    statement = _insert(connection, table).values(**values)
    changed = {name: statement.excluded[name] for name in values if name not in key}
    written = statement.on_conflict_do_update(
        index_elements=list(key), set_=changed, where=where
    ).returning(sa.literal(1))
    return connection.execute(written).first() is not None


def insert_all(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, object]]
) -> None:
    """Insert rows in order, in one statement on PostgreSQL.

    Args:
        rows: At least one, all with the same columns.
    """
    statement, values = _insert_rows(connection, table, rows)
    connection.execute(statement, values)


def upsert_many(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[Mapping[str, object]],
    added: Collection[str] = (),
) -> None:
    """Insert rows, or give existing ones these values, however many there are.

    Args:
        rows: With all columns, each key once, in an order that all writers have in common.
        added: Names of the columns whose values are added to the existing ones.
    """
    statement, values = _insert_rows(connection, table, rows)
    keys = [column.name for column in table.primary_key]
    changed: dict[str, sa.ColumnElement[Any]] = {
        name: statement.excluded[name] for name in rows[0] if name not in keys
    }
    changed |= {name: table.c[name] + statement.excluded[name] for name in added}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), values)


def _insert_rows(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, object]]
) -> tuple[postgresql.Insert | sqlite.Insert, Any]:
    """A statement that inserts rows, and its parameters."""
    if connection.dialect.name != "postgresql":
        return sqlite.insert(table), rows
    columns = tuple(rows[0])
    return _insert_arrays(table, columns), {name: [row[name] for row in rows] for name in columns}


@cache
def _insert_arrays(table: sa.Table, columns: tuple[str, ...]) -> postgresql.Insert:
    """PostgreSQL's statement whose parameters are columns: the same text however many rows, so that
    it is composed and planned once.
    """
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415  # as below

    rows = rows_of_arrays({name: table.c[name].type for name in columns})
    chosen = sa.select(*(rows.c[name] for name in columns))
    return postgresql.insert(table).from_select(columns, chosen)


def rows_of_arrays(types: Mapping[str, TypeEngine[Any]]) -> sa.TableValuedAlias:
    """Rows whose columns are parameters, an array each; PostgreSQL's alone.

    Args:
        types: Of the columns, by their names and those of the parameters.
    """
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415  # as below

    # A cast would cut a text to the column's length, which the column refuses.
    kinds = {
        name: postgresql.ARRAY(sa.Text() if isinstance(one, sa.String) else one)
        for name, one in types.items()
    }
    arrays = [sa.cast(sa.bindparam(name, type_=kind), kind) for name, kind in kinds.items()]
    return sa.func.unnest(*arrays).table_valued(*types).render_derived()


def _insert(connection: sa.Connection, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    if connection.dialect.name != "postgresql":
        return sqlite.insert(table)
    # Many modules, which commands on SQLite do not wait for.
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    return postgresql.insert(table)


def insert_many(
    connection: sa.Connection,
    table: sa.TableClause,
    rows: Iterable[tuple[object, ...]],
    columns: Sequence[str] | None = None,
) -> None:
    """Insert rows the fastest way the driver has: `COPY` where available.

    Args:
        rows: Values that need no conversion for their column types.
        columns: Names in the order of the values; None for all columns.
    """
    names = list(columns or table.columns.keys())
    target = f"{table.name} ({', '.join(names)})"
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {target} FROM STDIN", rows)
    elif some := list(rows):
        places = ", ".join("?" for _ in names)
        connection.exec_driver_sql(f"INSERT INTO {target} VALUES ({places})", some)  # noqa: S608  # names of our own tables


def _copy(connection: sa.Connection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    cursor: Any = (
        connection.connection.cursor()
    )  # SQLAlchemy's driver interface does not know `copy`.
    with driver_errors(connection, statement), cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
