"""Copying the database consistently while others write, and loading such a copy."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

from liuying.kit.database import Database
from liuying.kit.database_errors import database_fault
from liuying.kit.storage_layout import DATABASE_NAME
from liuying.workflows.backup_archive import BackupError
from liuying.workflows.queries import database as queries

SQLITE_NAME, POSTGRESQL_NAME = DATABASE_NAME, "liuying.dump"


def copy_database(database: Database, folder: Path) -> Path:
    """Write the database's state at one moment into a folder. Writers are not kept waiting.

    Returns:
        The file: a SQLite database, or a dump in `pg_dump`'s custom format.

    Raises:
        BackupError: `pg_dump` is missing or failed.
        OSError: The disk is full.
    """
    if not database.is_sqlite:
        target = folder / POSTGRESQL_NAME
        _run(
            "pg_dump",
            database,
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--file={target}",
        )
        return target
    target = folder / SQLITE_NAME
    try:
        queries.copy_sqlite(_file_of(database), target)
    except sqlite3.DatabaseError as error:
        raise BackupError(f"数据库无法复制：{database_fault(error)}") from error
    return target


def check_sqlite(path: Path) -> None:
    """Check every page and index of a copied database.

    Raises:
        BackupError: It is damaged.
    """
    if not queries.is_whole_sqlite(path):
        raise BackupError("备份里的数据库已损坏")


def load_postgresql(database: Database, dump: Path) -> None:
    """Replace the database's contents by a dump, in one transaction.

    Raises:
        BackupError: `pg_restore` is missing or failed; nothing was changed.
    """
    options = (
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
    )
    _run("pg_restore", database, *options, str(dump))


def check_postgresql(dump: Path) -> None:
    """Read the table of contents of a dump.

    Raises:
        BackupError: `pg_restore` is missing or cannot read it.
    """
    _start([_program("pg_restore"), "--list", str(dump)], {}, "pg_restore")


def revision_of(database: Database) -> str:
    """The database's migration; empty where it has none."""
    with database.read() as connection:
        return queries.revision(connection)


def _file_of(database: Database) -> str:
    return database.engine.url.database or ""


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BackupError(f"找不到 {name}：请安装 PostgreSQL 客户端，或把它所在的文件夹写进 PATH")
    return found


def _run(name: str, database: Database, *options: str) -> None:
    url = database.engine.url
    # The password is passed in the environment: argument lists are readable by everybody on the
    # machine.
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    _start([_program(name), "--no-password", f"--dbname={address}", *options], secret, name)


def _start(command: list[str], secret: dict[str, str], name: str) -> None:
    done = subprocess.run(
        command, env={**os.environ, **secret}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if line] or [
            f"退出码 {done.returncode}"
        ]
        raise BackupError(f"{name} 失败：{lines[0][:300]}")
