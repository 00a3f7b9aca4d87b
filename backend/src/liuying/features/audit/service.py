"""Writing and reading the audit log.

An entry is written in the transaction of what it tells of, whichever workflow does it: neither is
there without the other.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.features.audit import queries
from liuying.kit.clock import Clock, to_iso
from liuying.kit.database import BEFORE_COMMIT, AnyRow, Database
from liuying.kit.terminal_text import json_text

SUBJECT_LENGTH = 80
PAGE = 50
COLUMNS = ("编号", "时间", "谁", "角色", "登录", "动作", "对象", "之前", "之后")
# A spreadsheet takes a cell that begins so for a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
# So that spreadsheets read it as UTF-8.
BYTE_ORDER_MARK = "\ufeff"


class Actor(msgspec.Struct, frozen=True):
    """Who does something; `session_id` is None on the command line."""

    name: str
    role: str
    session_id: int | None


class Entry(msgspec.Struct, frozen=True):
    """What is done.

    Attributes:
        action: A stable name, `video.edit`.
        subject: Of what, for people: `视频 12`.
        before: The values that change; None where nothing was there.
        after: What they become; None where nothing is left.
    """

    action: str
    subject: str
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


class AuditView(msgspec.Struct, frozen=True):
    """An entry as operators see it. Its time uses the wire's form."""

    id: int
    at: str
    name: str
    role: str
    session_id: int | None
    action: str
    subject: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditPage(msgspec.Struct, frozen=True):
    """Entries, newest first; `next_before` asks for older ones, None where there are none."""

    data: list[AuditView]
    next_before: int | None


@contextmanager
def noted(database: Database, clock: Clock, actor: Actor, entry: Entry) -> Iterator[None]:
    """Write the entry with the first transaction that the block commits, or by itself where the
    block writes nothing. A block that raises before it committed leaves no entry.
    """
    with noted_if_written(clock, actor, entry) as is_written:
        yield
        if not is_written():
            with database.write():
                pass


@contextmanager
def noted_if_written(clock: Clock, actor: Actor, entry: Entry) -> Iterator[Callable[[], bool]]:
    """Write the entry with the first transaction that the block commits, if there is one; gives
    what tells whether it is written.
    """
    is_written = False

    def write_once(connection: sa.Connection) -> None:
        nonlocal is_written
        if not is_written:
            append(connection, actor, entry, clock())
            is_written = True

    held = BEFORE_COMMIT.set(write_once)
    try:
        yield lambda: is_written
    finally:
        BEFORE_COMMIT.reset(held)


def append(connection: sa.Connection, actor: Actor, entry: Entry, now: int) -> None:
    """Write an entry inside the caller's transaction."""
    values = {
        "at": now,
        "name": actor.name,
        "role": actor.role,
        "session_id": actor.session_id,
        "action": entry.action,
        "subject": entry.subject[:SUBJECT_LENGTH],
        "before": None if entry.before is None else msgspec.to_builtins(entry.before),
        "after": None if entry.after is None else msgspec.to_builtins(entry.after),
    }
    queries.append(connection, values)


def list_entries(connection: sa.Connection, before_id: int | None) -> AuditPage:
    """A page of entries, newest first."""
    rows = queries.newest(connection, before_id, PAGE + 1)
    shown = [_view(row) for row in rows[:PAGE]]
    return AuditPage(shown, shown[-1].id if len(rows) > PAGE else None)


def export_csv(connection: sa.Connection) -> Iterator[bytes]:
    """All entries as a table for spreadsheets, oldest first."""
    yield (BYTE_ORDER_MARK + _line(COLUMNS)).encode()
    for row in queries.every_row(connection):
        view = _view(row)
        told = (view.before, view.after)
        texts = ("" if one is None else json_text(one) for one in told)
        cells = (view.id, view.at, view.name, view.role, view.session_id or "", view.action)
        yield _line((*cells, view.subject, *texts)).encode()


def _line(cells: tuple[object, ...]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(_plain(cell) for cell in cells)
    return text.getvalue()


def _plain(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell.startswith(FORMULA_SIGNS)
    return f"'{cell}" if is_formula else cell


def _view(row: AnyRow) -> AuditView:
    return AuditView(
        id=row.id,
        at=to_iso(row.at),
        name=row.name,
        role=row.role,
        session_id=row.session_id,
        action=row.action,
        subject=row.subject,
        before=row.before,
        after=row.after,
    )
