"""Calling `liuying` as an operator does, on one data folder or another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from liuying.cli.app import app

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Calls `liuying` with a data folder."""

    def call(data_dir: Path, *arguments: str | Path) -> Result:
        monkeypatch.setenv("LIUYING_DATA_DIR", str(data_dir))
        return CliRunner().invoke(app, [str(one) for one in arguments])

    return call
