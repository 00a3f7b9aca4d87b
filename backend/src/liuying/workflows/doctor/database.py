"""Whether the database answers, is intact and has this version's schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from liuying.kit.clock import Milliseconds
from liuying.kit.database import Database
from liuying.kit.database_errors import database_fault
from liuying.workflows.database_copy import revision_of
from liuying.workflows.doctor.findings import Finding, Remedy, error, info
from liuying.workflows.queries import database as queries
from liuying.workflows.queries.processes import differing_settings

SHOWN_FAULTS = 3


def examine_database(database: Database, revisions: Sequence[str]) -> Iterator[Finding]:
    """Everything about the database except the meaning of its rows.

    Args:
        revisions: This version's migrations, newest first.

    Yields:
        Findings; an error of the topic `database` means that nothing else can be read.
    """
    try:
        with database.read() as connection:
            version = ".".join(str(part) for part in connection.dialect.server_version_info or ())
            faults = list(_faults(connection))
            is_understood = queries.oldest_reader(connection) <= revisions[0]
        revision = revision_of(database)
    except sa.exc.DBAPIError as fault:
        remedy = Remedy(
            "检查 LIUYING_DATABASE_URL 和数据库；文件损坏时从备份恢复",
            commands=("liuying restore 备份.tar",),
        )
        yield error("database", f"数据库无法读取：{database_fault(fault)}", remedy)
        return
    yield info("database-version", f"数据库是 {database.engine.dialect.name} {version}")
    if faults:
        yield error(
            "database-integrity",
            f"数据库损坏：{'；'.join(faults)}",
            Remedy("停止网站，从备份恢复", commands=("liuying restore 备份.tar",)),
        )
    if revision > revisions[0] and is_understood:
        yield info("migrations", f"数据库已由更新的版本迁移到 {revision}，这个版本仍能使用")
    elif revision not in revisions:
        yield error(
            "database",
            f"数据库的版本 {revision} 比程序新" if revision else "数据库还没有建立",
            Remedy("升级流影")
            if revision
            else Remedy("建立数据库，或启动网站", commands=("liuying migrate",)),
        )
    elif revision != revisions[0]:
        yield error(
            "migrations",
            f"数据库停在迁移 {revision}，当前是 {revisions[0]}",
            Remedy("迁移数据库，或重新启动网站", commands=("liuying migrate",)),
        )


def _faults(connection: sa.Connection) -> Iterator[str]:
    yield from queries.broken_pages(connection, SHOWN_FAULTS)
    for table, missing in queries.broken_links(connection, SHOWN_FAULTS):
        yield f"表 {table} 的一行指向 {missing} 中不存在的记录"


def examine_processes(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    """Settings that visitors see and that the serving processes do not have in common."""
    for name, values in differing_settings(connection, now).items():
        told = "；".join(f"{'、'.join(who)} 为 {value or '空'}" for value, who in values.items())
        yield error(
            "settings",
            f"几个网站进程的设置不同：LIUYING_{name.upper()}：{told}",
            Remedy("在各台机器上改成一样，然后重新启动"),
        )
