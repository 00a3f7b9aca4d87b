"""The check that only the layout knows where things lie."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[3] / "tools" / "storage_paths"


def run_on(*folders: Path) -> list[str]:
    """The faults that the check finds."""
    done = subprocess.run(
        [sys.executable, str(TOOL), *map(str, folders)], capture_output=True, text=True, check=False
    )
    assert done.returncode == (1 if done.stderr else 0)
    return done.stderr.splitlines()


def test_the_package_has_no_faults() -> None:
    assert run_on() == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('root / "enc" / name', "'enc' stands in StorageLayout"),
        ('root / "media/public" / name', "'media' stands in StorageLayout"),
        ('root / f"jobs/{key}"', "'jobs' stands in StorageLayout"),
        ('Path(root, "originals", key)', "'originals' stands in StorageLayout"),
        ('root.joinpath("protected")', "'protected' stands in StorageLayout"),
        ('SECRETS = "secrets.json"', "'secrets.json' stands in StorageLayout"),
        ('root / "liuying.db"', "'liuying.db' stands in StorageLayout"),
        ("services.data_dir / name", "data_dir is joined to a name outside StorageLayout"),
    ],
)
def test_a_planted_path_is_found(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "planted.py").write_text(f"import nothing\n\n{line}\n", encoding="utf-8")
    assert f"{tmp_path / 'planted.py'}:3: {said}" in run_on(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        'queue = "jobs"',
        "layout.jobs / key",
        "layout.data_dir",
        'folder / "index.m3u8"',
        'text == "media"',
    ],
)
def test_other_texts_are_no_fault(tmp_path: Path, line: str) -> None:
    (tmp_path / "fine.py").write_text(line, encoding="utf-8")
    assert run_on(tmp_path) == []
