"""Moving a video between open and protected in the data folder: whole, and never open by mistake.
Another store has nothing to move (`test_another_store.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.playback.tables import asset
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.workflows import protection
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.protection import move_to_category, restore_places
from tests.conftest import Client

VIDEO, KEY = 100, "asset00000100"


@pytest.fixture(scope="session")
def store() -> str:
    """In a bucket nothing moves: an asset's row says who reads its files."""
    return "folder"


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    filled.objects.put_if_absent(f"media/public/{KEY}/360/s00001.m4s", b"segment")
    opened = Client(filled)
    yield opened
    opened.close()


def places(services: Services) -> set[str]:
    areas = ("public", "protected")
    return {area for area in areas if services.objects.has_any(f"media/{area}/{KEY}/")}


def row(services: Services) -> tuple[int, bool]:
    statement = sa.select(video.c.category_id, asset.c.is_protected).join(
        asset, asset.c.key == video.c.asset_key
    )
    with services.database.read() as connection:
        found = connection.execute(statement.where(video.c.id == VIDEO)).one()
    return found.category_id, found.is_protected


def status(client: Client) -> int:
    client.application.look_for_changes()
    return client.get(f"/media/{KEY}/360/s00001.m4s").status_code


def test_into_the_lock_and_out(client: Client) -> None:
    services = client.services
    assert status(client) == 200
    move_to_category(services, VIDEO, "分享解锁")
    assert (places(services), row(services), status(client)) == ({"protected"}, (73, True), 403)
    assert client.rescont(f"/api/videoplay/{VIDEO}")["is_lock"] is True
    move_to_category(services, VIDEO, 73)
    assert places(services) == {"protected"}
    move_to_category(services, VIDEO, 2)
    assert (places(services), row(services), status(client)) == ({"public"}, (2, False), 200)
    assert client.rescont(f"/api/videoplay/{VIDEO}")["videopath"] != ""
    assert restore_places(services) == 0


def test_what_does_not_exist(client: Client) -> None:
    with pytest.raises(NotFoundError):
        move_to_category(client.services, 999, 73)
    with pytest.raises(InvalidInputError):
        move_to_category(client.services, VIDEO, 55)
    assert places(client.services) == {"public"}


def test_not_while_it_is_imported(client: Client) -> None:
    folders = JobFolders(client.services.data_dir / "jobs")
    with folders.gate():
        job = folders.begin(KEY)
    with job, pytest.raises(ImportBusyError):
        move_to_category(client.services, VIDEO, 73)
    assert (places(client.services), row(client.services)[1]) == ({"public"}, False)


@pytest.mark.parametrize("is_killed", [True, False])
def test_a_fault_while_locking_leaves_it_as_it_was(
    client: Client, monkeypatch: pytest.MonkeyPatch, *, is_killed: bool
) -> None:
    def fail(*_: object, **__: object) -> None:
        if is_killed:  # nothing is put back: as after a kill
            monkeypatch.setattr(protection, "move_files", lambda *_, **__: False)
        raise OSError("the disk is full")

    monkeypatch.setattr(protection, "_write_category", fail)
    with suppress(OSError):
        move_to_category(client.services, VIDEO, 73)
    if is_killed:
        assert status(client) == 403  # closed rather than open
    monkeypatch.undo()
    assert restore_places(client.services) == int(is_killed)
    assert (places(client.services), row(client.services), status(client)) == (
        {"public"},
        (1, False),
        200,
    )


def test_a_kill_while_opening_is_finished_later(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    move_to_category(client.services, VIDEO, 73)
    monkeypatch.setattr(protection, "move_files", lambda *_, **__: False)
    move_to_category(client.services, VIDEO, 2)
    assert status(client) == 403
    monkeypatch.undo()
    assert restore_places(client.services) == 1
    assert (places(client.services), status(client)) == ({"public"}, 200)


def test_a_locked_video_whose_files_are_open_is_closed(client: Client) -> None:
    with client.services.database.write() as connection:
        connection.execute(sa.update(asset).where(asset.c.key == KEY).values(is_protected=True))
    assert restore_places(client.services) == 1
    assert (places(client.services), status(client)) == ({"protected"}, 403)
