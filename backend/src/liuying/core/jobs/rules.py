"""Pure rules of the ledger: who goes first, what is worth trying again, and when."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from liuying.kit.clock import HOUR_MS, Milliseconds

# A claim that is not renewed for so long is void: its process died, or its machine hangs.
LEASE_MS: Milliseconds = 20_000
FIRST_WAIT_MS: Milliseconds = 30_000
WAIT_FACTOR = 4
MAX_WAIT_MS: Milliseconds = HOUR_MS
# A file that takes its process along is claimed no further time. A restart of the machine costs a
# claim too.
MAX_ATTEMPTS = 20
# Files up to this size count as short videos before anybody has looked into them.
SHORT_BYTES = 32_000_000
# What a published first rung adds to a job's priority: the rest waits until every other file has
# its own.
REST_STEP = 10


class Kind(StrEnum):
    """What a job does."""

    IMPORT = "import"
    MEND = "mend"


class State(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN_STATES = frozenset({State.WAITING, State.RUNNING})


class Fault(StrEnum):
    """Why a job failed."""

    REFUSED = "refused"
    TIMEOUT = "timeout"
    DISK_FULL = "disk_full"
    UNREADABLE = "unreadable"
    SYSTEM = "system"
    BUSY = "busy"
    KILLED = "killed"
    TRANSCODER = "transcoder"
    PROGRAM = "program"


# How many failures of a kind end the job. What lies in the file stays so; what lies in the machine
# may pass.
MAX_FAILURES = {
    Fault.REFUSED: 1,
    Fault.TIMEOUT: 1,
    Fault.PROGRAM: 2,
    Fault.TRANSCODER: 3,
    Fault.KILLED: 4,
    Fault.DISK_FULL: 6,
    Fault.UNREADABLE: 6,
    Fault.SYSTEM: 6,
    Fault.BUSY: 6,
}


class Cause(msgspec.Struct, frozen=True):
    """Why a job failed.

    Attributes:
        fault: Of which kind.
        text: One sentence in Chinese.
        english: The same in English.
    """

    fault: Fault
    text: str
    english: str


class Verdict(msgspec.Struct, frozen=True):
    """What becomes of a job that failed.

    Attributes:
        state: `waiting` or `failed`.
        due_at: When it is tried again; None where it waits for the operator.
    """

    state: State
    due_at: Milliseconds | None


def first_priority(*, is_short: bool) -> int:
    """Of a file of which nothing is published yet."""
    return 0 if is_short else 1


def is_short(size: int, *, is_short_category: bool) -> bool:
    """Whether a file goes before others.

    Args:
        size: Bytes.
        is_short_category: The operator put it among the short videos.
    """
    return is_short_category or size <= SHORT_BYTES


def wait_after(failures: int) -> Milliseconds:
    """Time until the next try: 30 s, 2 min, 8 min, 32 min, then an hour each.

    Args:
        failures: How many there were, from 1.
    """
    # The exponent is bounded: beyond it the wait is the longest anyway.
    return min(MAX_WAIT_MS, FIRST_WAIT_MS * int(WAIT_FACTOR ** min(failures - 1, 8)))


def judge(fault: Fault, failures: int, now: Milliseconds) -> Verdict:
    """What follows from a failure.

    Args:
        failures: How many there were, this one included.
    """
    if failures >= MAX_FAILURES[fault]:
        return Verdict(State.FAILED, None)
    return Verdict(State.WAITING, now + wait_after(failures))
