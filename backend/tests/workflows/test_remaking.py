"""A video made anew: whole or not at all, and everything that is said of it stays."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from liuying.domains.catalogue.tables import video
from liuying.domains.playback.tables import asset, subtitle
from liuying.kit.errors import InvalidInputError, LiuyingError, NotFoundError
from liuying.main.examining import examine
from liuying.main.services import Services
from liuying.media.chunk_run import ChunkRun
from liuying.media.errors import NotVideoError
from liuying.media.production import Production
from liuying.workflows.editing import remove_video
from liuying.workflows.import_video import hash_file, import_file
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.originals import original_of
from liuying.workflows.pictures import shown_pictures
from liuying.workflows.protection import move_to_category
from liuying.workflows.remaking import remake_video
from liuying.workflows.subtitle_files import set_subtitle
from liuying.workflows.video_meta import VideoMeta
from tests.command_line import Run, run
from tests.conftest import Client
from tests.media.clips import FAST
from tests.workflows.published import file_of, play, renditions_of, row_of, visible_files

__all__ = ["run"]

META = VideoMeta(title="海", labels=("海边",), artists=("甲",), pageviews=7, keeps_original=True)
WORDS = "1\n00:00:01,000 --> 00:00:02,000\n你好\n".encode()
STAYING = ("id", "title", "category_id", "created_at", "updated_at", "pageviews", "is_hidden")


@pytest.fixture
def source(plain_clip: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(plain_clip, tmp_path / "海边.mp4"))


@pytest.fixture
def video_id(services: Services, source: Path) -> int:
    """A video with a kept original and subtitles of the operator's."""
    made = import_file(services, source, META, settings=FAST).video_id
    set_subtitle(services, made, "chs", WORDS)
    return made


def kept_of(services: Services, video_id: int) -> Path | None:
    return original_of(services.data_dir, row_of(services, video_id).asset_key)


def state_of(services: Services, video_id: int) -> tuple[Any, ...]:
    """All that a failure must leave as it was."""
    kept = sorted((services.data_dir / "originals").rglob("*"))
    return row_of(services, video_id), visible_files(services), kept


def test_the_files_are_new_and_what_is_said_of_them_stays(services: Services, video_id: int, client: Client) -> None:
    before, files = row_of(services, video_id), set(visible_files(services))
    assert client.rescont(f"/api/videoplay/{video_id}")["videopath"] == before.playlist
    remake_video(services, video_id, settings=FAST)
    after = row_of(services, video_id)
    assert [getattr(after, name) for name in STAYING] == [getattr(before, name) for name in STAYING]
    assert (after.asset_key != before.asset_key, after.state) == (True, "complete")
    assert not files & set(visible_files(services))
    for one in renditions_of(services, after.asset_key):
        assert play(file_of(services, one.path)).pictures > 70
    with services.database.read() as connection:
        (track,) = connection.execute(sa.select(subtitle)).all()
        keys = set(connection.execute(sa.select(asset.c.key)).scalars())
    assert (before.asset_key in keys, after.asset_key in keys) == (False, True)
    assert (track.asset_key, track.lang) == (after.asset_key, "zh-Hans")
    assert "你好" in file_of(services, track.path).read_text(encoding="utf-8")
    assert kept_of(services, video_id) == services.data_dir / "originals" / after.asset_key / "海边.mp4"
    client.application.look_for_changes()
    assert client.rescont(f"/api/videoplay/{video_id}")["videopath"] == after.playlist
    assert client.rescont("/api/videoSearch?serach=海边")["total"] == 1


def age(folder: Path) -> None:
    """What is fresh may be somebody's work, and is left alone."""
    for path in folder.rglob("*"):
        os.utime(path, (0, 0), follow_symlinks=False)


def test_nothing_is_left_behind_or_missing(services: Services, video_id: int) -> None:
    age(services.data_dir)
    remake_video(services, video_id, settings=FAST)
    age(services.data_dir)
    topics = {one.topic for one in examine(services.settings, services.clock, is_quick=False)}
    assert not topics & {"media-missing", "media-truncated", "orphans", "picture-missing", "database-integrity"}
    pictures = {path.stem for path in (services.data_dir / "enc").rglob("*.bin")}
    with services.database.read() as connection:
        assert pictures == shown_pictures(connection)


def test_every_rung_is_made_of_another_file(services: Services, video_id: int, tall_clip: Path) -> None:
    cover = row_of(services, video_id).cover
    remake_video(services, video_id, source=tall_clip, keeps_cover=True, settings=FAST)
    after = row_of(services, video_id)
    assert (after.width, after.height, after.cover) == (720, 1280, cover)
    assert [one.label for one in renditions_of(services, after.asset_key)] == ["360P", "540P", "720P"]
    kept = kept_of(services, video_id)
    assert kept is not None
    assert hash_file(kept) == hash_file(tall_clip)
    assert len(list((services.data_dir / "originals").iterdir())) == 1
    # The file is known as this video's from now on.
    assert import_file(services, tall_clip, VideoMeta(), settings=FAST).video_id == video_id


def test_a_long_film_is_made_in_chunks_that_do_not_stay(
    services: Services, video_id: int, film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    make = ChunkRun.make

    def noted(chunks: ChunkRun, *given: Any) -> None:
        made.append(chunks.folder.name)
        make(chunks, *given)

    monkeypatch.setattr(ChunkRun, "make", noted)
    remake_video(services, video_id, source=film_clip, settings=FAST)
    assert made == ["low", "rest"]
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]


def test_a_locked_video_stays_behind_the_lock(services: Services, video_id: int) -> None:
    move_to_category(services, video_id, 73)
    remake_video(services, video_id, settings=FAST)
    assert row_of(services, video_id).is_protected
    assert {path.split("/")[0] for path in visible_files(services)} == {"protected"}


def test_the_short_feed_gets_its_file(services: Services, video_id: int) -> None:
    move_to_category(services, video_id, 72)
    assert row_of(services, video_id).progressive == ""
    remake_video(services, video_id, settings=FAST)
    assert play(file_of(services, row_of(services, video_id).progressive)).pictures > 70


@pytest.mark.parametrize("step", ["make_low", "publish_low", "publish_storyboard"])
@pytest.mark.parametrize("fault", [NotVideoError, KeyboardInterrupt])
def test_what_fails_leaves_everything_as_it_was(
    services: Services, video_id: int, monkeypatch: pytest.MonkeyPatch, step: str, fault: type[BaseException]
) -> None:
    before = state_of(services, video_id)

    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr(Production, step, fail)
    with pytest.raises(fault):
        remake_video(services, video_id, settings=FAST)
    assert state_of(services, video_id) == before
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]


def test_a_video_that_is_removed_meanwhile_is_not_brought_back(
    services: Services, video_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish = Production.publish_storyboard

    def remove_first(production: Production) -> str:
        remove_video(services, video_id)
        return publish(production)

    monkeypatch.setattr(Production, "publish_storyboard", remove_first)
    with pytest.raises(NotFoundError, match="被删除"):
        remake_video(services, video_id, settings=FAST)
    assert (visible_files(services), list((services.data_dir / "originals").iterdir())) == ([], [])


def test_two_do_not_remake_at_once(services: Services, video_id: int) -> None:
    folders = JobFolders(services.data_dir / "jobs")
    with folders.gate():
        other = folders.begin(row_of(services, video_id).asset_key)
    with other, pytest.raises(ImportBusyError):
        remake_video(services, video_id, settings=FAST)


def drop_original(services: Services, video_id: int) -> dict[str, Any]:
    shutil.rmtree(services.data_dir / "originals")
    return {}


def change_original(services: Services, video_id: int) -> dict[str, Any]:
    kept = kept_of(services, video_id)
    assert kept is not None
    kept.write_bytes(b"another film")
    return {}


def be_at_work(services: Services, video_id: int) -> dict[str, Any]:
    with services.database.write() as connection:
        connection.execute(sa.update(asset).values(state="low"))
    return {}


def take_anothers(services: Services, video_id: int) -> dict[str, Any]:
    tall = services.data_dir.parent / "tall.mp4"
    import_file(services, tall, VideoMeta(), settings=FAST)
    return {"source": tall}


def take_what_was_taken_down(services: Services, video_id: int) -> dict[str, Any]:
    given = take_anothers(services, video_id)
    remove_video(services, video_id + 1, "版权投诉")
    return given


def take_nonsense(services: Services, video_id: int) -> dict[str, Any]:
    return {"source": Path(__file__)}


@pytest.mark.parametrize(
    ("prepare", "kind", "sentence"),
    [
        (drop_original, InvalidInputError, "没有保留原文件"),
        (change_original, InvalidInputError, "已经不是导入时的内容"),
        (be_at_work, InvalidInputError, "还没有导入完"),
        (take_anothers, InvalidInputError, "是另一个视频"),
        (take_what_was_taken_down, InvalidInputError, "已被下架"),
        (take_nonsense, NotVideoError, "不是支持的视频格式"),
    ],
)
def test_what_is_refused(
    services: Services,
    video_id: int,
    tall_clip: Path,
    prepare: Callable[[Services, int], dict[str, Any]],
    kind: type[LiuyingError],
    sentence: str,
) -> None:
    shutil.copy(tall_clip, services.data_dir.parent / "tall.mp4")
    given = prepare(services, video_id)
    before = state_of(services, video_id)
    with pytest.raises(kind, match=sentence):
        remake_video(services, video_id, settings=FAST, **given)
    assert state_of(services, video_id) == before


def test_the_command_says_what_became_of_each(services: Services, video_id: int, run: Run) -> None:
    with services.database.write() as connection:
        row = connection.execute(sa.select(video).where(video.c.id == video_id)).one()._asdict()
        connection.execute(sa.insert(video).values({**row, "id": 9, "asset_key": None}))
    done = run(services.data_dir, "video", "remake", "9", str(video_id), "999", "--json")
    said = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, [one["id"] for one in said]) == (1, [9, video_id, 999])
    assert said[1]["cause"] is None
    assert said[2]["cause"] == "没有编号为 999 的视频"
    refused = run(services.data_dir, "video", "remake", "999")
    assert (refused.exit_code, refused.stderr) == (1, "视频 999 没有重做：没有编号为 999 的视频\n")
    wrong = run(services.data_dir, "video", "remake", "1", "9", "--file", "a.mp4")
    assert (wrong.exit_code, wrong.stderr) == (2, "--file 只能用于一个视频\n")
