"""The documented way back to a moment (docs/operating.md#pitr), with PostgreSQL and pgBackRest."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from liuying_cluster.backups import BY_HAND

from liuying.installation.database_files import ARCHIVE_COMMAND
from tests.deploy.documented import documented
from tests.deploy.served import free_port
from tests.waiting import wait_until

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
PGBACKREST = shutil.which("pgbackrest")
# PostgreSQL does not run as root.
USER = "postgres" if os.geteuid() == 0 else ""
FIRST, START, ASK = "cd /usr/lib/postgresql/15/bin; data=", "-t 3600", "pg_is_in_recovery"
CONFIGURATION = """\
[global]
repo1-path={folder}/repository
lock-path={folder}
spool-path={folder}
log-level-file=off
start-fast=y
compress-type=none
[liuying]
pg1-path={folder}/data
pg1-socket-path={folder}
pg1-port={port}
"""


class Server:
    """A server of one's own, in a folder of its own, and a shell that has the page's commands act
    on it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.data = folder / "data"
        self.port = free_port()
        # As sudo and install would, with the user that there is.
        become = f"runuser -u {USER} -- " if USER else ""
        owned = "-o postgres -g postgres" if USER else ""
        self._before = (
            f'sudo() {{ shift 2; {become}"$@"; }}\n'
            f'install() {{ command install -d {owned} -m 700 "${{@: -1}}"; }}\n'
        )

    def shell(self, commands: str) -> str:
        """What commands of the page say.

        Raises:
            AssertionError: One failed.
        """
        text = commands.replace("/var/lib/postgresql/15/liuying", str(self.data))
        text = text.replace("/var/run/postgresql", str(self._folder))
        said = self._folder / "said"
        own = {"PGBACKREST_CONFIG": str(self._folder / "pgbackrest.conf"), "PGPORT": str(self.port)}
        # A server keeps what it inherits: a pipe would never end, the same file would be its log.
        said.unlink(missing_ok=True)
        with said.open("w") as file:
            done = subprocess.run(
                ["bash", "-euc", self._before + text],  # noqa: S607
                env={**os.environ, **own},
                cwd=PROGRAMS,
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
            )
        assert done.returncode == 0, said.read_text()
        return said.read_text()

    def run(self, command: str) -> str:
        """What one command says, as the user of PostgreSQL."""
        return self.shell(f"sudo -u postgres {command}")

    def ask(self, statement: str) -> str:
        """What it answers, without names of columns."""
        words = ("psql", "-h", "/var/run/postgresql", "-d", "postgres", "-Atc", statement)
        return self.run(shlex.join(words)).strip()

    def archive_elsewhere(self) -> None:
        """Give the log a new place."""
        file = self._folder / "pgbackrest.conf"
        file.write_text(file.read_text().replace("/repository", "/repository-2"))

    def stop(self) -> None:
        """End it, where it runs."""
        if (self.data / "postmaster.pid").exists():
            self.run(f"./pg_ctl -D {self.data} -m immediate stop")


@pytest.fixture
def server() -> Iterator[Server]:
    """It archives its log, and there is a base back-up of it, empty."""
    with TemporaryDirectory(dir="/tmp") as text:  # Paths of sockets are short.
        folder = Path(text)
        server = Server(folder)
        (folder / "pgbackrest.conf").write_text(
            CONFIGURATION.format(folder=folder, port=server.port)
        )
        if USER:
            shutil.chown(folder, USER, USER)
        server.run(f"./initdb -D {server.data} --auth=trust --no-sync --encoding=UTF8")
        with (server.data / "postgresql.conf").open("a") as file:
            file.write(
                "listen_addresses = ''\n"
                f"port = {server.port}\n"
                f"unix_socket_directories = '{folder}'\n"
                "archive_mode = on\n"
                f"archive_command = '{ARCHIVE_COMMAND}'\n"
                "fsync = off\n"
            )
        try:
            server.run(f"./pg_ctl -D {server.data} -w start")
            server.run("pgbackrest --stanza=liuying stanza-create")
            server.ask("CREATE TABLE kept (name text)")
            server.run("pgbackrest --stanza=liuying --type=full backup")
            # Ends of back-ups are noted in whole seconds, and it wants a later one.
            ended = int(time.time())
            wait_until(lambda: int(time.time()) > ended)
            yield server
        finally:
            server.stop()


def restored(server: Server, moment: str) -> str:
    """Follow the page, and tell what the database has then."""
    lines = documented(FIRST).splitlines()
    page = [re.sub(r"--target='[^']*'", f"--target='{moment}'", one) for one in lines]
    place = next(number for number, line in enumerate(page) if ASK in line)
    assert START in page[place - 1]
    server.shell("\n".join(page[:place]))
    wait_until(lambda: server.shell(page[place]).split()[2] == "f")
    found = server.ask("SELECT coalesce(string_agg(name, ' ' ORDER BY name), '') FROM kept")
    server.shell("\n".join([page[0], *page[place + 1 :]]))
    return found


def wait_until_archived(server: Server) -> None:
    """All that was written until now."""
    last = server.ask("SELECT pg_walfile_name(pg_switch_wal())")
    archived = f"SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver"  # noqa: S608
    wait_until(lambda: server.ask(archived) == "t")


def written(server: Server, *names: str) -> list[str]:
    """Keep names one after the other, lose all by mistake, and stop; the moments after each."""
    moments = []
    for name in names:
        server.ask(f"INSERT INTO kept VALUES ('{name}')")  # noqa: S608
        moments.append(server.ask("SELECT clock_timestamp()"))
    server.ask("DELETE FROM kept")
    wait_until_archived(server)
    server.run(f"./pg_ctl -D {server.data} -m fast stop")
    return moments


def take_over(server: Server) -> None:
    """As Patroni does: it takes the target away, starts a standby and promotes it."""
    (server.data / "postgresql.auto.conf").write_text("")
    server.run(f"touch {server.data}/standby.signal")
    server.run(f"./pg_ctl -D {server.data} -w start")
    server.run(f"./pg_ctl -D {server.data} -w promote")


@pytest.mark.skipif(PGBACKREST is None, reason="pgBackRest is not installed: apt install it")
@pytest.mark.skipif(not PROGRAMS.is_dir(), reason="PostgreSQL is not installed: apt install it")
def test_a_later_moment_is_there_after_an_earlier_one_was_looked_at(server: Server) -> None:
    moments = written(server, "a", "b", "c")
    assert [restored(server, moments[number]) for number in (1, 0, 2)] == ["a b", "a", "a b c"]


@pytest.mark.skipif(PGBACKREST is None, reason="pgBackRest is not installed: apt install it")
@pytest.mark.skipif(not PROGRAMS.is_dir(), reason="PostgreSQL is not installed: apt install it")
def test_who_restores_again_after_patroni_took_over_archives_in_a_new_place(server: Server) -> None:
    moments = written(server, "a", "b")
    assert restored(server, moments[0]) == "a"
    take_over(server)
    wait_until_archived(server)
    server.run(f"./pg_ctl -D {server.data} -m fast stop")
    assert restored(server, moments[1]) == "a b"
    server.archive_elsewhere()
    take_over(server)
    server.run("pgbackrest --stanza=liuying stanza-create")
    wait_until_archived(server)


def test_the_drill_starts_a_restored_server_as_the_page_does() -> None:
    line = next(one for one in documented(FIRST).splitlines() if START in one)
    words = shlex.split(shlex.split(line)[-2])
    assert words[::2] == ["-c"] * len(BY_HAND)
    assert dict(one.split("=") for one in words[1::2]) == BY_HAND
