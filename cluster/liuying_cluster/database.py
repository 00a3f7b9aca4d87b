"""Three PostgreSQL servers under Patroni.

Patroni commits synchronously to one standby, and elects a new leader through etcd when the old one
does not answer. Its configuration is that of `liuying deploy patroni`.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from psycopg import sql

from liuying.installation.database_files import (
    PASSWORDS,
    SCOPE,
    TTL_S,
    patroni_configuration,
)
from liuying.installation.database_files import Postgres as PatroniPostgres
from liuying.installation.database_members import Member
from liuying_cluster.backups import Backups
from liuying_cluster.certificates import LOOPBACK, Certificates, ask
from liuying_cluster.etcd import Etcd
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, program, wait_until

SERVERS = 3
# Groups of the three, where root runs this: packets of one are told by them. Nobody else's.
FIRST_GROUP = 64_101
USER, DATABASE = "liuying", "liuying"
ADOPTED = "恢复的 PostgreSQL 没有成为主库"
# PostgreSQL's user may run it, unlike one in somebody's home folder.
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
# Seconds without a leader, at most: the lease runs out, and the new one takes up its work.
LONGEST_GAP_S = 1.1 * TTL_S + 1.0


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
        self._etcd = etcd
        self.members = [
            Member(f"pg{number}", LOOPBACK, port=free_port(), rest_port=free_port())
            for number in range(1, SERVERS + 1)
        ]
        self.passwords = {
            one: secrets.token_urlsafe(24)
            for one in ("superuser", "replication", "rewind", "restapi", USER)
        }
        self._user = user
        # libpq looks for certificates in the home folder.
        self._environment = {"HOME": str(folder), "PYTHONPATH": str(patroni)}
        self._environment |= {
            variable: self.passwords[variable.split("_")[1].lower()] for variable in PASSWORDS
        }
        self.parts = [
            self._part(
                member,
                group=FIRST_GROUP + number,
                archive_command=backups.configure(member.name, folder / member.name, member.port),
            )
            for number, member in enumerate(self.members)
        ]

    @property
    def ports(self) -> list[int]:
        """Where the servers listen."""
        return [one.port for one in self.members]

    @property
    def rest(self) -> list[int]:
        """Where their Patronis listen."""
        return [one.rest_port for one in self.members]

    def _part(
        self,
        member: Member,
        *,
        scope: str = SCOPE,
        group: int | None = None,
        archive_command: str = "",
    ) -> Part:
        """A Patroni, and what `liuying deploy patroni` writes for it."""
        data = self.folder / member.name
        config = self.folder / f"{member.name}.yml"
        postgres = PatroniPostgres(
            members=self.members if member in self.members else [*self.members, member],
            etcd=self._etcd.members,
            networks=(f"{LOOPBACK}/32",),
            certificates=self.folder,
            data_dir=data,
            bin_dir=Path(program("pg_controldata")).parent,
            sockets=self.folder,
            archive_command=archive_command,
            scope=scope,
        )
        config.write_text(patroni_configuration(member.name, postgres))
        if self._user and os.geteuid() == 0:
            shutil.chown(config, self._user)
        command = [PYTHON, "-m", "patroni", str(config)]
        # PostgreSQL is no child of Patroni's, so that it survives it.
        noted = data / "postmaster.pid"
        return Part(
            member.name,
            command,
            self.folder,
            self._environment,
            self._user,
            noted,
            group if self._user else None,
        )

    def adopt(self, name: str) -> Adopted:
        """Let a Patroni of its own, apart from the three, go on with a server that was restored and
        stopped by hand; it is waited for until it leads.

        Args:
            name: The server's folder, below that of the others.

        Raises:
            TimeoutError: It ended, or never does.
        """
        member = Member(name, LOOPBACK, port=free_port(), rest_port=free_port())
        part = self._part(member, scope=name)
        part.start()
        try:
            # It takes the lead first, and notes what it found in the folder then.
            wait_until(lambda: self._leads(member) and self._shared(member), ADOPTED, [part])
        except TimeoutError:
            part.kill()
            raise
        return Adopted(part, self._address(member, DATABASE), self._shared(member))

    def _shared(self, member: Member) -> dict[str, Any]:
        """What a Patroni keeps in etcd for all servers; empty where it says nothing yet."""
        with suppress(OSError):
            return dict(ask(self._certificates, member.rest_port, "/config"))
        return {}

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
        for number, member in enumerate(self.members):
            if self._leads(member):
                return number
        return None

    def _leads(self, member: Member) -> bool:
        with suppress(OSError):
            return ask(self._certificates, member.rest_port, "/primary") is not None
        return False

    def roles(self) -> list[str]:
        """What each server is, as any that answers says."""
        for port in self.rest:
            with suppress(OSError):
                members = ask(self._certificates, port, "/cluster")["members"]
                return [
                    str(one["role"])
                    for one in members
                    if one.get("state") in {"running", "streaming"}
                ]
        return []

    def address(self, number: int, database: str = "postgres") -> str:
        """Where the superuser connects to one of the servers, whether or not it leads."""
        return self._address(self.members[number], database)

    def _address(self, member: Member, database: str) -> str:
        return (
            f"host={LOOPBACK} port={member.port} user=postgres dbname={database}"
            f" password={self.passwords['superuser']} sslmode=verify-full"
            f" sslrootcert={self._certificates.authority} connect_timeout=5"
        )


class Adopted(msgspec.Struct, frozen=True):
    """A server that was restored, under a Patroni of its own.

    Attributes:
        part: Its Patroni.
        address: Where the superuser connects to the site's database.
        shared: What Patroni keeps in etcd for all servers.
    """

    part: Part
    address: str
    shared: dict[str, Any]
