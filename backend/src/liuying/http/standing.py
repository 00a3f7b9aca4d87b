"""How a process stands among others: whether it does what one does for all, whether it follows what
the others write, and whether the store that they share answers it.
"""

from __future__ import annotations

from collections.abc import Iterator

from liuying.http.change_watcher import ChangeWatcher
from liuying.kit.metrics import Family, sampled
from liuying.kit.object_store import ObjectStore
from liuying.kit.single_runner import SingleRunner

RUNNER = Family(
    "liuying_runner", "gauge", "Whether this process settles, ranks and cleans up for all."
)
BLIND = Family(
    "liuying_changes_unread_seconds", "gauge", "How long ago the change log was last read."
)
FAILURES = Family(
    "liuying_store_failures_total",
    "counter",
    "Questions that the object store did not answer, by reason.",
    ("reason",),
)
# A rate needs a first value of 0.
NO_FAILURES = {"away": 0, "refused": 0}


def standing(
    runner: SingleRunner, watcher: ChangeWatcher, objects: ObjectStore
) -> Iterator[Iterator[str]]:
    """The metrics."""
    yield sampled(RUNNER, {(): float(runner.is_held)})
    yield sampled(BLIND, {(): watcher.blind_s})
    failures = {**NO_FAILURES, **objects.failures}
    yield sampled(FAILURES, {(reason,): count for reason, count in failures.items()})
