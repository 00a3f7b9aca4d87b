"""HAProxy in front of the PostgreSQL servers.

It asks each Patroni whether its server leads, and cuts the connections of one that does not any
more: nobody reads an old leader that comes back.
"""

from __future__ import annotations

from pathlib import Path

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
        servers = "\n".join(
            f"    server pg{number} 127.0.0.1:{port} check port {rest} check-ssl verify required"
            f" ca-file {certificates.authority} verifyhost 127.0.0.1"
            for number, (port, rest) in enumerate(
                zip(postgres.ports, postgres.rest, strict=True), 1
            )
        )
        config = folder / f"{name}.cfg"
        config.write_text(
            f"""global
    maxconn 1000
defaults
    mode tcp
    timeout connect 2s
    timeout client 1h
    timeout server 1h
    timeout check 2s
listen postgres
    bind 127.0.0.1:{self.port}
    option httpchk OPTIONS /primary
    http-check expect status 200
    # A leader that stood still may say once more that it leads, before it sees that it does not.
    default-server fall 2 rise 2 on-marked-down shutdown-sessions
    # Everybody waits for the next leader: those that do not lead are asked more often.
    default-server inter 1s fastinter 250ms downinter 500ms
{servers}
"""
        )
        self.part = Part(name, ["haproxy", "-db", "-f", str(config)], folder)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.part.start()
        wait_until(lambda: answers(self.port), "HAProxy 没有就绪")
