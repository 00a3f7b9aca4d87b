"""Files of the web builds of other versions, while machines are upgraded one by one and for a week
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
import sqlalchemy as sa

from liuying.http import kept_assets
from liuying.http.kept_assets import KeptAssets
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS
from liuying.kit.web_files import WebFiles
from liuying.workflows.queries.web_assets import asset_paths, prune_assets, web_asset
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.deploy.served import PATIENCE_S, served

OWN, OTHER = "/assets/home-AAAAaaaa.js", "/assets/home-BBBBbbbb.js"
SCRIPT = b"console.log('b');" * 100


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def build(folder: Path, path: str, content: bytes) -> Path:
    """A web build of one hashed file."""
    file = folder / path.removeprefix("/")
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    (folder / "favicon.svg").write_text("<svg/>")
    return folder


def with_build(services: Services, folder: Path) -> Services:
    return msgspec.structs.replace(
        services, settings=msgspec.structs.replace(services.settings, web_dir=folder)
    )


@pytest.fixture
def other(services: Services, tmp_path: Path) -> KeptAssets:
    """A process of another version on the same database."""
    files = WebFiles(build(tmp_path / "other", OTHER, SCRIPT), ())
    return KeptAssets(services.database, services.clock, files)


@pytest.fixture
def client(services: Services, tmp_path: Path) -> Iterator[Client]:
    """A client of this version."""
    opened = Client(with_build(services, build(tmp_path / "own", OWN, b"own")))
    yield opened
    opened.close()


def test_either_version_sends_the_files_of_the_other(client: Client, other: KeptAssets) -> None:
    assert client.get(OTHER).status_code == 404
    assert other.note()
    assert not other.note()  # Nothing is new: nobody has to be waited for.
    kept_assets_of(client)._looked_at = -1.0
    found = client.get(OTHER)
    assert (found.status_code, found.content) == (200, SCRIPT)
    assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert found.headers["content-type"] == "text/javascript"
    packed = client.get(OTHER, headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert client.get(OWN).content == b"own"


def kept_assets_of(client: Client) -> KeptAssets:
    return client.application._kept_assets


def test_names_that_nobody_has_cost_one_look(
    client: Client, other: KeptAssets, monkeypatch: pytest.MonkeyPatch
) -> None:
    other.note()
    looks = []

    def counted(connection: sa.Connection) -> set[str]:
        looks.append(1)
        return asset_paths(connection)

    monkeypatch.setattr(kept_assets, "asset_paths", counted)
    monkeypatch.setattr(kept_assets, "LOOK_EVERY_S", 3600.0)
    for number in range(20):
        assert client.get(f"/assets/home-{number:08}.js").status_code == 404
    assert client.get("/assets/../secrets-12345678.json").status_code == 404
    assert len(looks) == 1
    assert client.get(OTHER).status_code == 200


def test_they_are_kept_for_a_week(services: Services, client: Client, other: KeptAssets) -> None:
    other.note()
    for days, count in ((6, 1), (8, 0)):
        with services.database.write() as connection:
            prune_assets(connection, NOW + days * DAY_MS)
            rows = connection.execute(sa.select(web_asset.c.path)).all()
        assert len(rows) == count
    assert client.get(OTHER).status_code == 404


def test_a_process_notes_its_files_before_it_serves(services: Services, tmp_path: Path) -> None:
    folder = build(tmp_path / "own", OWN, b"own")
    with served(with_build(services, folder)) as port:
        # Its first answer.
        assert httpx.get(f"http://127.0.0.1:{port}/favicon.svg", timeout=PATIENCE_S).text
        with services.database.read() as connection:
            rows = connection.execute(sa.select(web_asset.c.path, web_asset.c.content)).all()
    # What has no hash in its name is the newest version's.
    assert [tuple(row) for row in rows] == [(OWN, b"own")]
