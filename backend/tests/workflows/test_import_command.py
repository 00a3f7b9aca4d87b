"""The command: what it prints, what it returns, what it passes over."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import Result

from liuying.cli.found_files import find_files
from liuying.core.catalogue.sort_index import SortIndex
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.pages.player import play_info
from liuying.workflows import import_run
from liuying.workflows.import_manifest import Item
from liuying.workflows.import_result import ImportResult, Outcome
from liuying.workflows.import_run import ImportRun
from liuying.workflows.video_meta import GivenMeta
from tests.command_line import Run, run
from tests.workflows.published import file_of, row_of

__all__ = ["run"]


class Command:
    """`liuying import` with data of its own, in the tests' process: to start another takes longer
    than most imports.
    """

    def __init__(self, folder: Path, run: Run) -> None:
        self.data = folder / "data"
        self._run = run

    def __call__(self, *arguments: str | Path) -> Result:
        return self._run(self.data, "import", *arguments)


@pytest.fixture
def command(tmp_path: Path, run: Run) -> Command:
    return Command(tmp_path, run)


def import_alone(data: Path, source: Path) -> subprocess.CompletedProcess[str]:
    """Runs `liuying import` in a process of its own, as an operator does."""
    environment = {**os.environ, "LIUYING_DATA_DIR": str(data)}
    command = [sys.executable, "-m", "liuying", "import", str(source)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_folder_with_good_and_bad(plain_clip: Path, tmp_path: Path) -> None:
    folder = tmp_path / "videos"
    (folder / "b").mkdir(parents=True)
    shutil.copy(plain_clip, folder / "b" / "好的.mp4")
    (folder / "b" / "好的.json").write_text('{"title": "真正的标题", "labels": ["甲"]}')
    (folder / "a\x1b[2J.mp4").write_text("no video")
    first = import_alone(tmp_path / "data", folder)
    assert first.returncode == 1
    lines = first.stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("[1/2] 拒绝 ")
    assert "不是支持的视频格式" in lines[0]
    assert "\x1b" not in first.stdout
    assert lines[1] == "[2/2] 已导入 好的.mp4（编号 1）"
    assert lines[2] == "共 2 个文件，拒绝 1 个"
    again = import_alone(tmp_path / "data", folder / "b" / "好的.mp4")
    assert (again.returncode, again.stdout) == (0, "[1/1] 已存在，跳过 好的.mp4（编号 1）\n")


def test_a_wrong_side_car_is_one_line(command: Command, plain_clip: Path, tmp_path: Path) -> None:
    shutil.copy(plain_clip, tmp_path / "clip.mp4")
    (tmp_path / "clip.json").write_text('{"titel": "x"}')
    done = command(tmp_path / "clip.mp4")
    assert done.exit_code == 1
    assert "说明文件 clip.json 有误" in done.stdout
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}", "--title", "x"], "--title 只能用于单个文件"),
        (["{folder}/missing.mp4"], "找不到"),
        (["{folder}", "--label", ""], "参数有误：labels 的长度不对"),
        (["{folder}", "--artist", "\u202e \n"], "参数有误：artists 不能是空白"),
        (["{folder}", "--category", "0"], "参数有误：category 的值不对"),
        (["{folder}", "--category", "99999999999999999999"], "参数有误：category 的值不对"),
        (["{folder}", "--category", "9" * 5000], "参数有误：category 的长度不对"),
        ([], "请写要导入的文件或文件夹"),
        (["--manifest", "{folder}/none.csv"], "清单 none.csv 无法读取"),
        (["--manifest", "{folder}/list.csv", "--watch"], "--watch 只能用于文件夹"),
        (["{folder}", "--watch", "--dry-run"], "--watch 只能用于文件夹"),
        (["{folder}", "--watch", "--rest", "0"], "--rest 的值不对"),
        (["{folder}", "--unknown"], "没有选项 --unknown"),
    ],
)
def test_wrong_usage(command: Command, tmp_path: Path, arguments: list[str], message: str) -> None:
    done = command(*(argument.format(folder=tmp_path) for argument in arguments))
    assert done.exit_code == 2
    assert message in done.stderr
    assert not command.data.exists()


def test_an_empty_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = command(tmp_path / "empty")
    assert (done.exit_code, done.stdout) == (1, "没有找到可以导入的文件\n")


def test_what_a_folder_holds(tmp_path: Path) -> None:
    for name in (
        "b.mp4",
        "a.MKV",
        ".hidden.mp4",
        "c.json",
        "d.srt",
        "e.JPG",
        "sub/z.ts",
        "sub/y.gif",
        ".git/x.mp4",
    ):
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "folder" / "link.mp4").symlink_to(tmp_path / "folder" / "b.mp4")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "other.mp4").touch()
    (tmp_path / "folder" / "linked").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "folder" / "pipe.mp4")
    found = [str(path.relative_to(tmp_path / "folder")) for path in find_files(tmp_path / "folder")]
    assert found == ["a.MKV", "b.mp4", "sub/y.gif", "sub/z.ts"]


def test_a_fault_of_the_program_does_not_stop_the_others(
    services: Services,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(_services: object, source: Path, *_: object) -> ImportResult:
        if source.name == "a.mp4":
            raise OverflowError("date value out of range")
        return ImportResult(7, "key", Outcome.IMPORTED)

    monkeypatch.setattr(import_run, "import_file", fail)
    items = [Item(tmp_path / "a.mp4"), Item(tmp_path / "b.mp4")]
    assert ImportRun(services, GivenMeta()).run(items) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"[1/2] 拒绝 {tmp_path / 'a.mp4'}：程序出错，详情见错误输出",
        "[2/2] 已导入 b.mp4（编号 7）",
        "共 2 个文件，拒绝 1 个",
    ]
    assert "OverflowError: date value out of range" in caplog.text


def test_devices_and_pipes_are_refused(command: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mp4")
    done = command("/dev/zero", tmp_path / "pipe.mp4")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "[1/2] 拒绝 /dev/zero：不是普通文件",
        f"[2/2] 拒绝 {tmp_path / 'pipe.mp4'}：不是普通文件",
        "共 2 个文件，拒绝 2 个",
    ]


def test_a_missing_transcoder_is_named(
    plain_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process looks for its transcoder once."""
    monkeypatch.setenv("LIUYING_FFMPEG", "/nope")
    done = import_alone(tmp_path / "data", plain_clip)
    assert done.returncode == 1
    assert (
        done.stdout == f"[1/1] 拒绝 {plain_clip}：无法启动转码程序 /nope（请检查 LIUYING_FFMPEG）\n"
    )


def test_a_manifest_is_previewed_and_imported(
    command: Command, plain_clip: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "lists"
    (folder / "sub").mkdir(parents=True)
    shutil.copy(plain_clip, folder / "sub" / "a.mp4")
    Image.new("RGB", (64, 36), "teal").save(folder / "封面.png")
    (folder / "list.csv").write_text(
        "file,title,category,labels,cover\nsub/a.mp4,海,旅行,海|山,封面.png\nnone.mp4,,,,\nx.mp4,,0,,\n",
        encoding="utf-8",
    )
    dry = command("--manifest", folder / "list.csv", "--dry-run")
    assert dry.exit_code == 1
    assert dry.stdout.splitlines()[0].startswith(
        "[1/3] 将导入 a.mp4：《海》，分类 旅行，3.0 秒，360P，最多 "
    )
    assert "无法读取文件" in dry.stdout.splitlines()[1]
    assert "清单第 4 行：category 的值不对" in dry.stdout.splitlines()[2]
    assert not (command.data / "media").exists()
    assert not (command.data / "enc").exists()
    done = command("--manifest", folder / "list.csv", "--json")
    assert done.exit_code == 1
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["outcome"] for line in lines] == ["imported", "refused", "refused"]
    assert lines[0]["video_id"] == 1
    again = command("--manifest", folder / "list.csv", "--dry-run")
    assert again.stdout.splitlines()[0] == "[1/3] 已存在，将跳过 a.mp4"


def test_what_lies_beside_is_imported(command: Command, plain_clip: Path, tmp_path: Path) -> None:
    shutil.copy(plain_clip, tmp_path / "clip.mp4")
    (tmp_path / "clip.info.json").write_text(
        '{"title": "来自 yt-dlp", "tags": ["海"], "uploader": "山野"}'
    )
    (tmp_path / "clip.zh.srt").write_bytes(
        "1\n00:00:00,500 --> 00:00:01,000\n你好\n".encode("gb18030")
    )
    (tmp_path / "clip.en.srt").write_text("1\n")
    Image.new("RGB", (64, 36), "teal").save(tmp_path / "clip-poster.webp")
    done = command(tmp_path / "clip.mp4")
    assert done.exit_code == 0
    assert (
        done.stdout.splitlines()[1]
        == "[1/1] 未导入字幕 clip.en.srt（没有字幕内容，支持 SRT、WebVTT、ASS、SSA）"
    )
    services = open_services(Settings(data_dir=command.data))
    found = row_of(services, 1)
    assert (found.title, found.cover["width"], found.cover["height"]) == ("来自 yt-dlp", 64, 36)
    with services.database.read() as connection:
        (track,) = play_info(connection, SortIndex(services.database, services.hashes), 1).subtitles
    assert (track.lang, track.label) == ("zh", "中文")
    assert (
        file_of(services, track.url).read_text()
        == "WEBVTT\n\n00:00:00.500 --> 00:00:01.000\n你好\n"
    )
    services.database.close()


def test_broken_side_cars_are_a_warning_each(
    command: Command, plain_clip: Path, tmp_path: Path
) -> None:
    shutil.copy(plain_clip, tmp_path / "clip.mp4")
    (tmp_path / "clip.jpg").write_text("no picture")
    (tmp_path / "clip.nfo").write_text("<movie><title>")
    (tmp_path / "clip.info.json").write_text("{")
    for arguments in (["--dry-run"], []):
        done = command(tmp_path / "clip.mp4", *arguments)
        assert done.exit_code == 0
        said = [line for line in done.stdout.splitlines() if "注意：" in line]
        assert [line.split("：")[1].split(" ")[1] for line in said[:2]] == [
            "clip.nfo",
            "clip.info.json",
        ]
        assert "clip.jpg：图片无法读取" in said[2]


def test_a_broken_cover_that_is_asked_for_is_refused(
    command: Command, plain_clip: Path, tmp_path: Path
) -> None:
    shutil.copy(plain_clip, tmp_path / "clip.mp4")
    (tmp_path / "x.jpg").write_text("no picture")
    (tmp_path / "list.csv").write_text("file,cover\nclip.mp4,x.jpg\n")
    done = command("--manifest", tmp_path / "list.csv")
    assert (done.exit_code, "图片无法读取" in done.stdout) == (1, True)
