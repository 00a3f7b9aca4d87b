"""Covers of removed and purged videos: nobody reads them from that moment on, however young they
are, unless somebody else shows the same picture.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, video
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.object_keys import picture_key
from liuying.workflows import purging, removal
from liuying.workflows.doctor.files import examine_files
from liuying.workflows.editing import edit_video
from liuying.workflows.pictures import (
    FRESH_S,
    names_of,
    read_picture,
    settle_pictures,
    sweep_pictures,
)
from liuying.workflows.purging import purge_video
from liuying.workflows.queries.pictures import withdrawn_names, withdrawn_picture
from liuying.workflows.removal import remove_videos, restore_videos
from liuying.workflows.video_meta import GivenMeta
from tests.conftest import Client
from tests.workflows.test_pictures import picture

VIDEO, OTHER = 105, 106


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    edit_video(filled, VIDEO, GivenMeta(), picture("teal"))
    opened = Client(filled)
    yield opened
    opened.close()


def cover_names(services: Services, video_id: int = VIDEO) -> list[str]:
    with services.database.read() as connection:
        cover = connection.execute(sa.select(video.c.cover).where(video.c.id == video_id)).scalar()
    return names_of(cover)


def seen(client: Client, names: list[str]) -> set[int]:
    return {client.get(f"/enc/{name}.bin").status_code for name in names}


def withdrawn(services: Services) -> set[str]:
    with services.database.read() as connection:
        return set(withdrawn_names(connection))


def let_pass(services: Services) -> None:
    """As if what is withdrawn were so for long."""
    with services.database.write() as connection:
        statement = sa.update(withdrawn_picture)
        connection.execute(statement.values(withdrawn_at=1000 * (time.time() - 2 * FRESH_S)))


@pytest.mark.parametrize("reason", [None, "版权投诉"])
def test_a_purged_videos_young_cover_is_gone_at_once(client: Client, reason: str | None) -> None:
    names = cover_names(client.services)
    assert (len(names), seen(client, names)) == (2, {200})
    purge_video(client.services, VIDEO, reason)
    assert seen(client, names) == {404}
    let_pass(client.services)
    settle_pictures(client.services.database, client.services.objects)
    assert (seen(client, names), withdrawn(client.services)) == ({404}, set())


def test_one_that_a_restored_backup_brought_is_gone_too(client: Client) -> None:
    names = cover_names(client.services)
    if not client.services.objects.media.is_split:
        pytest.skip("a backup brings no files of a bucket")
    for name in names:  # A restore writes all files anew, perhaps by a clock that is ahead.
        path = client.services.data_dir / picture_key(name)
        os.utime(path, (time.time() - 1, time.time() - 1))
    purge_video(client.services, VIDEO)
    assert seen(client, names) == {404}


def test_into_the_bin_back_and_out_of_it_for_good(client: Client) -> None:
    services = client.services
    names = cover_names(services)
    before = [read_picture(services.database, services.objects, name) for name in names]
    remove_videos(services, [VIDEO])
    assert seen(client, names) == {404}
    assert before == [read_picture(services.database, services.objects, name) for name in names]
    let_pass(services)
    Housekeeping(services).settle()
    assert withdrawn(services) == set(names)
    restore_videos(services, [VIDEO])
    assert (seen(client, names), withdrawn(services)) == ({200}, set())
    remove_videos(services, [VIDEO])
    purge_video(services, VIDEO)
    let_pass(services)
    Housekeeping(services).settle()
    assert (seen(client, names), withdrawn(services)) == ({404}, set())


@pytest.mark.parametrize("how", ["purged", "removed"])
def test_a_picture_that_another_row_shows_stays(client: Client, how: str) -> None:
    services = client.services
    names = cover_names(services)
    edit_video(services, OTHER, GivenMeta(), picture("teal"))
    with services.database.write() as connection:
        shown = connection.execute(sa.select(video.c.cover).where(video.c.id == VIDEO)).scalar()
        connection.execute(sa.update(artist).values(image=shown))
    if how == "purged":
        purge_video(services, VIDEO)
    else:
        remove_videos(services, [VIDEO])
    assert (seen(client, names), withdrawn(services)) == ({200}, set())
    remove_videos(services, [OTHER])
    assert seen(client, names) == {200}
    with services.database.write() as connection:
        connection.execute(sa.update(artist).values(image=None))
    Housekeeping(services).settle()
    assert seen(client, names) == {404}


def test_who_was_about_to_show_it_gets_it_back(client: Client) -> None:
    """The other video's picture is stored before the purge, and its row written after it."""
    services = client.services
    names = cover_names(services)
    with services.database.read() as connection:
        shown = connection.execute(sa.select(video.c.cover).where(video.c.id == VIDEO)).scalar()
    purge_video(services, VIDEO)
    with services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == OTHER).values(cover=shown))
    Housekeeping(services).settle()
    assert (seen(client, names), withdrawn(services)) == ({200}, set())


@pytest.mark.parametrize("how", ["purged", "removed"])
def test_a_kill_before_the_store_is_told_is_made_good(
    client: Client, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    services = client.services
    names = cover_names(services)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        for module in (purging, removal):
            killed.setattr(module, "settle_pictures", die)
        with pytest.raises(KeyboardInterrupt):
            (purge_video if how == "purged" else remove_one)(services, VIDEO)
    Housekeeping(services).settle()
    assert seen(client, names) == {404}


def remove_one(services: Services, video_id: int) -> None:
    remove_videos(services, [video_id])


def test_covers_that_an_earlier_version_left_in_the_store_follow(client: Client) -> None:
    services = client.services
    names = cover_names(services)
    remove_videos(services, [VIDEO])
    with services.database.write() as connection:
        kept = connection.execute(sa.select(withdrawn_picture)).all()
        connection.execute(sa.delete(withdrawn_picture))
    for row in kept:
        services.objects.put_if_absent(picture_key(row.name), row.content)
        if services.objects.media.is_split:
            os.utime(services.data_dir / picture_key(row.name), (1, 1))
    assert sweep_pictures(services.database, services.objects) == 0
    Housekeeping(services).settle()
    assert (seen(client, names), withdrawn(services)) == ({404}, set(names))


def test_doctor_misses_no_withdrawn_picture(client: Client) -> None:
    services = client.services
    names = cover_names(services)
    remove_videos(services, [VIDEO])
    with services.database.read() as connection:
        found = [
            one.sentence
            for one in examine_files(connection, services.objects, is_quick=True)
            if one.topic == "picture-missing"
        ]
    assert not any(name in sentence for sentence in found for name in names)
