"""Values of the database that must be read again but not by whoever gets hold of the file alone:
encrypted with a key derived from the installation's secrets (docs/security.md#t35).

Form: `v1.`, then base64url of nonce (12 bytes), ciphertext and tag (16 bytes): AES-256-GCM, with
the purpose and the row authenticated, so that no value can be moved to another place.
"""

from __future__ import annotations

import base64
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from liuying.kit.keyed_hashes import KeyedHashes

PREFIX = "v1."
NONCE_BYTES, TAG_BYTES = 12, 16


class UnreadableValueError(Exception):
    """A value was encrypted with other secrets, for another place, or was changed."""


class ValueEncryptor:
    """Encrypts the values of one purpose.

    Args:
        hashes: Keyed with the pepper, from which the key is derived.
        purpose: Keeps the values of one kind apart from all others, e.g. `vendor-key`.
    """

    def __init__(self, hashes: KeyedHashes, purpose: str) -> None:
        self._cipher = AESGCM(hashes.digest("encrypted-value", purpose))
        self._purpose = purpose

    def encrypt(self, place: str, plain: bytes) -> str:
        """Encrypt the value of one row.

        Args:
            place: What names the row; the value opens there alone.
        """
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, plain, self._authenticated(place))
        return PREFIX + base64.urlsafe_b64encode(sealed).decode()

    def decrypt(self, place: str, encrypted: str) -> bytes:
        """The value that was encrypted for a row.

        Raises:
            UnreadableValueError: It does not open with these secrets, at this place.
        """
        try:
            sealed = base64.urlsafe_b64decode(encrypted.removeprefix(PREFIX))
            if not is_encrypted(encrypted) or len(sealed) < NONCE_BYTES + TAG_BYTES:
                raise UnreadableValueError
            nonce, rest = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
            return self._cipher.decrypt(nonce, rest, self._authenticated(place))
        except (InvalidTag, ValueError):
            raise UnreadableValueError from None

    def _authenticated(self, place: str) -> bytes:
        return f"{self._purpose}\0{place}".encode()


def is_encrypted(value: str) -> bool:
    """Whether a stored value has this form. Base64 has no full stop, so no clear value has."""
    return value.startswith(PREFIX)
