"""The installation's secrets."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from liuying.kit.secrets import load_or_create_secrets


def test_secrets_are_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secrets.json"
    first = load_or_create_secrets(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_or_create_secrets(path) == first
    assert [file.name for file in path.parent.iterdir()] == ["secrets.json"]


def test_two_starts_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: load_or_create_secrets(tmp_path / "secrets.json"), range(16)))
    assert all(one == made[0] for one in made)


def test_two_installations_differ(tmp_path: Path) -> None:
    assert load_or_create_secrets(tmp_path / "a.json") != load_or_create_secrets(tmp_path / "b.json")


def test_a_damaged_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    path.write_text("{}")
    with pytest.raises(ValueError, match="missing required field"):
        load_or_create_secrets(path)
    assert path.read_text() == "{}"
