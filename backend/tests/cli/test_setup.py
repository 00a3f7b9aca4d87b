"""`liuying setup`, asked at a terminal and given as options."""

from __future__ import annotations

import os
import pty
import select
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from liuying.installation.environment import read_settings
from liuying.kit.setting_lines import of_file
from tests.s3_server import S3Server

ANSWERS = ("--address", "video.example.com", "--tls", "nginx", "--store", "", "--ads", "no")
LONGEST_S = 60


def environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "LIUYING_DATA_DIR": str(folder / "data"),
        "LIUYING_SETTINGS_FILE": str(folder / "site.env"),
    }


def called(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "liuying", "setup", *arguments],
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_S,
    )


def typed(folder: Path, dialogue: list[tuple[str, str]], *arguments: str) -> tuple[int, str]:
    """At a terminal: each answer once its question stands there."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(  # noqa: S606 - of an argument list, in the process that has the terminal
            sys.executable,
            [sys.executable, "-m", "liuying", "setup", *arguments],
            environment(folder),
        )
    said = ""
    for question, answer in dialogue:
        seen = len(said)
        while question not in said[seen:]:
            said += read(terminal)
        os.write(terminal, f"{answer}\n".encode())
    while text := read(terminal):
        said += text
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


def read(terminal: int) -> str:
    ready, _, _ = select.select([terminal], [], [], LONGEST_S)
    assert ready, "nothing was said"
    try:
        # The questions are short: each arrives whole, or is read on.
        return os.read(terminal, 65536).decode(errors="replace")
    except OSError:  # Linux: its other end is closed
        return ""


def test_asked_at_a_terminal(tmp_path: Path) -> None:
    code, said = typed(
        tmp_path,
        [
            ("HTTPS", "other"),
            ("应为 nginx", "nginx"),
            ("网址", "not a name"),
            ("例如 video.example.com", "Video.Example.com/"),
            ("视频放在哪里", "ftp://x"),
            ("s3://桶", ""),
            ("最初的分类", "旅行，美食"),
            ("显示广告吗", "是"),
        ],
    )
    assert code == 0, said
    assert "接下来" in said
    assert "deploy nginx --domain video.example.com" in said
    values = of_file(tmp_path / "site.env")
    assert values["LIUYING_SITE_URL"] == "https://video.example.com"
    assert values["LIUYING_SHOW_ADS"] == "true"
    assert values["LIUYING_ACCEL_PREFIX"] == "/protected"
    assert read_settings(values).data_dir == tmp_path / "data"
    assert stat.S_IMODE((tmp_path / "site.env").stat().st_mode) & 0o007 == 0


def test_a_value_is_not_changed_without_asking(tmp_path: Path) -> None:
    assert called(tmp_path, *ANSWERS, "--category", "旅行").returncode == 0
    file = tmp_path / "site.env"
    mine = file.read_text(encoding="utf-8") + "# mine\n"
    file.write_text(mine, encoding="utf-8")
    other = ["--address", "other.example", *ANSWERS[2:], "--category", ""]
    refused = called(tmp_path, *other)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "LIUYING_SITE_URL：https://video.example.com → https://other.example" in refused.stderr
    code, said = typed(tmp_path, [("改变上面的值吗", "n")], *other)
    assert (code, "什么也没有改变" in said) == (2, True)
    assert file.read_text(encoding="utf-8") == mine
    code, said = typed(tmp_path, [("改变上面的值吗", "y")], *other)
    assert code == 0, said
    assert file.read_text(encoding="utf-8") == mine.replace("video.example.com", "other.example")


def test_repeated_it_changes_nothing(tmp_path: Path) -> None:
    assert called(tmp_path, *ANSWERS, "--category", "旅行").returncode == 0
    before = (tmp_path / "site.env").read_bytes()
    again = called(tmp_path, *ANSWERS, "--category", "旅行")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "site.env").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "缺少 --tls"),
        (("--tls", "nginx"), "缺少 --address"),
        (("--tls", "tls1"), "应为 nginx、proxy、none 之一"),
        (("--tls", "nginx", "--address", "http://a.example"), "网址与 HTTPS 的选择不一致"),
        (("--tls", "nginx", "--address", "10.0.0.1"), "一个域名"),
        (("--tls", "none", "--address", "10.0.0.1:80"), "端口应为 1024"),
        (("--tls", "none", "--address", "a b"), "网址的写法不对"),
        (("--tls", "none", "--address", "a.example:x"), "网址的写法不对"),
        (("--tls", "proxy", "--address", "a.example", "--proxies", ""), "请写明代理的网段"),
        (("--tls", "proxy", "--address", "a.example", "--proxies", "x"), "网段的写法不对"),
        ((*ANSWERS[:4], "--store", "disk"), "应为 s3://桶"),
        ((*ANSWERS[:6], "--category", "", "--ads", "perhaps"), "应为 yes 或 no"),
    ],
)
def test_a_wrong_answer_is_one_line(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    done = called(tmp_path, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert sentence in done.stderr
    assert not (tmp_path / "site.env").exists()


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    done = called(tmp_path, *ANSWERS, "--category", "")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "不能写入" in done.stderr
    assert not (tmp_path / "site.env").exists()


def bucket(folder: Path, settings: dict[str, str], secret: str) -> tuple[str, ...]:
    key = folder / "key"
    key.write_text(secret, encoding="utf-8")
    return (
        *ANSWERS[:4],
        *("--store", settings["store"], "--s3-endpoint", settings["s3_endpoint"]),
        *("--s3-region", "us-east-1", "--s3-access-key", settings["s3_access_key"]),
        *("--s3-secret-key-file", str(key), "--category", "", "--ads", "yes"),
    )


def test_a_bucket_is_tried_before_it_is_written(tmp_path: Path, s3: S3Server) -> None:
    settings = s3.settings()
    refused = called(tmp_path, *bucket(tmp_path, settings, "wrong"))
    assert refused.returncode == 1
    assert not (tmp_path / "site.env").exists()
    done = called(tmp_path, *bucket(tmp_path, settings, settings["s3_secret_key"]))
    assert done.returncode == 0, done.stderr
    values = of_file(tmp_path / "site.env")
    assert values["LIUYING_S3_SECRET_KEY"] == settings["s3_secret_key"]
    assert "LIUYING_ACCEL_PREFIX" not in values
    assert settings["s3_secret_key"] not in done.stdout + done.stderr


def test_data_are_not_left_behind_for_a_bucket(tmp_path: Path, s3: S3Server) -> None:
    assert called(tmp_path, *ANSWERS, "--category", "旅行").returncode == 0
    settings = s3.settings()
    done = called(tmp_path, *bucket(tmp_path, settings, settings["s3_secret_key"]), "--yes")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "liuying move" in done.stderr
    assert "LIUYING_STORE=s3" not in (tmp_path / "site.env").read_text(encoding="utf-8")
