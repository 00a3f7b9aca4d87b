"""The installation's secrets: created at the first start, in a file that only its owner can read
(docs/security.md#t22).
"""

from __future__ import annotations

import base64
import secrets
import stat
from pathlib import Path

import msgspec

from liuying.kit.encryption import GATED_KEY
from liuying.kit.files import OTHERS, OWNER_ONLY, atomic_write

COVER_KEY_BYTES = 16
HMAC_KEY_BYTES = 32
# The chance that 16 random bytes have fewer distinct values is below 1 in 10^9.
FEWEST_DIFFERENT = 6


class SecretsError(Exception):
    """The secrets are not fit for use. The message says why, in Chinese."""


class SecretFile(msgspec.Struct, forbid_unknown_fields=True):
    """`secrets.json` in the data folder.

    Attributes:
        cover_keys: Key id (1-255, as text) → AES-128 key in base64. Old keys remain so that old
            pictures can be decrypted.
        current_cover_key: The key id for new pictures.
        pepper: Base64 key of all keyed hashes of visitors' codes and addresses.
    """

    cover_keys: dict[str, str]
    current_cover_key: int
    pepper: str


def load_secrets(path: Path, *, must_be_private: bool = False) -> SecretFile | None:
    """Read the secrets.

    Args:
        path: The file.
        must_be_private: Refuse a file that others may read or write.

    Returns:
        None where there is no file.

    Raises:
        OSError: The file cannot be read.
        SecretsError: The file is not of this form; a secret is empty, short or no random one; or
            the file is not private and must be.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    found = parse_secrets(content, f"密钥文件 {path} 已损坏，请从备份恢复")
    if must_be_private and (mode := stat.S_IMODE(path.stat().st_mode)) & OTHERS:
        raise SecretsError(f"密钥文件 {path} 的权限是 {mode:03o}，应为 600：chmod 600 {path}")
    return found


def parse_secrets(content: bytes, complaint: str) -> SecretFile:
    """Read the secrets from the content of their file.

    Args:
        complaint: What to say where it is not of this form.

    Raises:
        SecretsError: It is not; or a secret is empty, short or no random one.
    """
    try:
        found = msgspec.json.decode(content, type=SecretFile)
    except (msgspec.DecodeError, RecursionError) as error:
        raise SecretsError(complaint) from error
    _require_strong("pepper", found.pepper, HMAC_KEY_BYTES)
    if str(GATED_KEY) in found.cover_keys:
        raise SecretsError(
            f"密钥文件中的 cover_keys[{GATED_KEY}] 不能用：这个编号留给需确认年龄的封面"
        )
    for key_id, key in found.cover_keys.items():
        _require_strong(f"cover_keys[{key_id}]", key, COVER_KEY_BYTES)
    return found


def format_secrets(secrets: SecretFile) -> bytes:
    """The content of their file."""
    return msgspec.json.format(msgspec.json.encode(secrets), indent=2)


def create_secrets(path: Path) -> SecretFile:
    """Create the secrets of a new installation. If another process was faster, its secrets are
    used.

    Raises:
        OSError: The file cannot be created.
    """
    fresh = SecretFile(
        cover_keys={"1": _random_base64(COVER_KEY_BYTES)},
        current_cover_key=1,
        pepper=_random_base64(HMAC_KEY_BYTES),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two processes may start at once; the first one to write has created the secrets.
    with atomic_write(path, mode=OWNER_ONLY, replaces=False) as file:
        file.write(format_secrets(fresh))
    return msgspec.json.decode(path.read_bytes(), type=SecretFile)


def _require_strong(name: str, encoded: str, length: int) -> None:
    """Refuse values that were not drawn at random: empty, short or repetitive ones, such as from an
    example.
    """
    try:
        key = base64.b64decode(encoded, validate=True)
    except ValueError:
        key = b""
    if len(key) != length or len(set(key)) < FEWEST_DIFFERENT:
        raise SecretsError(
            f"密钥文件中的 {name} 为空或是默认值，应为 {length} 个随机字节（base64）"
        )


def _random_base64(length: int) -> str:
    return base64.b64encode(secrets.token_bytes(length)).decode()
