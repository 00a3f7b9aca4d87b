"""The command: what it prints, what it returns, what it passes over."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from liuying.main import cli_import
from liuying.main.cli_import import find_files, import_all
from liuying.main.services import Services
from liuying.workflows.import_video import ImportResult, Outcome
from liuying.workflows.video_meta import GivenMeta


class Command:
    """Runs `liuying import` as an operator would, with data of its own."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"

    def __call__(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "LIUYING_DATA_DIR": str(self.data)}
        command = [sys.executable, "-m", "liuying.main.cli", "import", *map(str, arguments)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)


def test_a_folder_with_good_and_bad(command: Command, plain_clip: Path, tmp_path: Path) -> None:
    folder = tmp_path / "videos"
    (folder / "b").mkdir(parents=True)
    shutil.copy(plain_clip, folder / "b" / "好的.mp4")
    (folder / "b" / "好的.json").write_text('{"title": "真正的标题", "labels": ["甲"]}')
    (folder / "a\x1b[2J.mp4").write_text("no video")
    first = command(folder)
    assert first.returncode == 1
    lines = first.stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("[1/2] 拒绝 ")
    assert "不是支持的视频格式" in lines[0]
    assert "\x1b" not in first.stdout
    assert lines[1] == "[2/2] 已导入 好的.mp4（编号 1）"
    assert lines[2] == "共 2 个文件，拒绝 1 个"
    again = command(folder / "b" / "好的.mp4")
    assert (again.returncode, again.stdout) == (0, "[1/1] 已存在，跳过 好的.mp4（编号 1）\n")


def test_a_wrong_side_car_is_one_line(command: Command, plain_clip: Path, tmp_path: Path) -> None:
    shutil.copy(plain_clip, tmp_path / "clip.mp4")
    (tmp_path / "clip.json").write_text('{"titel": "x"}')
    done = command(tmp_path / "clip.mp4")
    assert done.returncode == 1
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
        ([], "Missing argument"),
        (["{folder}", "--unknown"], "No such option"),
    ],
)
def test_wrong_usage(command: Command, tmp_path: Path, arguments: list[str], message: str) -> None:
    done = command(*(argument.format(folder=tmp_path) for argument in arguments))
    assert done.returncode == 2
    assert message in done.stderr
    assert not command.data.exists()


def test_an_empty_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = command(tmp_path / "empty")
    assert (done.returncode, done.stdout) == (1, "没有找到可以导入的文件\n")


def test_what_a_folder_holds(tmp_path: Path) -> None:
    for name in ("b.mp4", "a.MKV", ".hidden.mp4", "c.json", "d.srt", "e.JPG", "sub/z.ts", "sub/y.gif", ".git/x.mp4"):
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

    monkeypatch.setattr(cli_import, "import_file", fail)
    assert import_all(services, [tmp_path / "a.mp4", tmp_path / "b.mp4"], GivenMeta()) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"[1/2] 拒绝 {tmp_path / 'a.mp4'}：程序出错，详情见错误输出",
        "[2/2] 已导入 b.mp4（编号 7）",
        "共 2 个文件，拒绝 1 个",
    ]
    assert "OverflowError: date value out of range" in caplog.text


def test_devices_and_pipes_are_refused(command: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mp4")
    done = command("/dev/zero", tmp_path / "pipe.mp4")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "[1/2] 拒绝 /dev/zero：不是普通文件",
        f"[2/2] 拒绝 {tmp_path / 'pipe.mp4'}：不是普通文件",
        "共 2 个文件，拒绝 2 个",
    ]


def test_a_missing_transcoder_is_named(command: Command, plain_clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIUYING_FFMPEG", "/nope")
    done = command(plain_clip)
    assert done.returncode == 1
    assert done.stdout == f"[1/1] 拒绝 {plain_clip}：无法启动转码程序 /nope（请检查 LIUYING_FFMPEG）\n"
