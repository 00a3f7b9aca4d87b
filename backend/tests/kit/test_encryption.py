"""Encrypted objects: the format byte by byte, what is refused, how they lie on disk."""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from liuying.kit.encryption import (
    GATED_KEY,
    KEY_BYTES,
    EncryptionError,
    ImageEncryptor,
    encrypted_url,
    gated_key,
)
from liuying.kit.folder_store import FolderStore
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.storage_layout import StorageLayout

KEY = bytes(range(16))
OTHER = bytes(range(16, 32))
KNOWN_PLAIN = "流影".encode()


@pytest.fixture
def encryptor() -> ImageEncryptor:
    return ImageEncryptor({7: KEY}, 7)


def test_the_format_is_as_written(encryptor: ImageEncryptor) -> None:
    encrypted = encryptor.encrypt(KNOWN_PLAIN)
    header, nonce, body = encrypted[:5], encrypted[5:17], encrypted[17:]
    assert header == b"CV\x01\x01\x07"
    assert nonce == hmac.digest(KEY, KNOWN_PLAIN, hashlib.sha256)[:12]
    assert AESGCM(KEY).decrypt(nonce, body, header) == KNOWN_PLAIN
    assert len(body) == len(KNOWN_PLAIN) + 16


@given(st.binary(max_size=4096))
def test_what_is_sealed_opens_again(plain: bytes) -> None:
    encryptor = ImageEncryptor({1: KEY, 2: OTHER}, 2)
    assert encryptor.open(encryptor.encrypt(plain)) == plain


def test_the_same_picture_is_the_same_object(encryptor: ImageEncryptor) -> None:
    assert encryptor.encrypt(b"one") == encryptor.encrypt(b"one")
    assert encryptor.encrypt(b"one")[5:17] != encryptor.encrypt(b"two")[5:17]


def test_old_keys_still_open() -> None:
    old = ImageEncryptor({1: KEY}, 1).encrypt(b"picture")
    assert ImageEncryptor({1: KEY, 2: OTHER}, 2).open(old) == b"picture"


@pytest.mark.parametrize("position", [0, 1, 2, 3, 4, 5, 16, 17, -1])
def test_a_changed_byte_is_noticed(encryptor: ImageEncryptor, position: int) -> None:
    encrypted = bytearray(encryptor.encrypt(b"picture"))
    encrypted[position] ^= 1
    with pytest.raises(EncryptionError):
        encryptor.open(bytes(encrypted))


@pytest.mark.parametrize("length", [0, 4, 5, 17, 32])
def test_a_short_object_is_refused(encryptor: ImageEncryptor, length: int) -> None:
    with pytest.raises(EncryptionError):
        encryptor.open(encryptor.encrypt(b"")[:length])


@pytest.mark.parametrize("keys", [{0: KEY}, {256: KEY}, {7: KEY[:15]}, {8: KEY}])
def test_wrong_keys_are_refused(keys: dict[int, bytes]) -> None:
    with pytest.raises(ValueError, match="key"):
        ImageEncryptor(keys, 7)


def test_an_object_is_named_by_its_content(encryptor: ImageEncryptor, tmp_path: Path) -> None:
    name = encryptor.store_image(FolderStore(StorageLayout(tmp_path)), b"picture")
    stored = tmp_path / "enc" / name[:2] / f"{name}.bin"
    assert name == hashlib.sha256(stored.read_bytes()).hexdigest()[:32]
    assert encryptor.open(stored.read_bytes()) == b"picture"
    assert encrypted_url(name) == f"/enc/{name}.bin"
    assert encryptor.media_type("image/avif") == "image/avif;kid=7"


def test_storing_again_leaves_the_object_and_nothing_else(
    encryptor: ImageEncryptor, tmp_path: Path
) -> None:
    name = encryptor.store_image(FolderStore(StorageLayout(tmp_path)), b"picture")
    before = (tmp_path / "enc" / name[:2] / f"{name}.bin").stat().st_ino
    assert encryptor.store_image(FolderStore(StorageLayout(tmp_path)), b"picture") == name
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{name}.bin"]
    assert (tmp_path / "enc" / name[:2] / f"{name}.bin").stat().st_ino == before


def test_the_picture_cannot_be_seen(encryptor: ImageEncryptor) -> None:
    plain = b"\xff\xd8\xff\xe0JFIF" + bytes(1000)
    encrypted = encryptor.encrypt(plain)
    assert b"JFIF" not in encrypted
    assert base64.b64encode(KEY) not in encrypted


def test_the_key_of_gated_pictures_is_the_installations_own() -> None:
    keys = {gated_key(KeyedHashes(bytes([number]) * 32)) for number in range(8)}
    assert len(keys) == 8
    assert {len(key) for key in keys} == {KEY_BYTES}
    own = ImageEncryptor({1: KEY, GATED_KEY: OTHER}, 1)
    sealed = own.under(GATED_KEY).encrypt(b"picture")
    assert sealed[4] == GATED_KEY
    assert own.open(sealed) == b"picture"
    with pytest.raises(EncryptionError):
        ImageEncryptor({1: KEY}, 1).open(sealed)
