"""Commands of packages beside this one."""

from __future__ import annotations

from importlib.metadata import EntryPoints
from pathlib import Path

import pytest
from typer.testing import CliRunner

from liuying.cli import extensions
from liuying.cli.app import app


def test_commands_of_installed_packages_are_there() -> None:
    assert list(extensions.added_commands()) == ["bench", "demo"]


def test_serving_with_a_demo_that_is_not_installed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(extensions, "entry_points", lambda **_: EntryPoints())
    result = CliRunner().invoke(app, ["serve", "--demo"])
    assert result.exit_code == 2
    assert result.stderr == "没有安装演示目录：请先安装 liuying-demo，或去掉 --demo\n"
