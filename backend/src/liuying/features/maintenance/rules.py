"""What there is to do, and when it is due."""

from __future__ import annotations

from enum import StrEnum

from liuying.kit.clock import DAY_MS, Milliseconds

MINUTE_MS: Milliseconds = 60_000
MINUTES_A_DAY = 1440
# How long a run is its process's own without a sign of life.
LEASE_MS: Milliseconds = 30_000
MOST_KEPT = 90


class Kind(StrEnum):
    """A backup; a restore into a fresh folder; the doctor's examination; mending what it found."""

    BACKUP = "backup"
    DRILL = "drill"
    DOCTOR = "doctor"
    REPAIR = "repair"


KIND_NAMES = {
    Kind.BACKUP: "备份",
    Kind.DRILL: "恢复演练",
    Kind.DOCTOR: "体检",
    Kind.REPAIR: "处理",
}


class RunState(StrEnum):
    """Nobody does it yet; somebody does; it is done; it failed; an operator stopped it."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


def last_due(minute: int, now: Milliseconds) -> Milliseconds:
    """The last moment at which something daily was due.

    Args:
        minute: Of the day, UTC.
        now: The time.
    """
    return now - (now - minute * MINUTE_MS) % DAY_MS
