"""Three PostgreSQL servers under Patroni, and three members of etcd.

Patroni commits synchronously to one standby, and elects a new leader through etcd when the old one
does not answer.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import ssl
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from liuying_cluster.backups import ARCHIVED_WITHIN_S, Backups
from liuying_cluster.certificates import Certificates
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, program, wait_until

MEMBERS = 3
# Groups of the three, where root runs this: packets of one are told by them. Nobody else's.
FIRST_GROUP = 64_101
USER, DATABASE = "liuying", "liuying"
# PostgreSQL's user may run it, unlike one in somebody's home folder.
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
# Seconds: the leader's lease, Patroni's turns, and how long it tries etcd and PostgreSQL again.
TTL_S, LOOP_WAIT_S, RETRY_S = 20, 5, 7
# Seconds without a leader, at most: the lease runs out, and the new one takes up its work.
LONGEST_GAP_S = 1.1 * TTL_S + 1.0


class Etcd:
    """Three members that keep who leads; they take clients with a certificate only."""

    def __init__(self, folder: Path, certificates: Certificates, user: str) -> None:
        self._certificates = certificates
        self.clients = [free_port() for _ in range(MEMBERS)]
        peers = [free_port() for _ in range(MEMBERS)]
        cluster = ",".join(
            f"etcd{number}=https://127.0.0.1:{port}" for number, port in enumerate(peers, 1)
        )
        self.parts = [
            Part(
                f"etcd{number}",
                [
                    "etcd",
                    f"--name=etcd{number}",
                    f"--data-dir={folder}/etcd{number}",
                    f"--listen-peer-urls=https://127.0.0.1:{peer}",
                    f"--initial-advertise-peer-urls=https://127.0.0.1:{peer}",
                    f"--listen-client-urls=https://127.0.0.1:{client}",
                    f"--advertise-client-urls=https://127.0.0.1:{client}",
                    f"--initial-cluster={cluster}",
                    "--initial-cluster-token=liuying",
                    "--client-cert-auth",
                    "--peer-client-cert-auth",
                    *(
                        f"--{kind}{name}={path}"
                        for kind in ("", "peer-")
                        for name, path in (
                            ("cert-file", certificates.certificate),
                            ("key-file", certificates.key),
                            ("trusted-ca-file", certificates.authority),
                        )
                    ),
                ],
                folder,
                user=user,
            )
            for number, (client, peer) in enumerate(zip(self.clients, peers, strict=True), 1)
        ]

    def start(self) -> None:
        """Start all, and wait until they have a leader."""
        for part in self.parts:
            part.start()
        wait_until(lambda: all(self._is_healthy(port) for port in self.clients), "etcd 没有就绪")

    def _is_healthy(self, port: int) -> bool:
        with suppress(OSError):
            context = client_context(self._certificates)
            address = f"https://127.0.0.1:{port}/health"
            with urllib.request.urlopen(address, timeout=2, context=context) as answer:
                return bool(json.load(answer)["health"] == "true")
        return False


class Postgres:
    """Three servers under Patroni.

    Args:
        folder: Their data, configuration and logs.
        certificates: Of all parts.
        etcd: Where they agree.
        patroni: Folder of Patroni's modules.
        user: Runs them where we are root.
        backups: Keeps base back-ups and the log.
    """

    def __init__(
        self,
        folder: Path,
        certificates: Certificates,
        etcd: Etcd,
        patroni: Path,
        user: str,
        backups: Backups,
    ) -> None:
        self.backups = backups
        self.folder = folder
        self._certificates = certificates
        self.ports = [free_port() for _ in range(MEMBERS)]
        self.rest = [free_port() for _ in range(MEMBERS)]
        self.passwords = {
            one: secrets.token_urlsafe(24)
            for one in ("superuser", "replication", "rewind", "rest", USER)
        }
        self.parts: list[Part] = []
        for number in range(MEMBERS):
            name = f"pg{number + 1}"
            config = folder / f"{name}.json"
            config.touch(mode=0o600)
            config.write_text(json.dumps(self._configuration(folder, name, number, etcd)))
            if user and os.geteuid() == 0:
                shutil.chown(config, user)
            # libpq looks for certificates in the home folder.
            environment = {"HOME": str(folder), "PYTHONPATH": str(patroni)}
            # PostgreSQL is no child of Patroni's, so that it survives it.
            noted = folder / name / "postmaster.pid"
            command = [PYTHON, "-m", "patroni", str(config)]
            group = FIRST_GROUP + number if user else None
            self.parts.append(Part(name, command, folder, environment, user, noted, group))

    def start(self) -> None:
        """Start all; wait for a leader with a synchronous standby; make the site's database."""
        for part in self.parts:
            part.start()
        wait_until(lambda: self.leader() is not None, "PostgreSQL 没有主库", self.parts)
        wait_until(lambda: "sync_standby" in self.roles(), "PostgreSQL 没有同步的备库", self.parts)
        leader = self.leader()
        if leader is None:
            raise TimeoutError("PostgreSQL 的主库刚刚失效")
        self.backups.begin(self.parts[leader].name, self.passwords["superuser"])
        with psycopg.connect(self.address(leader), autocommit=True) as connection:
            password = sql.Literal(self.passwords[USER])
            role = sql.Identifier(USER)
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(role, password))
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), role)
            )

    def leader(self) -> int | None:
        """The place of the server that leads; None while nobody does."""
        for number, port in enumerate(self.rest):
            with suppress(OSError):
                if self._ask(port, "/primary") is not None:
                    return number
        return None

    def roles(self) -> list[str]:
        """What each server is, as any that answers says."""
        for port in self.rest:
            with suppress(OSError):
                members = self._ask(port, "/cluster")["members"]
                return [
                    str(one["role"])
                    for one in members
                    if one.get("state") in {"running", "streaming"}
                ]
        return []

    def _ask(self, port: int, path: str) -> Any:
        """What a Patroni says.

        Raises:
            OSError: It does not answer, or not with 200.
        """
        context = client_context(self._certificates)
        address = f"https://127.0.0.1:{port}{path}"
        with urllib.request.urlopen(address, timeout=2, context=context) as answer:
            return json.load(answer)

    def address(self, number: int, database: str = "postgres") -> str:
        """Where the superuser connects to one of the servers, whether or not it leads."""
        return (
            f"host=127.0.0.1 port={self.ports[number]} user=postgres dbname={database}"
            f" password={self.passwords['superuser']} sslmode=verify-full"
            f" sslrootcert={self._certificates.authority} connect_timeout=5"
        )

    def _configuration(self, folder: Path, name: str, number: int, etcd: Etcd) -> dict[str, object]:
        paths = self._certificates
        return {
            "scope": "liuying",
            "name": name,
            "restapi": {
                "listen": f"127.0.0.1:{self.rest[number]}",
                "connect_address": f"127.0.0.1:{self.rest[number]}",
                "certfile": str(paths.certificate),
                "keyfile": str(paths.key),
                "cafile": str(paths.authority),
                "authentication": {"username": "patroni", "password": self.passwords["rest"]},
            },
            "ctl": {"cacert": str(paths.authority)},
            "etcd3": {
                "hosts": [f"127.0.0.1:{port}" for port in etcd.clients],
                "protocol": "https",
                "cacert": str(paths.authority),
                "cert": str(paths.certificate),
                "key": str(paths.key),
            },
            "bootstrap": {
                "dcs": {
                    "ttl": TTL_S,
                    "loop_wait": LOOP_WAIT_S,
                    "retry_timeout": RETRY_S,
                    "maximum_lag_on_failover": 1048576,
                    "synchronous_mode": True,
                    # A leader that died is replaced rather than started again.
                    "primary_start_timeout": 0,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "parameters": {"max_connections": 200, "wal_keep_size": "256MB"},
                    },
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.ports[number]}",
                "connect_address": f"127.0.0.1:{self.ports[number]}",
                "data_dir": f"{folder}/{name}",
                "bin_dir": str(Path(program("pg_controldata")).parent),
                "pgpass": f"{folder}/{name}.pgpass",
                "authentication": {
                    "superuser": {
                        "username": "postgres",
                        "password": self.passwords["superuser"],
                        "sslmode": "verify-full",
                        "sslrootcert": str(paths.authority),
                    },
                    "replication": {
                        "username": "replicator",
                        "password": self.passwords["replication"],
                        "sslmode": "verify-full",
                        "sslrootcert": str(paths.authority),
                    },
                    "rewind": {
                        "username": "rewinder",
                        "password": self.passwords["rewind"],
                        "sslmode": "verify-full",
                        "sslrootcert": str(paths.authority),
                    },
                },
                "parameters": {
                    "unix_socket_directories": str(folder),
                    "ssl": "on",
                    "ssl_cert_file": str(paths.certificate),
                    "ssl_key_file": str(paths.key),
                    "ssl_ca_file": str(paths.authority),
                    "password_encryption": "scram-sha-256",
                    "archive_mode": "on",
                    "archive_timeout": f"{ARCHIVED_WITHIN_S}s",
                    "archive_command": self.backups.configure(
                        name, folder / name, self.ports[number]
                    ),
                },
                "pg_hba": [
                    "hostssl all all 127.0.0.1/32 scram-sha-256",
                    "hostssl replication replicator 127.0.0.1/32 scram-sha-256",
                    "local all all scram-sha-256",
                ],
            },
        }


def client_context(certificates: Certificates) -> ssl.SSLContext:
    """A client that shows its certificate, and trusts the cluster's authority alone."""
    context = ssl.create_default_context(cafile=str(certificates.authority))
    context.load_cert_chain(certificates.certificate, certificates.key)
    return context
