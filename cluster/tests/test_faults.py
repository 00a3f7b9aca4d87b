"""Each process killed, leaders together too, and the leader frozen and cut off, under eight
writers.
"""

from __future__ import annotations

import pytest
from liuying_cluster.cluster import Cluster
from liuying_cluster.faults import FAULTS, cannot_happen, wait_until_whole
from liuying_cluster.table import Table
from liuying_cluster.visitors import LONGEST_CALL_S, lost_writes, see_fault

# Nobody answered, or an nginx or a serving process said that somebody behind it did not.
REFUSALS = {0, 502, 503, 504}


@pytest.fixture(scope="module")
def acknowledged() -> set[str]:
    """Writes of all tests: what one fault spared may be lost by the next."""
    return set()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_loses_nothing(
    cluster: Cluster, video: int, acknowledged: set[str], table: Table, name: str
) -> None:
    if reason := cannot_happen(name):
        pytest.skip(reason)
    wait_until_whole(cluster)
    fault = FAULTS[name](cluster)
    seen = see_fault(cluster, video, fault.happen, fault.mend)
    acknowledged |= seen.writers.acknowledged
    lost = lost_writes(cluster, video, acknowledged)
    table.fault(name, seen, len(lost))
    assert not lost
    assert seen.writers.gap() <= fault.longest_gap_s
    assert set(seen.cached) == {200}
    assert set(seen.writers.refused) <= REFUSALS
    assert seen.writers.longest < LONGEST_CALL_S
