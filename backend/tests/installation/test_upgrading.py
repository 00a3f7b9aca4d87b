"""Upgrades from each release: its database and data folder, as it wrote them, brought up to date by
processes that are killed at each migration. Nothing is lost, and there is no way back.

`releases/` holds a data folder of each release, made by that release's own commands and calls: four
films imported, one of them taken down, one hidden, one locked; content of every kind; visitors with
favourites, reports and searches.
"""

from __future__ import annotations

import base64
import hashlib
import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from liuying.features.embedding.signing_keys import SigningKeys
from liuying.installation.doctor import examine
from liuying.installation.migrating import MIGRATIONS, known_revisions
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.database import Database
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.workflows.doctor.findings import Severity
from liuying.workflows.queries.database import note_oldest_reader, revision
from liuying.workflows.queries.moving import last_number, note_last_number
from tests.command_line import Run, run
from tests.conftest import drop_database, new_database
from tests.deploy.served import PATIENCE_S, served
from tests.installation.killed_upgrade import NOW, killed_upgrade, upgrade

__all__ = ["run"]

RELEASES = sorted((Path(__file__).parent / "releases").glob("*.tar.xz"))
# The word index is the engine's own and cannot be read row by row; the doctor compares it.
INDEX = ("search_words", "search_readings", "search_descriptions", "search_index")
# Rows that an upgrade writes anew.
REWRITTEN = {
    "alembic_version": "what an upgrade is about",
    "sqlite_sequence": "numbers are given from the highest that was (migration 0032)",
    "search_spelling": "names are spelled when a video that shows them is indexed",
    "search_spelling_start": "as above",
    "search_state": "says which version of the texts is stored",
}
LOGS = {"change", "video_change"}
LATER_STEP = 3
Content = dict[str, Counter[tuple[tuple[str, str], ...]]]


@pytest.fixture(params=RELEASES, ids=lambda path: path.name.removesuffix(".tar.xz"))
def release(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def unpacked(release: Path, folder: Path) -> Path:
    with tarfile.open(release) as archive:
        archive.extractall(folder, filter="data")
    return folder


def content(folder: Path, database: Database) -> Content:
    """All rows of all tables, partners' keys decrypted: their cipher is never the same twice."""
    pepper = json.loads((folder / "secrets.json").read_text())["pepper"]
    keys = SigningKeys(KeyedHashes(base64.b64decode(pepper)))
    found: Content = {}
    with database.read() as connection:
        tables = sa.MetaData()
        names = [
            name for name in sa.inspect(connection).get_table_names() if not name.startswith(INDEX)
        ]
        if database.is_sqlite:
            names.append("sqlite_sequence")
        tables.reflect(connection, only=lambda name, _: name in names)
        for name in tables.tables:
            table = tables.tables[name]
            rows = [dict(row) for row in connection.execute(sa.select(table)).mappings()]
            if name in LOGS and not database.is_sqlite:
                # Numbers that a killed process has drawn are not drawn again.
                rows = [{**row, "seq": 0} for row in rows]
            if name == "vendor":
                rows = [row | {"key": keys.open(row["id"], row["key"])} for row in rows]
            found[name] = Counter(
                tuple((column, repr(row[column])) for column in sorted(row)) for row in rows
            )
    return found


def digest(found: Content) -> dict[str, tuple[int, str]]:
    """Number and hash sum of the rows of each table."""
    return {
        name: (rows.total(), hashlib.sha256(repr(sorted(rows.items())).encode()).hexdigest())
        for name, rows in found.items()
    }


def files(folder: Path) -> dict[str, str]:
    """Hash sums of the files beside the database."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(("liuying.db", "."))
    }


def lost(before: Content, after: Content) -> list[object]:
    """Rows of before that are not there any more, by the columns that are."""
    missing: list[object] = []
    for name, rows in before.items():
        if name in REWRITTEN:
            continue
        if name not in after:
            missing.append(name)
            continue
        kept = {column for row in after[name] for column, _ in row}
        kept = kept or {column for row in rows for column, _ in row}
        left = Counter(tuple(one for one in row if one[0] in kept) for row in rows.elements())
        columns = {column for row in rows for column, _ in row}
        left -= Counter(
            tuple(one for one in row if one[0] in columns) for row in after[name].elements()
        )
        missing += [(name, row) for row in left]
    return missing


def copied_to(server: str, folder: Path) -> None:
    """What a SQLite database of a release holds, in PostgreSQL as the same release has it."""
    source = Database(f"sqlite:///{folder / 'liuying.db'}")
    target = Database(server)
    with source.read() as old, target.write() as new:
        found = str(old.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = new
        command.upgrade(config, found)
        tables = sa.MetaData()
        tables.reflect(new)
        copied = [
            table
            for table in tables.sorted_tables
            if table.name != "alembic_version" and not table.name.startswith(INDEX)
        ]
        for table in reversed(copied):
            new.execute(sa.delete(table))
        for table in copied:
            # As PostgreSQL has its columns: texts of JSON are decoded.
            columns = [sa.column(one.name, one.type) for one in table.columns]
            statement = sa.select(*columns).select_from(sa.table(table.name))
            rows = [dict(row) for row in old.execute(statement).mappings()]
            if rows:
                new.execute(sa.insert(table), rows)
                note_last_number(new, table, last_number(new, table))
    source.close()
    target.close()


def kill_at_each_migration(folder: Path, database: Database, url: str, whole: list[str]) -> int:
    """Kill as many upgrades, one after the other on the same data, until one reaches its end.

    Args:
        whole: The statements of an upgrade that nobody interrupts.

    Returns:
        How many were killed.
    """
    begun = found_revision(database)
    # Each was done, but for the note of it.
    places = [
        number
        for number, statement in enumerate(whole, 1)
        if statement.startswith("UPDATE alembic_version")
    ]
    assert len(places) == known_revisions().index(begun)
    for place in places:
        assert killed_upgrade(folder, url, place)
        assert found_revision(database) == begun
    # All of them stand or none: the last statements before and the first ones after.
    place, killed = places[-1], len(places)
    while found_revision(database) == begun:
        place, killed = place + 1, killed + 1
        assert killed_upgrade(folder, url, place)
    # What follows is done in pieces, and the next process begins with the first that is missing.
    place = 1
    while killed_upgrade(folder, url, place):
        place, killed = place + LATER_STEP, killed + 1
    return killed


def found_revision(database: Database) -> str:
    with database.read() as connection:
        return revision(connection)


@pytest.fixture
def places(
    release: Path, tmp_path: Path, engine: str, request: pytest.FixtureRequest
) -> Iterator[list[tuple[Path, str]]]:
    """Two installations of the release, each with the address of its database."""
    folders = [unpacked(release, tmp_path / name) for name in ("whole", "killed")]
    if engine == "sqlite":
        yield [(folder, "") for folder in folders]
        return
    urls = [new_database(request.getfixturevalue("postgres")) for _ in folders]
    for folder, url in zip(folders, urls, strict=True):
        copied_to(url, folder)
        (folder / "liuying.db").unlink()
    yield list(zip(folders, urls, strict=True))
    for url in urls:
        drop_database(url)


def test_an_upgrade_that_is_killed_at_each_migration_loses_nothing(
    places: list[tuple[Path, str]],
) -> None:
    (whole, whole_url), (folder, url) = places
    databases = [
        Database(address or f"sqlite:///{place / 'liuying.db'}") for place, address in places
    ]
    before, kept = content(folder, databases[1]), files(folder)
    assert sum(rows.total() for rows in before.values()) > 100
    statements = upgrade(whole, whole_url)
    assert (
        kill_at_each_migration(folder, databases[1], url, statements) > len(known_revisions()) // 2
    )
    upgrade(folder, url)
    expected, reached = content(whole, databases[0]), content(folder, databases[1])
    assert digest(reached) == digest(expected)
    assert lost(before, reached) == []
    after = files(folder)
    assert {name: after.get(name) for name in kept} == kept
    for database in databases:
        database.close()
    look_at_site(folder, url)


def look_at_site(folder: Path, url: str) -> None:
    """The doctor finds nothing wrong, and what was there before plays and is found."""
    services = open_services(Settings(data_dir=folder, database_url=url), lambda: NOW)
    findings = examine(services.settings, services.clock, is_quick=False)
    assert [one.sentence for one in findings if one.severity is Severity.ERROR] == []
    with served(services) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        film = client.get("/api/videoplay/1", timeout=PATIENCE_S).json()["rescont"]
        assert film["title"] == "海边的浪"
        assert client.get(film["videopath"]).text.startswith("#EXTM3U")
        found = client.get("/api/videoSearch", params={"keyword": "海边", "page": 1, "size": 5})
        assert found.status_code == 200, found.text
    services.database.close()


@pytest.mark.parametrize(
    "words", [("migrate",), ("serve",), ("video", "list"), ("backup", "x.tar")]
)
def test_an_older_program_says_in_one_line_that_there_is_no_way_back(
    run: Run, release: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Of a version whose migrations it does not know, and which takes away what it needs."""
    folder = unpacked(release, tmp_path / "data")
    upgrade(folder, "")
    database = Database(f"sqlite:///{folder / 'liuying.db'}")
    with database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        note_oldest_reader(connection, "9999")
    before = digest(content(folder, database))
    said = run(folder, *words)
    assert said.exit_code != 0
    assert said.output.splitlines() == ["数据库来自更新的版本，请升级流影，或恢复升级前的备份"]
    assert digest(content(folder, database)) == before
    database.close()


def test_a_lost_row_is_told() -> None:
    row, other = (("id", "1"), ("title", "'x'")), (("id", "2"), ("title", "'y'"))
    before: Content = {"video": Counter([row, other]), "tab": Counter([row])}
    further: Content = {"video": Counter([(*row, ("views", "0"))]), "topic": Counter()}
    assert lost(before, further) == [("video", other), "tab"]
    assert lost({"video": Counter([row])}, further) == []
