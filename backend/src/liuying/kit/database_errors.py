"""Errors of SQLite and PostgreSQL in Chinese and English, worded for operators.

Sources: https://www.sqlite.org/rescode.html,
https://www.postgresql.org/docs/current/errcodes-appendix.html
"""

from __future__ import annotations

import errno
import os
import sqlite3

import msgspec
import sqlalchemy as sa


class DatabaseReason(msgspec.Struct, frozen=True):
    """Why a database cannot be used: a few words in both languages."""

    chinese: str
    english: str


FULL = DatabaseReason("磁盘已满", "the disk is full")
READ_ONLY = DatabaseReason("没有写入的权限，或磁盘是只读的", "it may not be written")
# By another process, or by a writer of our own that has not finished.
LOCKED = DatabaseReason("正被别的写入占用", "another write holds it")
DAMAGED = DatabaseReason("文件已损坏", "its file is damaged")
NO_DATABASE = DatabaseReason("文件不是数据库", "its file is no database")
UNOPENED = DatabaseReason("无法打开文件", "its file cannot be opened")
BAD_DISK = DatabaseReason("磁盘读写出错，可能已满", "the disk fails, or is full")
NO_MEMORY = DatabaseReason("内存不足", "there is too little memory")
NO_RIGHT = DatabaseReason("没有权限", "permission is denied")
WRONG_PASSWORD = DatabaseReason("用户名或密码不对", "user or password is wrong")
NO_USER = DatabaseReason("没有这个用户", "there is no user of this name")
NO_SUCH = DatabaseReason("没有这个库", "there is no database of this name")
TOO_MANY = DatabaseReason("连接过多", "there are too many connections")
UNREACHED = DatabaseReason("连不上数据库服务器", "its server cannot be reached")
STANDBY = DatabaseReason("连到的是备库，它不能写入", "the server that answers is a standby")
STOPPING = DatabaseReason("服务器正在启动或停止", "the server is starting or stopping")
# It was silent in a transaction, or with a lock (`postgresql.SESSION`).
STOOD_STILL = DatabaseReason(
    "会话停住太久，被数据库结束了", "the server ended a session that stood still"
)

SQLITE_REASONS = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: NO_DATABASE,
    sqlite3.SQLITE_CANTOPEN: UNOPENED,
    sqlite3.SQLITE_IOERR: BAD_DISK,
    sqlite3.SQLITE_NOMEM: NO_MEMORY,
    sqlite3.SQLITE_PERM: NO_RIGHT,
    sqlite3.SQLITE_AUTH: NO_RIGHT,
}
DEADLOCK = "40P01"
# By the full SQLSTATE, or by its class (the first two characters).
POSTGRESQL_REASONS = {
    "53100": FULL,
    "53200": NO_MEMORY,
    "53300": TOO_MANY,
    "25006": READ_ONLY,
    "25P03": STOOD_STILL,
    "57P05": STOOD_STILL,
    "55P03": LOCKED,
    DEADLOCK: LOCKED,
    "42501": NO_RIGHT,
    "3D000": NO_SUCH,
    "28": WRONG_PASSWORD,
    "57P": STOPPING,
    "58030": BAD_DISK,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}
# Where no connection was made or it broke, there is no SQLSTATE; the English sentence decides.
# Other refusals may be quoted in it.
POSTGRESQL_SENTENCES = {
    "password authentication failed": WRONG_PASSWORD,
    'FATAL:  role "': NO_USER,
    'FATAL:  database "': NO_SUCH,
    "too many clients": TOO_MANY,
    "starting up": STOPPING,
    "shutting down": STOPPING,
    # After one of its processes was killed, and before a standby has read enough.
    "in recovery mode": STOPPING,
    "system is not yet accepting connections": STOPPING,
    "system is not accepting connections": STOPPING,
    os.strerror(errno.ENOSPC): FULL,
    "failed to resolve host": UNREACHED,
    "connection timeout expired": UNREACHED,
    "server closed the connection": UNREACHED,
    "session is read-only": STANDBY,
    # A connection that broke while it was used; psycopg's own words, and those of TLS.
    "the connection is lost": UNREACHED,
    "the connection is closed": UNREACHED,
    "connection has been closed unexpectedly": UNREACHED,
    "unexpected eof while reading": UNREACHED,
    os.strerror(errno.ECONNRESET): UNREACHED,
    os.strerror(errno.EPIPE): UNREACHED,
    os.strerror(errno.ETIMEDOUT): UNREACHED,
    os.strerror(errno.ECONNREFUSED): UNREACHED,
    os.strerror(errno.ENETUNREACH): UNREACHED,
    os.strerror(errno.EHOSTUNREACH): UNREACHED,
    # The Unix socket of a server on the same machine.
    os.strerror(errno.ENOENT): UNREACHED,
}
EXTENDED_CODE = 0xFF
# These pass without anybody repairing the database, so a retry makes sense.
PASSING = frozenset(
    {
        FULL,
        READ_ONLY,
        LOCKED,
        UNOPENED,
        BAD_DISK,
        NO_MEMORY,
        TOO_MANY,
        UNREACHED,
        STANDBY,
        STOPPING,
        STOOD_STILL,
    }
)


def database_reason(error: sa.exc.DBAPIError | sqlite3.Error) -> DatabaseReason | None:
    """Why a database cannot be used; None for errors that are not known here."""
    said = _said(error)
    if isinstance(said, sqlite3.Error):
        # Only errors of the library itself have a code; its low byte is the kind.
        return SQLITE_REASONS.get(getattr(said, "sqlite_errorcode", 0) & EXTENDED_CODE)
    state = getattr(said, "sqlstate", None) or ""
    if state:
        return next(
            (reason for code, reason in POSTGRESQL_REASONS.items() if state.startswith(code)), None
        )
    return next(
        (reason for part, reason in POSTGRESQL_SENTENCES.items() if part in str(said)), None
    )


def database_fault(error: sa.exc.DBAPIError | sqlite3.Error) -> str:
    """The database's complaint in Chinese; for unknown errors the first line of its own words."""
    known = database_reason(error)
    if known is not None:
        return known.chinese
    return str(_said(error)).strip().partition("\n")[0] or type(error).__name__


def is_deadlock(error: sa.exc.DBAPIError) -> bool:
    """Whether PostgreSQL ended one of several transactions that waited for each other: nothing was
    done, and the others go on.
    """
    return getattr(error.orig, "sqlstate", None) == DEADLOCK


def _said(error: sa.exc.DBAPIError | sqlite3.Error) -> BaseException | None:
    """What the driver itself raised."""
    return error.orig if isinstance(error, sa.exc.DBAPIError) else error
