"""The installation's secrets."""

from __future__ import annotations

import base64
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from liuying.kit.secrets import SecretsError, create_secrets, format_secrets, load_secrets


def test_secrets_are_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secrets.json"
    assert load_secrets(path) is None
    first = create_secrets(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_secrets(path) == first
    assert create_secrets(path) == first
    assert [file.name for file in path.parent.iterdir()] == ["secrets.json"]


def test_two_starts_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: create_secrets(tmp_path / "secrets.json"), range(16)))
    assert all(one == made[0] for one in made)


def test_two_installations_differ(tmp_path: Path) -> None:
    assert create_secrets(tmp_path / "a.json") != create_secrets(tmp_path / "b.json")


def test_a_damaged_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    for text in ("{}", "[" * 100_000):
        path.write_text(text)
        with pytest.raises(SecretsError, match="已损坏，请从备份恢复"):
            load_secrets(path)
        assert path.read_text() == text


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_file_that_others_may_read_is_refused_where_it_must_be_private(
    tmp_path: Path, mode: int
) -> None:
    path = tmp_path / "secrets.json"
    made = create_secrets(path)
    path.chmod(mode)
    with pytest.raises(SecretsError, match=f"{mode:03o}"):
        load_secrets(path, must_be_private=True)
    assert load_secrets(path) == made


@pytest.mark.parametrize(
    "pepper",
    [
        "",
        "pepper",
        "secret",
        base64.b64encode(bytes(32)).decode(),
        base64.b64encode(b"ab" * 16).decode(),
        "QUJD",
    ],
)
def test_default_and_empty_secrets_are_refused(tmp_path: Path, pepper: str) -> None:
    path = tmp_path / "secrets.json"
    made = create_secrets(path)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(made, pepper=pepper)))
    with pytest.raises(SecretsError, match="pepper"):
        load_secrets(path)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(made, cover_keys={"1": pepper})))
    with pytest.raises(SecretsError, match="cover_keys"):
        load_secrets(path)


def test_the_number_of_gated_pictures_key_is_not_everybodys(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    made = create_secrets(path)
    made.cover_keys["255"] = made.cover_keys["1"]
    path.write_bytes(format_secrets(made))
    with pytest.raises(SecretsError, match="255"):
        load_secrets(path)
