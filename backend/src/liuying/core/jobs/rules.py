"""Pure rules of the ledger: priorities, what is retried, and when."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from liuying.kit.clock import HOUR_MS, Milliseconds

# After so long without renewal a lease is void: its process died, or its machine hangs.
LEASE_MS: Milliseconds = 20_000
FIRST_WAIT_MS: Milliseconds = 30_000
WAIT_FACTOR = 4
MAX_WAIT_MS: Milliseconds = HOUR_MS
# A file that keeps killing its process is not claimed again. A restart of the machine uses up a
# claim too.
MAX_ATTEMPTS = 20
# Files up to this size count as short videos before anybody has probed them.
SHORT_BYTES = 32_000_000
# Added to a job's priority once its first rendition is published: the rest waits until every other
# file has its own.
REST_STEP = 10


class Kind(StrEnum):
    """What a job does."""

    IMPORT = "import"
    MEND = "mend"


class State(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN_STATES = frozenset({State.WAITING, State.RUNNING})


class Fault(StrEnum):
    """The kind of a failure."""

    REFUSED = "refused"
    # It waits for the operator: it looks like something that was taken down.
    HELD = "held"
    # The same: more of its pictures are damaged than is taken without being told to.
    DAMAGED = "damaged"
    TIMEOUT = "timeout"
    DISK_FULL = "disk_full"
    UNREADABLE = "unreadable"
    SYSTEM = "system"
    BUSY = "busy"
    KILLED = "killed"
    TRANSCODER = "transcoder"
    PROGRAM = "program"


# What the operator decides: the job goes on if it is told to accept that.
UNDECIDED = frozenset({Fault.HELD, Fault.DAMAGED})
# How many failures of a kind end the job. A fault of the file stays; a fault of the machine may
# pass.
MAX_FAILURES = {
    Fault.REFUSED: 1,
    Fault.HELD: 1,
    Fault.DAMAGED: 1,
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
        fault: Its kind.
        text: One sentence in Chinese.
        english: The same in English.
    """

    fault: Fault
    text: str
    english: str


class Verdict(msgspec.Struct, frozen=True):
    """What happens to a failed job.

    Attributes:
        state: `waiting` or `failed`.
        due_at: When it is retried; None if it waits for the operator.
    """

    state: State
    due_at: Milliseconds | None


def first_priority(*, is_short: bool) -> int:
    """Of a file without any published rendition."""
    return 0 if is_short else 1


def is_short(size: int, *, is_short_category: bool) -> bool:
    """Whether a file goes before others.

    Args:
        size: Bytes.
        is_short_category: The operator assigned it to the short videos.
    """
    return is_short_category or size <= SHORT_BYTES


def wait_after(failures: int) -> Milliseconds:
    """Time until the next try: 30 s, 2 min, 8 min, 32 min, then one hour each.

    Args:
        failures: Number of failures, from 1.
    """
    # The exponent is bounded: beyond it the wait is at its maximum anyway.
    return min(MAX_WAIT_MS, FIRST_WAIT_MS * int(WAIT_FACTOR ** min(failures - 1, 8)))


def judge(fault: Fault, failures: int, now: Milliseconds) -> Verdict:
    """What follows from a failure.

    Args:
        failures: Number of failures, including this one.
    """
    if failures >= MAX_FAILURES[fault]:
        return Verdict(State.FAILED, None)
    return Verdict(State.WAITING, now + wait_after(failures))
