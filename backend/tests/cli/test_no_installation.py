"""Only what begins an installation makes one: everything else ends where there is none, and writes
nothing there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from liuying.cli.app import app
from liuying.cli.output import EXIT_USAGE
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from tests.cli.test_json import ALL, INTERNAL, RUNS_ON

# What may be the first that is said to a new site.
BEGIN = {
    *("ad add", "age-gate off", "age-gate on", "age-gate text", "banner add", "category add"),
    *("bench seed", "hot block", "hot set", "import", "link add", "migrate", "notice add"),
    *("removals off", "removals on", "restore", "setup", "site set", "tab add", "tab edit"),
    *("tab hide", "tab unhide", "vendor add"),
}
# They work on no installation.
ELSEWHERE = {
    *(
        "deploy etcd",
        "deploy haproxy",
        "deploy nginx",
        "deploy patroni",
        "deploy systemd",
        "openapi",
    ),
    *("verify", "webhook test"),
}
# It tells what is wrong with one, that it is missing too.
TELLS = {"doctor"}
# What these need to be told beside the values that they require.
MORE = {
    "ad edit": ["--title", "春"],
    "artist edit": ["--name", "新名"],
    "banner edit": ["--position", "2"],
    "category edit": ["--name", "新名"],
    "doctor": ["--quick"],
    "jobs cancel": ["1"],
    "jobs retry": ["1"],
    "link edit": ["--title", "新名"],
    "notice edit": ["--title", "新名"],
    "vendor edit": ["--name", "新名"],
    "video edit": ["--title", "新名"],
    "video mend": ["1"],
    "video repack": ["1"],
    "video subtitles": ["--remove"],
}
OTHERS = sorted(ALL.keys() - BEGIN - RUNS_ON - INTERNAL - {"maintenance schedule"})


def typed(name: str, folder: Path) -> list[str]:
    """A call of a command with something for all that it requires."""
    words = name.split()
    options: set[str] = set()
    for parameter in ALL[name].params:
        options.update(parameter.opts)
        if not parameter.required:
            continue
        value = _value(parameter, folder)
        words += [value] if parameter.param_type_name == "argument" else [parameter.opts[0], value]
    return words + MORE.get(name, []) + ["--yes"] * ("--yes" in options)


def _value(parameter: Any, folder: Path) -> str:
    if parameter.type_descriptor.annotation is Path:
        target = folder / "new.csv"
        if parameter.param_type_name == "option":  # settings, which are read
            target.write_text(f"LIUYING_DATA_DIR={folder}/elsewhere\n")
        return str(target)
    return "name" if parameter.name == "fields" else "1"


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder that the environment names: there is none."""
    monkeypatch.setenv("LIUYING_DATA_DIR", str(tmp_path / "typo"))
    return tmp_path / "typo"


def assert_ends(arguments: list[str], data_dir: Path) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.stderr == (
        f"数据文件夹 {data_dir} 里没有流影的网站：请检查 LIUYING_DATA_DIR；"
        "要在这里新建，请先执行 liuying migrate 或 liuying serve\n"
    )
    assert (result.exit_code, result.stdout) == (EXIT_USAGE, "")


@pytest.mark.parametrize("name", sorted(set(OTHERS) - ELSEWHERE - TELLS))
def test_what_needs_an_installation_makes_none(name: str, nowhere: Path) -> None:
    assert_ends(typed(name, nowhere.parent), nowhere)
    assert not nowhere.exists()


@pytest.mark.parametrize("name", sorted(ELSEWHERE | TELLS))
def test_what_works_without_an_installation_makes_none(name: str, nowhere: Path) -> None:
    CliRunner().invoke(app, typed(name, nowhere.parent))
    assert not nowhere.exists()


def test_the_schedule_is_only_read_where_nothing_of_it_is_changed(nowhere: Path) -> None:
    assert_ends(["maintenance", "schedule"], nowhere)
    assert not nowhere.exists()


def test_what_the_doctor_does_first_makes_none(nowhere: Path) -> None:
    for option in ("--recount-names", "--remove-orphans"):
        assert_ends(["doctor", option], nowhere)
    assert not nowhere.exists()


def test_another_folder_is_left_as_it_is(nowhere: Path) -> None:
    nowhere.mkdir()
    (nowhere / "letter.txt").write_text("mine")
    assert_ends(["video", "list"], nowhere)
    assert [one.name for one in nowhere.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("name", ["category add", "migrate", "tab hide"])
def test_what_begins_an_installation_makes_it(name: str, nowhere: Path) -> None:
    key = ["favorites"] if name == "tab hide" else ["登山"] if name == "category add" else []
    assert CliRunner().invoke(app, [*name.split(), *key]).exit_code == 0
    assert CliRunner().invoke(app, ["video", "list"]).exit_code == 0


def test_a_restore_that_was_killed_is_finished_first(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_services(Settings(data_dir=nowhere)).database.close()
    layout = Settings(data_dir=nowhere).layout
    layout.moving_in.mkdir()
    assert CliRunner().invoke(app, ["video", "list"]).exit_code == 0
    assert not layout.moving_in.exists()
