"""Numbers of PostgreSQL's advisory locks, which have no other name: whoever takes one that somebody
else has, waits for him.
"""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class AdvisoryLock(IntEnum):
    """What each lock keeps to one at a time. Versions that run beside one another agree on them."""

    MIGRATION = 7_216_073_001
    # From the first number that is drawn from a log until the end of the transaction.
    CHANGES = 7_216_073_002
    # Held for as long as its process does what one does for all (`kit/single_runner.py`).
    RUNNER = 7_216_073_003
    CODE_CHANGES = 7_216_073_004
    NAME_COUNTS = 7_216_073_005
    # Held while indexes are built beside readers and writers.
    LATE_INDEXES = 7_216_073_006
