"""`make cluster-soak`: every fault again and again under writers, for some rounds or minutes."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.database import LONGEST_GAP_S
from liuying_cluster.etcd import ELECTION_S
from liuying_cluster.faults import FAULTS, cannot_happen, wait_until_whole
from liuying_cluster.films import import_clip, make_clip
from liuying_cluster.table import counted, markdown
from liuying_cluster.visitors import Seen, lost_writes, see_fault

HEAD = (
    "fault",
    "rounds",
    "writes acknowledged",
    "lost",
    "longest gap",
    "gaps over the limit",
    "longest call",
    "cached answers",
)


class Sum(msgspec.Struct):
    """What was seen of one fault in all rounds."""

    rounds: int = 0
    acknowledged: int = 0
    lost: int = 0
    gap: float = 0.0
    over: int = 0
    longest: float = 0.0
    cached: Counter[int] = msgspec.field(default_factory=Counter)

    def add(self, seen: Seen, lost: int, longest_gap_s: float) -> None:
        """Another round.

        Args:
            longest_gap_s: What its gap may be, at most.
        """
        gap = seen.writers.gap()
        self.rounds += 1
        self.acknowledged += len(seen.writers.acknowledged)
        self.lost += lost
        self.gap = max(self.gap, gap)
        self.over += gap > longest_gap_s
        self.longest = max(self.longest, seen.writers.longest)
        self.cached += seen.cached

    @property
    def is_good(self) -> bool:
        return not self.lost and not self.over and set(self.cached) <= {200}

    def cells(self) -> tuple[str, ...]:
        """Its row of the table."""
        return (
            str(self.rounds),
            str(self.acknowledged),
            str(self.lost),
            f"{self.gap:.1f} s",
            str(self.over),
            f"{self.longest:.1f} s",
            counted(self.cached),
        )


def soak(cluster: Cluster, video: int, rounds: int, minutes: float) -> dict[str, Sum]:
    """Let every fault happen in turn, until one ends after that time, or somebody ends it."""
    sums = {name: Sum() for name in FAULTS if not cannot_happen(name)}
    acknowledged: set[str] = set()
    until = time.monotonic() + minutes * 60
    # What was seen until then is worth telling.
    with suppress(KeyboardInterrupt):
        for turn, name in product(range(rounds), sums):
            if time.monotonic() > until:
                break
            wait_until_whole(cluster)
            fault = FAULTS[name](cluster)
            seen = see_fault(cluster, video, fault.happen, fault.mend)
            acknowledged |= seen.writers.acknowledged
            lost = lost_writes(cluster, video, acknowledged)
            acknowledged -= lost
            sums[name].add(seen, len(lost), fault.longest_gap_s)
            gap = seen.writers.gap()
            print(f"{turn + 1} {name}: {len(lost)} lost, gap {gap:.1f} s", file=sys.stderr)
    return sums


# What `tools/bench` tells from a run that broke off, whose status is Python's own, 1.
FOUND = 3


def interrupt(_number: int, _frame: object) -> None:
    """End as Ctrl-C does, also where a shell lets its background ignore that."""
    raise KeyboardInterrupt


def main() -> int:
    """Run the rounds and print the table; `FOUND` where a write was lost or a limit passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=600.0, help="no new fault after that")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    with running_cluster() as cluster, TemporaryDirectory() as folder:
        clip = Path(folder) / "clip.mp4"
        make_clip(clip, 6)
        sums = soak(cluster, import_clip(cluster, clip), options.rounds, options.minutes)
    print(markdown(HEAD, [(name, *sum_.cells()) for name, sum_ in sums.items()]))
    print(
        f"The limit of a gap is {LONGEST_GAP_S:.0f} s: 1.1 times the lease, and a second;"
        f" {ELECTION_S:.0f} s more where etcd's leader is lost as well."
    )
    return 0 if all(sum_.is_good for sum_ in sums.values()) else FOUND


if __name__ == "__main__":
    sys.exit(main())
