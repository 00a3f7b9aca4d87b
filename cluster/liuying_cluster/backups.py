"""Base back-ups and the archive of PostgreSQL's log, by pgBackRest, encrypted, in a bucket of their
own; and restoring the database as it was at a moment.

pgBackRest speaks to stores by HTTPS only.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
from pathlib import Path

import msgspec
import psycopg

from liuying_cluster.certificates import Certificates
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, program, wait_until
from liuying_cluster.store import Store

BUCKET = "liuying-backups"
STANZA = "liuying"
# How a restored server is started by hand (docs/operating.md#pitr): for nobody else, and without
# a standby. What it does is not archived, or the next attempt would follow it.
BY_HAND = {
    "listen_addresses": "127.0.0.1",
    "archive_mode": "off",
    "synchronous_standby_names": "",
}


class Backups:
    """pgBackRest for three PostgreSQL servers.

    Args:
        folder: Of the servers, where their user may write.
        certificates: The store's, too.
        store: Takes the back-ups.
        user: Runs PostgreSQL where we are root; empty otherwise.
    """

    def __init__(self, folder: Path, certificates: Certificates, store: Store, user: str) -> None:
        self._folder = folder
        self._certificates = certificates
        self._store = store
        self._user = user
        # Whoever reads the bucket reads nothing.
        self._cipher = secrets.token_urlsafe(48)

    def configure(self, name: str, data: Path, port: int) -> str:
        """Write the configuration of a server.

        Args:
            name: The server's.
            data: Its data folder.
            port: Where it listens.

        Returns:
            Its `archive_command`.
        """
        # It compares the names of certificates, not their addresses.
        config = self._config(name)
        config.touch(mode=0o600)
        config.write_text(
            f"""[global]
repo1-type=s3
repo1-path=/pgbackrest
repo1-s3-bucket={BUCKET}
repo1-s3-endpoint=localhost
repo1-s3-region=us-east-1
repo1-s3-uri-style=path
repo1-s3-key={self._store.access_key}
repo1-s3-key-secret={self._store.secret_key}
repo1-storage-host=localhost
repo1-storage-port={self._store.port}
repo1-storage-ca-file={self._certificates.authority}
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass={self._cipher}
repo1-retention-full=2
start-fast=y
compress-type=lz4
log-level-file=off
log-level-console=warn
lock-path={self._folder}
spool-path={self._folder}
[{STANZA}]
pg1-path={data}
pg1-port={port}
pg1-socket-path={self._folder}
pg1-user=postgres
"""
        )
        if self._user:
            shutil.chown(config, self._user, self._user)
        return f"{program('pgbackrest')} --config={config} --stanza={STANZA} archive-push %p"

    def begin(self, name: str, password: str) -> None:
        """Make the bucket and what pgBackRest keeps in it; the server leads.

        Raises:
            subprocess.CalledProcessError: It could not.
        """
        self._store.make_bucket(BUCKET)
        self._run(name, password, "stanza-create")

    def back_up(self, name: str, password: str) -> None:
        """Take a base back-up of a server that leads.

        Raises:
            subprocess.CalledProcessError: It could not.
        """
        self._run(name, password, "--type=full", "backup")

    def restore(self, name: str, password: str, target: Path, moment: str) -> RestoredServer:
        """Put the database together as it was at a moment, and let a server of its own read it.

        Args:
            name: Whose configuration is used.
            password: Of PostgreSQL's superuser.
            target: An empty folder, the server's from now on.
            moment: As PostgreSQL writes one, with its zone.

        Raises:
            subprocess.CalledProcessError: It could not.
            TimeoutError: The server does not come to that moment.
        """
        target.mkdir(mode=0o700)
        if self._user:
            shutil.chown(target, self._user, self._user)
        options = ["--type=time", f"--target={moment}", "--target-action=promote"]
        self._run(name, password, f"--pg1-path={target}", *options, "restore")
        port = free_port()
        server = RestoredServer(self._server(target, port), port, password)
        server.start()
        return server

    def _server(self, target: Path, port: int) -> Part:
        """A server without Patroni. What Patroni said of the former one does not hold here."""
        settings = {
            "port": port,
            "hba_file": target / "pg_hba.conf",
            "ident_file": target / "pg_ident.conf",
            **BY_HAND,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = ["postgres", "-D", str(target), *options]
        return Part("restored", command, self._folder, user=self._user)

    def _config(self, name: str) -> Path:
        return self._folder / f"{name}.pgbackrest.conf"

    def _run(self, name: str, password: str, *arguments: str) -> None:
        config = ["--config", str(self._config(name)), f"--stanza={STANZA}"]
        user = self._user if os.geteuid() == 0 and self._user else None
        subprocess.run(
            [program("pgbackrest"), *config, *arguments],
            env={**os.environ, "PGPASSWORD": password},
            user=user,
            group=user,
            extra_groups=[] if user else None,
            cwd="/",
            check=True,
        )


class RestoredServer(msgspec.Struct, frozen=True):
    """A PostgreSQL server of a restored data folder.

    Attributes:
        part: Its process.
        port: Where it listens.
        password: Of its superuser.
    """

    part: Part
    port: int
    password: str

    def start(self) -> None:
        """Start it, and wait until it has come to the wanted moment and takes writes.

        Raises:
            TimeoutError: It ended, or never does.
        """
        self.part.start()
        wait_until(self._is_ready, "恢复的数据库没有就绪", [self.part])

    def stop(self) -> None:
        """End it in order (`pg_ctl -m fast stop`), so that Patroni finds a server that is done."""
        self.part.stop(signal.SIGINT)

    def connect(self, database: str) -> psycopg.Connection:
        """A connection of the superuser's.

        Raises:
            psycopg.Error: It does not answer.
        """
        return psycopg.connect(
            f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"
            f" password={self.password} sslmode=require connect_timeout=3"
        )

    def _is_ready(self) -> bool:
        try:
            with self.connect("postgres") as connection:
                row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
        except psycopg.Error:
            return False
        return row is not None and not row[0]
