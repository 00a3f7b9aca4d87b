"""What may happen to a cluster: any process killed, the leader frozen, its network dropped."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

import msgspec

from liuying_cluster.cluster import Cluster
from liuying_cluster.database import LONGEST_GAP_S
from liuying_cluster.etcd import ELECTION_S
from liuying_cluster.processes import Part, program, wait_until


class Fault(msgspec.Struct, frozen=True):
    """Something that happens, and how it is mended.

    Attributes:
        longest_gap_s: Seconds without an acknowledged write, at most.
    """

    happen: Callable[[], None]
    mend: Callable[[], None]
    longest_gap_s: float = LONGEST_GAP_S


def killed(part: Part) -> Fault:
    """A process and its children killed, and started again."""

    def mend() -> None:
        part.kill()
        part.start()

    return Fault(part.kill, mend)


def _store_killed(cluster: Cluster) -> Fault:
    def mend() -> None:
        cluster.store.start()

    return Fault(cluster.store.part.kill, mend)


def _leader_killed(cluster: Cluster) -> Fault:
    return killed(_leader(cluster))


def _both_leaders_killed(cluster: Cluster) -> Fault:
    """PostgreSQL's and etcd's, as where they are on one machine."""
    both = [killed(_leader(cluster)), killed(cluster.etcd.leader())]

    def happen() -> None:
        for one in both:
            one.happen()

    def mend() -> None:
        for one in both:
            one.mend()

    return Fault(happen, mend, LONGEST_GAP_S + ELECTION_S)


def _leader_frozen(cluster: Cluster) -> Fault:
    part = _leader(cluster)
    return Fault(part.freeze, part.thaw)


def _patroni_killed(cluster: Cluster) -> Fault:
    part = _leader(cluster)
    return Fault(part.kill_alone, killed(part).mend)


def _patroni_frozen(cluster: Cluster) -> Fault:
    part = _leader(cluster)
    return Fault(part.freeze_alone, part.thaw)


def _network_dropped(cluster: Cluster) -> Fault:
    """Nothing that the leader's PostgreSQL and Patroni send reaches anybody, nor says so."""
    rule = ["OUTPUT", "-m", "owner", "--gid-owner", str(_leader(cluster).group), "-j", "DROP"]

    def change(option: str) -> None:
        subprocess.run([program("iptables"), "-w", option, *rule], check=True)

    return Fault(lambda: change("-I"), lambda: change("-D"))


def _standby_killed(cluster: Cluster) -> Fault:
    leader = _leader(cluster)
    return killed(next(part for part in cluster.postgres.parts if part is not leader))


FAULTS: dict[str, Callable[[Cluster], Fault]] = {
    "leader killed": _leader_killed,
    "leader and etcd's leader killed": _both_leaders_killed,
    "leader frozen": _leader_frozen,
    "Patroni of the leader killed": _patroni_killed,
    "Patroni of the leader frozen": _patroni_frozen,
    "network of the leader dropped": _network_dropped,
    "standby killed": _standby_killed,
    "etcd member killed": lambda cluster: killed(cluster.etcd.parts[0]),
    "HAProxy killed": lambda cluster: killed(cluster.serving[0].haproxy.part),
    "serving process killed": lambda cluster: killed(cluster.serving[1].part),
    "worker killed": lambda cluster: killed(cluster.working[0].part),
    "store killed": _store_killed,
    "nginx killed": lambda cluster: killed(cluster.fronts[1].part),
}


def cannot_happen(name: str) -> str:
    """Why a fault cannot be made here; empty if it can."""
    if name == "network of the leader dropped" and (
        os.geteuid() != 0 or not shutil.which("iptables")
    ):
        return "only root drops packets, with Debian's iptables"
    return ""


def wait_until_whole(cluster: Cluster) -> None:
    """Wait until a standby is synchronous and the other follows.

    Raises:
        TimeoutError: They never do.
    """
    members = len(cluster.postgres.parts)

    def is_whole() -> bool:
        roles = cluster.postgres.roles()
        return "leader" in roles and "sync_standby" in roles and len(roles) == members

    wait_until(is_whole, "PostgreSQL 没有恢复到一主两备")


def _leader(cluster: Cluster) -> Part:
    leader: list[int] = []

    def is_found() -> bool:
        found = cluster.postgres.leader()
        leader[:] = [] if found is None else [found]
        return bool(leader)

    wait_until(is_found, "PostgreSQL 没有主库")
    return cluster.postgres.parts[leader[0]]
