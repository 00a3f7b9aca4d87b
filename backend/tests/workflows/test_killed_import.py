"""kill -9 at every step: nothing half-done is ever visible, and the next import makes it whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.installation.migrating import migrate
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST
from tests.workflows.published import (
    digests_of,
    file_of,
    play,
    renditions_of,
    row_of,
    run_out,
    visible_files,
)

# Runs an import and kills itself right after (or before) a step.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from liuying.installation.services import open_services
from liuying.installation.environment import read_settings
from liuying.media.plan import EncoderSettings
from liuying.workflows import import_video
from liuying.workflows.video_meta import VideoMeta

data, source, module, owner, step, when = sys.argv[1:]
holder = sys.modules.get(module) or __import__(module, fromlist=["_"])
target = getattr(holder, owner) if owner else holder
original = getattr(target, step)

def dying(*arguments, **named):
    if when == "after":
        original(*arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(target, step, dying)
services = open_services(read_settings({**os.environ, "LIUYING_DATA_DIR": data}))
settings = EncoderSettings(
    preset="ultrafast", refinements="", quality=30
)
import_video.import_file(services, Path(source), VideoMeta(title="一"), settings=settings)
"""
PRODUCTION = "liuying.media.production"
ROWS = "liuying.workflows.catalogue_rows"
STEPS = [
    (ROWS, "", "register_asset", "after"),
    (PRODUCTION, "Production", "make_first", "before"),
    (PRODUCTION, "Production", "make_first", "after"),
    (PRODUCTION, "Production", "publish_first", "before"),
    (PRODUCTION, "Production", "publish_first", "after"),
    (ROWS, "", "add_video", "after"),
    (PRODUCTION, "Production", "make_rest", "before"),
    (PRODUCTION, "Production", "make_rest", "after"),
    (PRODUCTION, "Production", "publish_rest", "after"),
    (ROWS, "", "set_playlist", "after"),
]


def listed(services: Services) -> list[sa.Row[Any]]:
    with services.database.read() as connection:
        statement = sa.select(video.c.id, video.c.playlist, video.c.asset_key).where(
            video.c.is_listed
        )
        return list(connection.execute(statement))


@pytest.fixture(scope="module", params=["tall_clip", "fitting_clip"])
def clip(request: pytest.FixtureRequest) -> Path:
    """One whose lowest rung goes first, and one whose own stream does."""
    found: Path = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, clip: Path) -> dict[str, str]:
    """Digests of what an import publishes that nobody kills."""
    services = open_services(Settings(data_dir=tmp_path_factory.mktemp("undisturbed")))
    migrate(services.database)
    result = import_file(services, clip, VideoMeta(title="一"), settings=FAST)
    services.database.close()
    return digests_of(services, result.key)


@pytest.mark.parametrize(
    ("module", "owner", "step", "when"), STEPS, ids=[f"{step[3]}-{step[2]}" for step in STEPS]
)
def test_killed(
    services: Services,
    clip: Path,
    undisturbed: dict[str, str],
    module: str,
    owner: str,
    step: str,
    when: str,
) -> None:
    arguments = [str(services.data_dir), str(clip), module, owner, step, when]
    killed = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], timeout=60, check=False)
    assert killed.returncode == -9
    run_out(services)
    for row in listed(services):  # what is visible plays
        assert play(file_of(services, row.playlist)).pictures == 50

    result = import_file(services, clip, VideoMeta(title="一"), settings=FAST)
    row = row_of(services, result.video_id)
    assert row.state == "complete"
    assert len(listed(services)) == 1
    assert [one.label for one in renditions_of(services, result.key)] == ["360P", "540P", "720P"]
    assert (play(file_of(services, row.playlist)).loudness or 0) > 0.1
    files = visible_files(services)
    assert {name.split("/")[1] for name in files} == {result.key}
    assert {name.split("/")[2] for name in files} == {"360", "540", "720", "v1.m3u8", "v2.m3u8"}
    assert digests_of(services, result.key) == undisturbed
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]
