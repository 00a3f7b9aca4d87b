"""Importing a known video again takes over what its side-cars say anew, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from liuying.core.catalogue.queries import videos
from liuying.core.catalogue.queries.details import detail_row
from liuying.core.playback.queries.playable import subtitle_rows
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from tests.command_line import Run, run
from tests.media.clips import h264, make_clip, picture, tone
from tests.workflows.published import file_of, row_of

__all__ = ["run"]
CUES = "1\n00:00:00,100 --> 00:00:00,900\n{}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "片库"
    folder.mkdir()
    make_clip(folder / "clip.mp4", *picture("64x36", 1), *tone(1), *h264())
    info(folder, title="第一版", description="简介一", tags=["海"], uploader="甲")
    (folder / "clip.zh.srt").write_text(CUES.format("一"))
    return folder


def info(folder: Path, **said: object) -> None:
    (folder / "clip.info.json").write_text(json.dumps(said))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def opened(data: Path) -> Iterator[Services]:
    services = open_services(Settings(data_dir=data))
    yield services
    services.database.close()


def again(run: Run, data: Path, folder: Path, *options: str) -> dict[str, Any]:
    done = run(data, "import", folder / "clip.mp4", "--json", *options)
    assert done.exit_code == 0, done.output
    return dict(msgspec.json.decode(done.stdout))


def test_what_changed_is_taken_over(run: Run, data: Path, folder: Path, opened: Services) -> None:
    assert again(run, data, folder)["outcome"] == "imported"
    unchanged = again(run, data, folder)
    assert (unchanged["outcome"], "updated" in unchanged) == ("known", False)
    info(folder, title="第二版", description="简介二", tags=["山", "海"], uploader="甲")
    (folder / "clip.zh.srt").write_text(CUES.format("二"))
    (folder / "clip.en.srt").write_text(CUES.format("two"))
    Image.new("RGB", (128, 72), "teal").save(folder / "clip.jpg")
    said = again(run, data, folder)
    assert said["updated"] == ["标题", "标签", "简介", "封面", "字幕 en", "字幕 zh"]
    row = row_of(opened, 1)
    assert (row.title, row.cover["width"]) == ("第二版", 128)
    with opened.database.read() as connection:
        detail = detail_row(connection, 1)
        assert detail is not None
        assert detail.description == "简介二"
        assert [one.name for one in videos.labels_of(connection, [1])] == ["山", "海"]
        tracks = {one.lang: one.path for one in subtitle_rows(connection, row.asset_key)}
    assert "二" in file_of(opened, tracks["zh"]).read_text()
    assert "two" in file_of(opened, tracks["en"]).read_text()
    assert "updated" not in again(run, data, folder)


def test_what_the_operator_edited_stays(
    run: Run, data: Path, folder: Path, opened: Services
) -> None:
    again(run, data, folder)
    assert run(data, "video", "edit", "1", "--title", "站长的标题").exit_code == 0
    info(folder, title="第二版", description="简介二", tags=["海"], uploader="甲")
    said = again(run, data, folder)
    assert (said["updated"], said["kept"]) == (["简介"], ["标题"])
    assert row_of(opened, 1).title == "站长的标题"
    assert "kept" not in again(run, data, folder)  # said once


def test_what_the_command_line_said_stays(
    run: Run, data: Path, folder: Path, opened: Services
) -> None:
    again(run, data, folder, "--title", "命令行的标题")
    info(folder, title="第二版", description="简介一", tags=["海"], uploader="甲")
    said = again(run, data, folder)
    assert (said.get("updated"), said["kept"]) == (None, ["标题"])
    assert row_of(opened, 1).title == "命令行的标题"
