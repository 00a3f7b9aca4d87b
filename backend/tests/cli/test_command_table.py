"""The table of commands says what the commands say, and starting one loads no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from liuying.cli.command_table import COMMANDS, load_command
from liuying.installation.services import Services
from liuying.workflows.import_result import Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST, h264, make_clip, picture

LONG = 1000
# What answers, draws or computes: none of it is needed to read a page of help.
HEAVY = {"sqlalchemy", "litestar", "numpy", "PIL", "av", "alembic", "pypinyin"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_line_of_the_page_is_the_first_of_the_command(name: str) -> None:
    said = COMMANDS[name].help
    command = load_command(name)
    assert (said is None) == (name == "run-imports")
    assert said is None or said == command.get_short_help_str(LONG)


def loaded_by(data_dir: Path, *arguments: str) -> set[str]:
    """Top-level packages that a call of `liuying` has loaded when it ends."""
    program = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('|'.join(sys.modules), file=sys.stderr))\n"
        "from liuying.cli.app import app\n"
        "app()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={"LIUYING_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )
    return {name.partition(".")[0] for name in done.stderr.splitlines()[-1].split("|")}


def test_the_page_of_help_loads_no_command(tmp_path: Path) -> None:
    loaded = loaded_by(tmp_path, "--help")
    assert "typer" in loaded
    assert not loaded & HEAVY


def test_a_command_on_a_current_database_loads_neither_migrations_nor_the_server(
    tmp_path: Path,
) -> None:
    assert "alembic" in loaded_by(tmp_path, "migrate")
    loaded = loaded_by(tmp_path, "notice", "list")
    assert "sqlalchemy" in loaded
    assert not loaded & {"alembic", "uvicorn", "av", "pypinyin"}


def test_an_import_is_refused_before_the_database_is_loaded(tmp_path: Path) -> None:
    loaded = loaded_by(tmp_path, "import", str(tmp_path / "nothing.mp4"))
    assert "msgspec" in loaded
    assert not loaded & HEAVY


@pytest.mark.data_folder("the command is told no more than its place")
def test_importing_a_known_file_loads_neither_pictures_nor_films(
    services: Services, tmp_path: Path
) -> None:
    clip = make_clip(tmp_path / "clip.mp4", *picture("64x36", 1), *h264())
    known = import_file(services, clip, VideoMeta(), settings=FAST)
    assert known.outcome is Outcome.IMPORTED
    loaded = loaded_by(services.data_dir, "import", str(clip))
    assert "sqlalchemy" in loaded
    assert not loaded & {"litestar", "numpy", "PIL", "av", "alembic", "pypinyin", "asyncpg"}
