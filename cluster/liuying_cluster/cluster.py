"""All of it on one machine: three PostgreSQL, three etcd, HAProxy beside each process of the site,
an S3 store, two processes that serve, two that import, two nginx.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from liuying_cluster.backups import Backups
from liuying_cluster.certificates import make_certificates
from liuying_cluster.database import DATABASE, USER, Postgres
from liuying_cluster.etcd import Etcd
from liuying_cluster.haproxy import Haproxy
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, watcher
from liuying_cluster.site import Machine, Nginx, common_settings, database_address
from liuying_cluster.store import Store

SERVING, WORKING, FRONTS = 2, 2, 2
# Debian's user of PostgreSQL, which does not run as root.
DATABASE_USER = "postgres"
# `tools/cluster-prerequisites` puts it there.
PATRONI = Path(__file__).resolve().parents[2] / ".make" / "patroni"


class Cluster:
    """The parts, in the order in which they start.

    Args:
        folder: Data, configurations and logs.
        serving: How many processes serve.
    """

    def __init__(self, folder: Path, serving: int = SERVING) -> None:
        self.folder = folder
        user = DATABASE_USER if os.geteuid() == 0 else ""
        folder.chmod(0o711)
        self.secrets = folder / "secrets.json"
        databases = folder / "databases"
        databases.mkdir(mode=0o700)
        self.certificates = make_certificates(databases)
        if user:
            for path in (databases, *databases.iterdir()):
                shutil.chown(path, user, user)
        authority = folder / "ca.pem"
        authority.write_bytes(self.certificates.authority.read_bytes())
        self.etcd = Etcd(databases, self.certificates, user)
        self.store = Store(folder, certificates=self.certificates)
        self.backups = Backups(databases, self.certificates, self.store, user)
        # Where the database's user can read it.
        patroni = shutil.copytree(PATRONI, folder / "patroni")
        self.postgres = Postgres(
            databases, self.certificates, self.etcd, patroni, user, self.backups
        )
        common = common_settings(folder, self.secrets, self.store, authority)

        def machine(name: str, *command: str, port: int = 0) -> Machine:
            haproxy = Haproxy(f"haproxy-{name}", folder, self.certificates, self.postgres)
            database = database_address(folder, name, self.certificates, self.postgres, haproxy)
            return Machine(name, command, folder, {**common, **database}, haproxy, port)

        self.serving = [
            machine(f"serve{number}", "serve", port=free_port()) for number in range(1, serving + 1)
        ]
        self.working = [machine(f"worker{number}", "worker") for number in range(1, WORKING + 1)]
        self.fronts = [
            Nginx(f"nginx{number}", folder, self.serving) for number in range(1, FRONTS + 1)
        ]

    @property
    def parts(self) -> list[Part]:
        machines = [*self.serving, *self.working]
        return [
            *self.etcd.parts,
            *self.postgres.parts,
            self.store.part,
            *(one.haproxy.part for one in machines),
            *(one.part for one in machines),
            *(one.part for one in self.fronts),
        ]

    def connect(self) -> psycopg.Connection:
        """A connection to the site's database, as its first serving process connects.

        Raises:
            psycopg.Error: Nobody leads, or nobody answers.
        """
        return psycopg.connect(
            f"host=127.0.0.1 port={self.serving[0].haproxy.port} user={USER} dbname={DATABASE}"
            f" password={self.postgres.passwords[USER]} sslmode=verify-full"
            f" sslrootcert={self.certificates.authority} connect_timeout=3"
        )

    def start(self) -> None:
        """Start everything; the database is migrated once, before anybody serves."""
        self.etcd.start()
        self.store.start()
        self.postgres.start()
        for one in (*self.serving, *self.working):
            one.haproxy.start()
        self.serving[0].run("migrate")
        for machine in (*self.serving, *self.working):
            machine.start()
        for front in self.fronts:
            front.start()

    def stop(self) -> None:
        """End everything, last started first; nothing of it is kept."""
        for part in reversed(self.parts):
            part.kill()


@contextmanager
def running_cluster(serving: int = SERVING) -> Iterator[Cluster]:
    """A cluster in a folder of its own, gone at the end of the block."""
    with TemporaryDirectory(prefix="liuying-cluster-") as folder:
        watcher().owns(Path(folder))
        cluster = Cluster(Path(folder), serving)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()
