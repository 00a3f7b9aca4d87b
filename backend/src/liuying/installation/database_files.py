"""Configurations of a database that several machines hold together: etcd, Patroni with PostgreSQL,
and HAProxy in front (docs/decisions/0032-the-database-of-many-machines.md). `make cluster` runs on
these very files.

No password stands in any of them: Patroni takes passwords from its environment alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from liuying.installation.configuration import DeploymentError, filled, plain_path
from liuying.installation.database_members import Member, need_quorum, own_member, tls_files

SCOPE = "liuying"
# A write waits for a second one, which takes over.
LEAST_SERVERS = 2
# Seconds: the leader's lease, Patroni's turns, and how long it tries etcd and PostgreSQL again.
# Patroni wants loop_wait + 2 * retry_timeout <= ttl.
TTL_S, LOOP_WAIT_S, RETRY_S = 20, 5, 7
# Seconds: what was committed is in the archive at the latest then, on a quiet site too.
ARCHIVED_WITHIN_S = 60
ARCHIVE_COMMAND = f"pgbackrest --stanza={SCOPE} archive-push %p"
# The variables from which Patroni takes its passwords, and those of patronictl.
PASSWORDS = (
    "PATRONI_SUPERUSER_PASSWORD",
    "PATRONI_REPLICATION_PASSWORD",
    "PATRONI_REWIND_PASSWORD",
    "PATRONI_RESTAPI_PASSWORD",
)
PASSWORDS_FILE = Path("/etc/patroni/passwords.env")


class Postgres(msgspec.Struct, frozen=True, kw_only=True):
    """What Patroni is told of its machine's PostgreSQL.

    Attributes:
        members: All machines with PostgreSQL.
        etcd: The members of etcd; often the same machines.
        networks: Who may connect beside the machines themselves.
        certificates: The folder with the three files of `tls_files`.
        data_dir: The database's own folder.
        bin_dir: PostgreSQL's programs.
        sockets: The folder of its Unix socket.
        archive_command: Keeps a piece of the log; empty to keep none.
        scope: What the machines are called together.
    """

    members: Sequence[Member]
    etcd: Sequence[Member]
    networks: Sequence[str]
    certificates: Path = Path("/etc/patroni")
    data_dir: Path = Path("/var/lib/postgresql/15/liuying")
    bin_dir: Path = Path("/usr/lib/postgresql/15/bin")
    sockets: Path = Path("/var/run/postgresql")
    archive_command: str = ""
    scope: str = SCOPE


def etcd_environment(
    name: str,
    members: Sequence[Member],
    certificates: Path,
    data_dir: Path,
    *,
    is_existing: bool = False,
) -> str:
    """The environment of one member of etcd, as Debian's unit reads it from /etc/default/etcd.

    Args:
        is_existing: Whether it joins members that already run, in the place of one that is gone.

    Raises:
        DeploymentError: A value cannot stand in it.
    """
    own = own_member(members, name)
    need_quorum(members)
    everybody = ",".join(f"{one.name}=https://{one.at(one.peer_port)}" for one in members)
    return filled(
        "etcd.env",
        {
            "NAME": name,
            "DATA": plain_path(data_dir),
            "PEER": f"https://{own.at(own.peer_port)}",
            "CLIENT": f"https://{own.at(own.client_port)}",
            "MEMBERS": everybody,
            "TOKEN": SCOPE,
            "STATE": "existing" if is_existing else "new",
            **_tls_values(certificates),
        },
    )


def patroni_configuration(name: str, postgres: Postgres) -> str:
    """The configuration of the Patroni of one machine.

    Raises:
        DeploymentError: A value cannot stand in it.
    """
    own = own_member(postgres.members, name)
    if len(postgres.members) < LEAST_SERVERS:
        raise DeploymentError("PostgreSQL 至少要两台，最好三台：--member 可以给几个")
    need_quorum(postgres.etcd)
    return filled(
        "patroni.yml",
        {
            "SCOPE": postgres.scope,
            "NAME": name,
            "REST": own.at(own.rest_port),
            "LISTEN": own.at(own.port),
            "HOSTS": _items(one.at(one.client_port) for one in postgres.etcd),
            "TTL": str(TTL_S),
            "LOOP_WAIT": str(LOOP_WAIT_S),
            "RETRY": str(RETRY_S),
            "DATA": plain_path(postgres.data_dir),
            "PROGRAMS": plain_path(postgres.bin_dir),
            "PGPASS": plain_path(postgres.data_dir.with_name(f"{name}.pgpass")),
            "SOCKETS": plain_path(postgres.sockets),
            "ARCHIVE": _archive_lines(postgres.archive_command),
            "HBA": _items(_access(postgres)),
            **_tls_values(postgres.certificates),
        },
    )


def patroni_unit(program: Path, configuration: Path) -> str:
    """Patroni's unit; PyPI's Patroni brings none.

    Raises:
        DeploymentError: A path cannot stand in it.
    """
    return filled(
        "patroni.service",
        {
            "PROGRAM": plain_path(program),
            "CONFIGURATION": plain_path(configuration),
            "PASSWORDS": plain_path(PASSWORDS_FILE),
        },
    )


def haproxy_configuration(
    members: Sequence[Member], listen: str, authority: Path, user: str = "haproxy"
) -> str:
    """The configuration of the HAProxy beside a process of the site.

    Args:
        listen: Where it takes connections to the server that leads.
        authority: The certificate of the authority.
        user: Whom it runs as once it listens; empty for whoever starts it.

    Raises:
        DeploymentError: A value cannot stand in it.
    """
    if not members:
        raise DeploymentError("要写出每一台 PostgreSQL：--member pg1=10.0.0.11")
    servers = "\n".join(
        f"    server {one.name} {one.at(one.port)} check port {one.rest_port}"
        f" check-ssl verify required ca-file {plain_path(authority)} verifyhost {one.name}"
        for one in members
    )
    return filled(
        "haproxy.cfg",
        {
            "USER": f"\n    user {user}\n    group {user}" if user else "",
            "LISTEN": listen,
            "SERVERS": servers,
        },
    )


def _tls_values(certificates: Path) -> dict[str, str]:
    names = ("AUTHORITY", "CERTIFICATE", "KEY")
    return dict(zip(names, map(plain_path, tls_files(certificates)), strict=True))


def _access(postgres: Postgres) -> list[str]:
    """The lines of pg_hba.conf: over the network with TLS and a password only, and from the
    machines of the database alone as those who may do everything.
    """
    powerful = "postgres,rewinder"
    return [
        *(
            line
            for one in postgres.members
            for line in (
                f"hostssl all {powerful} {_single(one.address)} scram-sha-256",
                f"hostssl replication replicator {_single(one.address)} scram-sha-256",
            )
        ),
        f"host all {powerful} all reject",
        *(f"hostssl all all {network} scram-sha-256" for network in postgres.networks),
        "local all all scram-sha-256",
    ]


def _single(address: str) -> str:
    return f"{address}/128" if ":" in address else f"{address}/32"


def _archive_lines(command: str) -> str:
    if not command:
        return ""
    lines = (
        "archive_mode: 'on'",
        f"archive_timeout: {ARCHIVED_WITHIN_S}s",
        f"archive_command: {command}",
    )
    return textwrap.indent("\n" + "\n".join(lines), "    ")


def _items(values: Iterable[str]) -> str:
    return "\n".join(f"    - '{one}'" for one in values)
