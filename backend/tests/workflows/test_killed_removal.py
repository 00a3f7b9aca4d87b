"""kill -9 at every step of removing, restoring and purging: whatever is in the bin or gone nobody
reads, and what the kill left is settled without advice to remove anything.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import removed_video, video
from liuying.core.playback.tables import asset, rendition
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.workflows.doctor.files import examine_files
from liuying.workflows.editing import edit_video
from liuying.workflows.pictures import names_of
from liuying.workflows.removal import remove_videos
from liuying.workflows.video_meta import GivenMeta
from tests.conftest import Client
from tests.workflows.published import publish_file
from tests.workflows.test_pictures import picture

VIDEO, KEY = 105, "asset00000105"
NAMES = ("v1.m3u8", "360/index.m3u8", "720/index.m3u8")
# Does one thing and kills itself right before or after a step of it.
SCRIPT = """
import os, signal, sys
from liuying.installation.services import open_services
from liuying.installation.environment import read_settings
from liuying.workflows import purging, removal

data, what, holder, step, when = sys.argv[1:]
target = {"queries": removal.removal, "removal": removal, "purging": purging}[holder]
original = getattr(target, step)

def dying(*arguments, **named):
    if when == "after":
        original(*arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(target, step, dying)
services = open_services(read_settings({**os.environ, "LIUYING_DATA_DIR": data}))
if what == "purge":
    purging.purge_video(services, 105)
else:
    getattr(removal, f"{what}_videos")(services, [105])
"""
STEPS = [
    ("remove", "queries", "put_into_bin", "after"),
    ("remove", "removal", "settle", "before"),
    ("remove", "removal", "settle", "after"),
    ("remove", "removal", "settle_pictures", "before"),
    ("remove", "removal", "settle_pictures", "after"),
    ("restore", "queries", "take_from_bin", "before"),
    ("restore", "queries", "take_from_bin", "after"),
    ("restore", "removal", "move_files", "before"),
    ("restore", "removal", "move_files", "after"),
    ("restore", "removal", "settle_pictures", "after"),
    ("purge", "removal", "move_files", "after"),
    ("purge", "purging", "delete_row", "after"),
    ("purge", "purging", "_remove_files", "before"),
    ("purge", "purging", "settle_pictures", "after"),
    ("purge", "purging", "forget_original", "before"),
]


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    for name in NAMES:
        publish_file(filled, f"/media/{KEY}/{name}", b"#EXTM3U\n#EXT-X-ENDLIST\n")
    with filled.database.write() as connection:
        # Of the other videos there are no files.
        others = sa.select(asset.c.key).where(asset.c.key != KEY)
        connection.execute(sa.delete(video).where(video.c.asset_key.in_(others)))
        connection.execute(sa.delete(rendition).where(rendition.c.asset_key != KEY))
    edit_video(filled, VIDEO, GivenMeta(), picture("teal"))
    opened = Client(filled)
    yield opened
    opened.close()


def state(services: Services) -> str:
    with services.database.read() as connection:
        is_there = connection.execute(sa.select(video.c.id).where(video.c.id == VIDEO)).first()
        statement = sa.select(removed_video).where(removed_video.c.video_id == VIDEO)
        is_removed = connection.execute(statement).first()
    return "removed" if is_removed else "shown" if is_there else "gone"


def statuses(client: Client, names: list[str]) -> set[int]:
    paths = [f"/media/{KEY}/{name}" for name in NAMES]
    paths += [f"/enc/{name}.bin" for name in names]
    return {client.get(path).status_code for path in paths}


def advice(services: Services) -> set[str]:
    """What doctor finds wrong with media."""
    with services.database.read() as connection:
        found = list(examine_files(connection, services.objects, is_quick=True))
    return {one.topic for one in found if one.topic.startswith("media")}


@pytest.mark.parametrize(
    ("what", "holder", "step", "when"), STEPS, ids=[f"{a}-{d}-{c}" for a, _, c, d in STEPS]
)
def test_killed(client: Client, what: str, holder: str, step: str, when: str) -> None:
    services = client.services
    with services.database.read() as connection:
        cover = connection.execute(sa.select(video.c.cover).where(video.c.id == VIDEO)).scalar()
    names = names_of(cover)
    assert (statuses(client, names), advice(services)) == ({200}, set())
    if what == "restore":
        remove_videos(services, [VIDEO])
    arguments = [str(services.data_dir), what, holder, step, when]
    killed = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], timeout=60, check=False)
    assert killed.returncode == -9

    found = state(services)
    assert advice(services) <= {"media-misplaced"}
    media = {client.get(f"/media/{KEY}/{name}").status_code for name in NAMES}
    # Of what has just been taken out of the bin or put into it, files follow their row.
    assert statuses(client, names) == {404} or (what, found) != ("restore", "removed")
    assert media == {404} or found != "gone"
    Housekeeping(services).settle()
    expected = {"shown": {200}, "removed": {404}, "gone": {404}}[found]
    assert (state(services), statuses(client, names)) == (found, expected)
    assert advice(services) == set()
