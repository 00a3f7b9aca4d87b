"""Time windows: whether something runs, waits or has ended."""

from __future__ import annotations

from enum import StrEnum

from liuying.kit.clock import Milliseconds
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


def require_running(state: WindowState) -> None:
    """Make sure that something can be ended.

    Raises:
        InvalidInputError: It has not begun, or has ended.
    """
    if state is WindowState.WAITING:
        raise InvalidInputError("还没有开始：请修改时间，或删除", "ends_at")
    if state is WindowState.ENDED:
        raise InvalidInputError("已经结束了", "ends_at")
