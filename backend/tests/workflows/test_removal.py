"""The bin: at once nobody sees or reads a removed video, and it comes back as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import removed_video, video
from liuying.core.playback.signed_urls import sign_prefix
from liuying.core.playback.tables import asset
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.media.production import Production
from liuying.workflows import mending, protection, purging, removal, subtitle_files
from liuying.workflows.backup import write_backup
from liuying.workflows.editing import set_hidden
from liuying.workflows.import_result import Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.protection import move_to_category, restore_places
from liuying.workflows.removal import KEPT_DAYS, remove_videos, restore_videos
from liuying.workflows.video_meta import VideoMeta
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.media.clips import FAST
from tests.workflows.published import renditions_of, row_of

VIDEO, KEY = 100, "asset00000100"
SEGMENT = f"{KEY}/360/s00001.m4s"
AREAS = ("public", "protected", "removed")


@pytest.fixture(scope="session")
def store() -> str:
    """In a bucket nothing moves: an asset's row says who reads its files."""
    return "folder"


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    filled.objects.put_if_absent(f"media/public/{SEGMENT}", b"segment")
    with filled.database.write() as connection:
        connection.execute(sa.update(asset).where(asset.c.key == KEY).values(state="complete"))
    opened = Client(filled)
    yield opened
    opened.close()


def places(services: Services) -> set[str]:
    return {area for area in AREAS if services.objects.has_any(f"media/{area}/{KEY}/")}


def seen(client: Client) -> tuple[int, int, int]:
    """Status of its page and its file, and how many videos lists have."""
    client.application.look_for_changes()
    return (
        client.get(f"/api/videoplay/{VIDEO}").status_code,
        client.get(f"/media/{SEGMENT}").status_code,
        client.rescont("/api/videosort/0")["total"],
    )


def test_into_the_bin_and_back(client: Client) -> None:
    before = seen(client)
    assert before[:2] == (200, 200)
    remove_videos(client.services, [VIDEO, VIDEO])
    assert (seen(client), places(client.services)) == ((404, 404, before[2] - 1), {"removed"})
    remove_videos(client.services, [VIDEO])
    restore_videos(client.services, [VIDEO])
    assert (seen(client), places(client.services)) == (before, {"public"})


def test_a_signed_address_ends_with_it(client: Client) -> None:
    services = client.services
    move_to_category(services, VIDEO, 73)
    signed = f"/media/r/{sign_prefix(services.hashes, KEY, NOW).text}/{SEGMENT}"
    assert client.get(signed).status_code == 200
    remove_videos(services, [VIDEO])
    assert client.get(signed).status_code == 404
    restore_videos(services, [VIDEO])
    assert (client.get(signed).status_code, places(services)) == (200, {"protected"})


def test_what_was_hidden_stays_hidden(client: Client) -> None:
    set_hidden(client.services, [VIDEO], is_hidden=True)
    remove_videos(client.services, [VIDEO])
    with pytest.raises(InvalidInputError, match="回收站"):
        set_hidden(client.services, [VIDEO], is_hidden=False)
    restore_videos(client.services, [VIDEO])
    assert seen(client)[0] == 404
    set_hidden(client.services, [VIDEO], is_hidden=False)
    assert seen(client)[0] == 200


def test_all_or_none(client: Client) -> None:
    with pytest.raises(NotFoundError):
        remove_videos(client.services, [VIDEO, 999])
    assert seen(client)[:2] == (200, 200)
    with pytest.raises(InvalidInputError):
        restore_videos(client.services, [VIDEO])


def test_a_kill_before_the_files_move_is_finished_later(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(removal, "settle", die)
    with suppress(KeyboardInterrupt):
        remove_videos(client.services, [VIDEO])
    assert places(client.services) == {"public"}
    Housekeeping(client.services).settle()
    assert places(client.services) == {"removed"}
    assert restore_places(client.services) == 0


def test_a_fault_while_it_comes_back_leaves_it_in_the_bin(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_videos(client.services, [VIDEO])

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(removal, "move_files", fail)
    with pytest.raises(OSError, match="full"):
        restore_videos(client.services, [VIDEO])
    assert seen(client)[:2] == (404, 404)
    monkeypatch.undo()
    restore_videos(client.services, [VIDEO])
    assert seen(client)[:2] == (200, 200)


@pytest.mark.parametrize("state", ["low", "complete"])
def test_while_somebody_works_with_its_files(client: Client, state: str) -> None:
    """An import may go on for hours, and publishes nothing more; others are done soon."""
    services = client.services
    with services.database.write() as connection:
        connection.execute(sa.update(asset).where(asset.c.key == KEY).values(state=state))
    folders = JobFolders(services.layout.jobs)
    with folders.gate():
        job = folders.begin(KEY)
    with job:
        remove_videos(services, [VIDEO])
        assert seen(client)[0] == 404
        assert places(services) == ({"removed"} if state == "low" else {"public"})
        with pytest.raises(ImportBusyError):
            restore_videos(services, [VIDEO])
    Housekeeping(services).settle()
    assert places(services) == {"removed"}


@pytest.mark.parametrize("kind", ["category", "subtitles", "mending"])
def test_files_in_use_follow_when_whoever_uses_them_is_done(
    client: Client, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    services = client.services

    def remove_meanwhile(*_: object, **__: object) -> bool:
        remove_videos(services, [VIDEO])
        assert places(services) == {"public"}
        return True

    if kind == "category":
        write = protection._write_category

        def write_and_remove(*given: Any, **named: Any) -> None:
            write(*given, **named)
            remove_meanwhile()

        monkeypatch.setattr(protection, "_write_category", write_and_remove)
        move_to_category(services, VIDEO, 1)
    elif kind == "subtitles":
        monkeypatch.setattr(subtitle_files, "_write", remove_meanwhile)
        subtitle_files.set_track(services, VIDEO, "en", "English", "WEBVTT\n")
    else:
        monkeypatch.setattr(mending._Mending, "__init__", lambda *_: None)
        monkeypatch.setattr(mending._Mending, "run", remove_meanwhile)
        mending.mend_video(services, VIDEO)
    assert places(services) == {"removed"}


def test_what_is_taken_out_while_others_are_purged_stays(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Purging a hundred videos takes minutes."""
    services = client.services
    remove_videos(services, [VIDEO, 101])
    purge = purging.purge_video

    def restore_first(*given: Any, **named: Any) -> None:
        monkeypatch.setattr(purging, "purge_video", purge)
        restore_videos(services, [VIDEO, 101])
        purge(*given, **named)

    monkeypatch.setattr(purging, "purge_video", restore_first)
    purging.purge_expired(services, NOW + (KEPT_DAYS + 1) * DAY_MS)
    assert seen(client)[:2] == (200, 200)
    assert client.get("/api/videoplay/101").status_code == 200


def test_it_is_purged_after_thirty_days(client: Client) -> None:
    services = client.services
    remove_videos(services, [VIDEO])

    def keep_house(days: float) -> int:
        later = msgspec.structs.replace(services, clock=lambda: NOW + int(days * DAY_MS))
        Housekeeping(later).empty_bin()
        with services.database.read() as connection:
            found = connection.execute(sa.select(video).where(video.c.id == VIDEO)).all()
        return len(found)

    assert (keep_house(KEPT_DAYS), places(services)) == (1, {"removed"})
    assert (keep_house(KEPT_DAYS + 0.01), places(services)) == (0, set())
    with services.database.read() as connection:
        assert not connection.execute(sa.select(removed_video)).all()


def test_a_backup_brings_it_along(client: Client, filled: Services) -> None:
    remove_videos(filled, [VIDEO])
    target = filled.data_dir.parent / "backup.tar"
    report = write_backup(filled, target, lambda _: None, with_media=True, with_originals=False)
    assert KEY not in report.missing


def test_an_import_publishes_nothing_more(
    services: Services, tall_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_rest = Production.make_rest

    def remove_meanwhile(self: Production, report: Callable[[float], None]) -> object:
        remove_videos(services, [1])
        return make_rest(self, report)

    monkeypatch.setattr(Production, "make_rest", remove_meanwhile)
    with pytest.raises(InvalidInputError, match="回收站"):
        import_file(services, tall_clip, VideoMeta(), settings=FAST)
    monkeypatch.undo()
    key = row_of(services, 1).asset_key
    left = [one.key for one in services.objects.objects(f"media/public/{key}/")]
    assert left == []
    assert {one.label for one in renditions_of(services, key)} == {"360P"}
    with pytest.raises(InvalidInputError, match="回收站"):
        import_file(services, tall_clip, VideoMeta(), settings=FAST)
    restore_videos(services, [1])
    result = import_file(services, tall_clip, VideoMeta(), settings=FAST)
    assert (result.video_id, result.outcome) == (1, Outcome.CONTINUED)
    assert len(renditions_of(services, key)) > 1
