"""Tools that write where they are told to say how they are called, and write nothing then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from liuying.installation.settings import REPOSITORY

TOOLS = (
    *("compose-test", "image-test", "migration", "notices", "packages-test", "sbom"),
    *("web_constants", "wheel"),
)


@pytest.mark.parametrize("name", TOOLS)
def test_asked_for_help_a_tool_says_how_it_is_called_alone(name: str, tmp_path: Path) -> None:
    asked = [sys.executable, str(REPOSITORY / "tools" / name), "--help"]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {name} [-h]")
    assert list(tmp_path.iterdir()) == []
