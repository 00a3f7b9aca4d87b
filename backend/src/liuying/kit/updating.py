"""Updating many rows, each with a value of its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import sqlalchemy as sa

from liuying.kit.inserting import rows_of_arrays


def update_each(
    connection: sa.Connection,
    column: sa.Column[int],
    values: Mapping[int, int],
    *,
    is_added: bool = False,
) -> None:
    """Give a column of several rows a value each. Rows that are not there are left out.

    Args:
        connection: In the caller's transaction. Rows are locked in the order of their keys, so that
            two transactions never wait for each other.
        column: Of whole numbers, in a table whose primary key is one.
        values: By primary key.
        is_added: Whether they are added to what is there.
    """
    if not values:
        return
    rows = sorted(values.items())
    if connection.dialect.name != "postgresql":
        given = [{"row_key": key, "row_value": value} for key, value in rows]
        connection.execute(_one_by_one(column, is_added), given)
        return
    keys = [key for key, _ in rows]
    lock, update = _all_at_once(column, is_added)
    connection.execute(lock, {"row_key": keys})
    connection.execute(update, {"row_key": keys, "row_value": [value for _, value in rows]})


@cache
def _one_by_one(column: sa.Column[int], is_added: bool) -> sa.Update:
    value: Any = sa.bindparam("row_value", type_=column.type)
    changed = {column.name: column + value if is_added else value}
    statement = sa.update(column.table).where(_key_of(column) == sa.bindparam("row_key"))
    return statement.values(changed)


@cache
def _all_at_once(column: sa.Column[int], is_added: bool) -> tuple[sa.Select[Any], sa.Update]:
    """Two statements for any number of rows: each row's own would cost several times what the
    server does for it.
    """
    key = _key_of(column)
    keys = rows_of_arrays({"row_key": sa.BigInteger()})
    lock = sa.select(key).join(keys, key == keys.c.row_key).order_by(key)
    one = rows_of_arrays({"row_key": sa.BigInteger(), "row_value": sa.BigInteger()})
    value = column + one.c.row_value if is_added else one.c.row_value
    update = sa.update(column.table).where(key == one.c.row_key).values({column.name: value})
    return lock.with_for_update(key_share=True, of=column.table), update


def _key_of(column: sa.Column[int]) -> sa.Column[Any]:
    (key,) = column.table.primary_key
    return key
