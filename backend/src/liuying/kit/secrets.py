"""The installation's own secrets: made at the first start, kept in a file that only its owner reads (threats 22)."""

from __future__ import annotations

import base64
import os
import secrets
from contextlib import suppress
from pathlib import Path

import msgspec

COVER_KEY_BYTES = 16
HMAC_KEY_BYTES = 32


class SecretFile(msgspec.Struct, forbid_unknown_fields=True):
    """`secrets.json` in the data folder.

    Attributes:
        cover_keys: Key id (1-255, as text) → AES-128 key in base64. Old keys stay so that old pictures open.
        current_cover_key: The id that new pictures are sealed with.
        pepper: Key of all keyed hashes of visitors' codes and addresses, base64.
    """

    cover_keys: dict[str, str]
    current_cover_key: int
    pepper: str


def load_or_create_secrets(path: Path) -> SecretFile:
    """Read the secrets, making them first where none are.

    Raises:
        msgspec.ValidationError: The file is not of this form.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=SecretFile)
    except FileNotFoundError:
        pass
    fresh = SecretFile(
        cover_keys={"1": _random_base64(COVER_KEY_BYTES)},
        current_cover_key=1,
        pepper=_random_base64(HMAC_KEY_BYTES),
    )
    _write_private(path, msgspec.json.format(msgspec.json.encode(fresh), indent=2))
    # Two processes may start at once: whichever linked its file first has made the secrets.
    return msgspec.json.decode(path.read_bytes(), type=SecretFile)


def _random_base64(length: int) -> str:
    return base64.b64encode(secrets.token_bytes(length)).decode()


def _write_private(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
