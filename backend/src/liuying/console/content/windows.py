"""Time windows: whether something runs, waits or has ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import sqlalchemy as sa

from liuying.console.content.changing import moment_of
from liuying.kit.clock import Milliseconds, to_iso_if_known
from liuying.kit.errors import InvalidInputError


class WindowState(StrEnum):
    """Where a moment lies: in the window, before it, behind it."""

    RUNNING = "running"
    WAITING = "waiting"
    ENDED = "ended"


def state_at(
    now: Milliseconds, starts_at: Milliseconds | None, ends_at: Milliseconds | None
) -> WindowState:
    """The state of a window that includes its start and excludes its end; None is no limit."""
    if ends_at is not None and ends_at <= now:
        return WindowState.ENDED
    if starts_at is not None and starts_at > now:
        return WindowState.WAITING
    return WindowState.RUNNING


class GivenWindow(Protocol):
    """A form's window, as its operator wrote it; None is no limit."""

    @property
    def starts_at(self) -> str | None: ...
    @property
    def ends_at(self) -> str | None: ...


def told_window(data: GivenWindow) -> dict[str, str | None]:
    """A form's window as the audit log has it.

    Raises:
        InvalidInputError: It names no time.
    """
    return {
        "starts_at": to_iso_if_known(moment_of("starts_at", data.starts_at)),
        "ends_at": to_iso_if_known(moment_of("ends_at", data.ends_at)),
    }


def end_of_running(row: sa.RowMapping, now: Milliseconds) -> Milliseconds:
    """When what a row shows ends if it is ended now.

    Args:
        row: With `starts_at` and `ends_at`.

    Raises:
        InvalidInputError: It has not begun, or has ended.
    """
    _require_running(state_at(now, row["starts_at"], row["ends_at"]))
    # One that began in this very millisecond would end before it began.
    return max(now, (row["starts_at"] or 0) + 1)


def _require_running(state: WindowState) -> None:
    if state is WindowState.WAITING:
        raise InvalidInputError("还没有开始：请修改时间，或删除", "ends_at")
    if state is WindowState.ENDED:
        raise InvalidInputError("已经结束了", "ends_at")
