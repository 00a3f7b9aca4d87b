"""Three members of etcd, which keep who leads.

Their configuration is that of `liuying deploy etcd`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from liuying.installation.database_files import etcd_environment
from liuying.installation.database_members import Member
from liuying_cluster.certificates import LOOPBACK, Certificates, ask
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, wait_until

MEMBERS = 3
# Seconds upon the longest gap where etcd's leader is killed as well: the others elect another
# within two, and every lease begins anew then, with one second more.
ELECTION_S = 3.0


class Etcd:
    """Three members that keep who leads; they take clients with a certificate only."""

    def __init__(self, folder: Path, certificates: Certificates, user: str) -> None:
        self._certificates = certificates
        self.members = [
            Member(f"etcd{number}", LOOPBACK, client_port=free_port(), peer_port=free_port())
            for number in range(1, MEMBERS + 1)
        ]
        self.parts = [
            Part(one.name, ["etcd"], folder, self._environment(one.name, folder), user)
            for one in self.members
        ]

    @property
    def clients(self) -> list[int]:
        """The ports for Patroni."""
        return [one.client_port for one in self.members]

    def _environment(self, name: str, folder: Path) -> dict[str, str]:
        """What `liuying deploy etcd` writes, as systemd reads it."""
        text = etcd_environment(name, self.members, folder, folder / name)
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        return {name: value for name, _, value in (line.partition("=") for line in lines)}

    def start(self) -> None:
        """Start all, and wait until they have a leader."""
        for part in self.parts:
            part.start()
        wait_until(lambda: all(self._is_healthy(port) for port in self.clients), "etcd 没有就绪")

    def leader(self) -> Part:
        """The member that leads.

        Raises:
            TimeoutError: Nobody ever says that it does.
        """
        leading: list[Part] = []

        def is_found() -> bool:
            leading[:] = [
                part
                for part, port in zip(self.parts, self.clients, strict=True)
                if self._leads(port)
            ]
            return bool(leading)

        wait_until(is_found, "etcd 没有领导者")
        return leading[0]

    def _leads(self, port: int) -> bool:
        with suppress(OSError):
            # Without a leader nothing is said of one.
            said = ask(self._certificates, port, "/v3/maintenance/status", b"{}")
            return bool(said.get("leader") == said["header"]["member_id"])
        return False

    def _is_healthy(self, port: int) -> bool:
        with suppress(OSError):
            return bool(ask(self._certificates, port, "/health")["health"] == "true")
        return False
