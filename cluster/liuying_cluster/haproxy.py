"""HAProxy in front of the PostgreSQL servers.

It asks each Patroni whether its server leads, and cuts the connections of one that does not any
more: nobody reads an old leader that comes back. Its configuration is that of `liuying deploy
haproxy`.
"""

from __future__ import annotations

import os
from pathlib import Path

from liuying.installation.database_files import haproxy_configuration
from liuying_cluster.certificates import Certificates
from liuying_cluster.database import Postgres
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, answers, wait_until


class Haproxy:
    """Beside each process of the site: an address that leads to the server that leads."""

    def __init__(
        self, name: str, folder: Path, certificates: Certificates, postgres: Postgres
    ) -> None:
        self.port = free_port()
        config = folder / f"{name}.cfg"
        # Only root can become another user.
        user = "haproxy" if os.geteuid() == 0 else ""
        listen = f"127.0.0.1:{self.port}"
        config.write_text(
            haproxy_configuration(postgres.members, listen, certificates.authority, user)
        )
        self.part = Part(name, ["haproxy", "-db", "-f", str(config)], folder)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.part.start()
        wait_until(lambda: answers(self.port), "HAProxy 没有就绪")
