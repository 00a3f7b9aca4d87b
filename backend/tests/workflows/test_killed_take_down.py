"""kill -9 from outside while `liuying video takedown` runs: afterwards the video is as it was, or
nobody reads it and the next server takes it down to the end; the command can be repeated.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import removed_video, video
from liuying.core.playback.tables import asset, tombstone
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError
from liuying.kit.object_records import REMOVAL_S
from liuying.workflows.import_video import import_file
from liuying.workflows.taking_down import take_down
from liuying.workflows.video_meta import VideoMeta
from tests.conftest import Client
from tests.made_once import made_once
from tests.media.clips import FAST, h264, make_clip
from tests.workflows.published import visible_files

# Long enough that the fingerprint is not there at once.
ZOOM = ("-f", "lavfi", "-t", "24", "-i", "mandelbrot=s=320x180:r=25:end_scale=0.01")
PATIENCE_S = 60
REASON = "版权投诉"


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "zoom.mp4", lambda path: make_clip(path, *ZOOM, *h264(300)))


def count(services: Services, table: sa.Table) -> int:
    with services.database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def status(services: Services, video_id: int) -> int:
    """What a server that has just been started answers to whoever wants to play the video."""
    client = Client(services)
    code = client.get(f"/api/videoplay/{video_id}").json()["code"]
    client.close()
    return int(code)


def is_being_fingerprinted(services: Services) -> bool:
    return services.layout.jobs.is_dir() and any(services.layout.jobs.glob("*/taken-down.mp4"))


# What is seen from outside when the command is killed.
MOMENTS: dict[str, Callable[[Services], bool]] = {
    "at the start": lambda services: True,
    "in the bin": lambda services: count(services, removed_video) > 0,
    "content refused": lambda services: count(services, tombstone) > 0,
    "fingerprint": is_being_fingerprinted,
    "purged": lambda services: count(services, video) == 0,
}


def command(services: Services, video_id: int) -> subprocess.Popen[bytes]:
    """The command as an operator gives it, in a process of its own."""
    arguments = ["video", "takedown", str(video_id), "--reason", REASON, "--yes"]
    environment = {**os.environ, "LIUYING_DATA_DIR": str(services.data_dir)}
    return subprocess.Popen([sys.executable, "-m", "liuying", *arguments], env=environment)


def kill_at(process: subprocess.Popen[bytes], is_there: Callable[[], bool]) -> None:
    """kill -9 as soon as something is seen; a command that was faster has ended by itself."""
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and not is_there():
        assert time.monotonic() < end, "the command neither got there nor ended"
    process.send_signal(signal.SIGKILL)
    assert process.wait(timeout=PATIENCE_S) in {0, -signal.SIGKILL}


def finish(services: Services) -> None:
    """What a server does after its start. A transcoder that outlived the command is waited for."""
    end = time.monotonic() + PATIENCE_S
    while True:
        Housekeeping(services).settle()
        Housekeeping(services).empty_bin()
        if count(services, tombstone) == 0 or count(services, asset) == 0:
            return
        assert time.monotonic() < end, "it was never taken down to the end"


@pytest.mark.parametrize(
    ("engine", "moment"),
    [
        *(("sqlite", one) for one in MOMENTS),
        ("postgresql", "in the bin"),
        ("postgresql", "fingerprint"),
    ],
    indirect=["engine"],
)
def test_killed(
    services: Services, film: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = import_file(services, film, VideoMeta(title="放大"), settings=FAST)
    files = visible_files(services)
    assert (status(services, done.video_id), files != []) == (200, True)

    kill_at(command(services, done.video_id), lambda: MOMENTS[moment](services))
    is_refused = count(services, tombstone) > 0
    if count(services, removed_video) == 0 and not is_refused:
        # Nothing had happened.
        assert (visible_files(services), status(services, done.video_id)) == (files, 200)
    else:
        assert status(services, done.video_id) == 404
    # In a bucket, what the command was removing is left to it for a while.
    later = time.time() + REMOVAL_S + 1
    monkeypatch.setattr(time, "time", lambda: later)
    finish(services)
    if is_refused:
        assert (count(services, video), count(services, asset)) == (0, 0)
    # Whatever was left, the same command takes it down, and once only.
    if count(services, video):
        take_down(services, done.video_id, REASON)
    assert (count(services, video), count(services, asset)) == (0, 0)
    assert visible_files(services) == []
    with services.database.read() as connection:
        [row] = connection.execute(sa.select(tombstone.c.reason, tombstone.c.fingerprint))
    assert (row.reason, row.fingerprint is not None) == (REASON, True)
    assert not is_being_fingerprinted(services)
    with pytest.raises(InvalidInputError, match=f"此内容已被下架（{REASON}）"):
        import_file(services, film, VideoMeta(), settings=FAST)
