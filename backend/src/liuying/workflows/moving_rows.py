"""Copying all rows of an installation into another database, and comparing them there.

Everything arrives in one transaction, so a move that was killed has left nothing, or all rows. What
is left then is the word index, which is written from the catalogue and goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.name_counts import leave_counting, resume_counting
from liuying.kit.changes import CacheTopic, newest_change
from liuying.kit.database import Database
from liuying.kit.errors import LiuyingError
from liuying.kit.postgresql import let_stand_still
from liuying.workflows.indexing import build_index
from liuying.workflows.queries import moving
from liuying.workflows.queries.database import holds_rows, revision

HASH_BYTES = 8
SUMS = 1 << (8 * HASH_BYTES)
# How many rows are reported together.
REPORTED = 5_000

Report = Callable[[int], None]


class MoveError(LiuyingError):
    """The rows cannot be moved; the target is as it was.

    Args:
        message: One sentence in Chinese.
    """


class Sum(msgspec.Struct):
    """What a table holds: two tables with the same sum have the same rows.

    Attributes:
        rows: How many.
        hashes: The sum of their hashes, modulo 2 to the power of 64.
        last_number: The largest number that a row ever had.
    """

    rows: int = 0
    hashes: int = 0
    last_number: int = 0

    def add(self, row: moving.Row) -> None:
        """Count a row."""
        digest = blake2b(repr(row).encode(errors="surrogatepass"), digest_size=HASH_BYTES)
        self.rows += 1
        self.hashes = (self.hashes + int.from_bytes(digest.digest())) % SUMS


def move_rows(
    source: Database, target: Database, report: Report, newest: int | None = None
) -> dict[str, Sum]:
    """Copy all rows, and build the word index. Nobody else may write to either.

    Args:
        source: Migrated to this version; it is only read.
        target: Likewise, and empty, or what the same move has left there.
        report: Told how many rows have been written or compared since.
        newest: The source's newest change that its files were copied as of; None for any.

    Returns:
        What each table holds.

    Raises:
        MoveError: The target holds something else, or does not take a value; or the source was
            changed since its files were copied, or has a table that would be left behind.
    """
    with source.read() as plain, target.write() as written:
        connection = moving.see_one_moment(plain)
        # Each says nothing while a table of the other is read, which takes minutes for a large one.
        for one in (connection, written):
            let_stand_still(one)
        if newest is not None and newest != newest_change(connection, *CacheTopic):
            # A worker or a console of another machine is not among those that serve: rows of what
            # it wrote would come without their files.
            raise MoveError(
                "搬文件的时候，原来的网站有改动：请停止各台机器上的 liuying worker、liuying console"
                " 和定时的体检与备份，再执行一次"
            )
        if revision(connection) != revision(written):
            raise MoveError("两边的数据库版本不同：请先在两边执行 liuying migrate")
        if unknown := moving.unknown_tables(connection):
            raise MoveError(
                f"来源的数据库里有这个版本不认识的表，搬家会把它们留下：{'、'.join(unknown)}。"
                "不属于流影的表请移到别的数据库"
            )
        is_repeated = holds_rows(written)
        if not is_repeated:
            moving.empty_tables(written)
            uncounted = leave_counting(written)
        sums = {}
        for table in moving.moved_tables():
            sums[table.name] = (
                _sum_of(connection, table, report)
                if is_repeated
                else _copy(connection, written, table, report)
            )
            if _sum_of(written, table, report) != sums[table.name]:
                raise MoveError(
                    f"目标数据库不是空的，内容也与来源不同（表 {table.name}）：请换一个空的数据库"
                    if is_repeated
                    else f"写入后的内容与来源不同（表 {table.name}），没有保留任何更改"
                )
        if not is_repeated:
            resume_counting(written, uncounted)
    build_index(target)
    return sums


def rows_to_report(source: Database) -> int:
    """How many rows a move reports altogether: each is written and compared."""
    with source.read() as connection:
        return 2 * moving.count_rows(connection, moving.moved_tables())


def _copy(source: sa.Connection, target: sa.Connection, table: sa.Table, report: Report) -> Sum:
    total = Sum(last_number=moving.last_number(source, table))
    try:
        moving.write_rows(target, table, _counted(moving.rows_of(source, table), total, report))
    except sa.exc.DBAPIError as error:
        if not isinstance(error, sa.exc.DataError | sa.exc.IntegrityError):
            raise
        # The driver's text holds the value (docs/security.md#t24).
        kind = type(error.orig).__name__
        raise MoveError(f"表 {table.name} 里有目标数据库不接受的值（{kind}）") from error
    moving.note_last_number(target, table, total.last_number)
    return total


def _sum_of(connection: sa.Connection, table: sa.Table, report: Report) -> Sum:
    total = Sum(last_number=moving.last_number(connection, table))
    for _ in _counted(moving.rows_of(connection, table), total, report):
        pass
    return total


def _counted(rows: Iterable[moving.Row], total: Sum, report: Report) -> Iterator[moving.Row]:
    for row in rows:
        total.add(row)
        yield row
        if total.rows % REPORTED == 0:
            report(REPORTED)
    report(total.rows % REPORTED)
