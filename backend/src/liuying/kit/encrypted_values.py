"""Database values that must stay readable for the installation but not for someone who only gets
hold of the file: encrypted with a key derived from the installation's secrets
(docs/security.md#t35).

Form: `v1.`, then base64url of nonce (12 bytes), ciphertext and tag (16 bytes). AES-256-GCM
authenticates the purpose and the row, so a value cannot be moved elsewhere.
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
    """A value was encrypted with other secrets or for another place, or was tampered with."""


class ValueEncryptor:
    """Encrypts the values of one purpose.

    Args:
        hashes: Keyed with the pepper; the key is derived from them.
        purpose: Separates kinds of values from each other, e.g. `vendor-key`.
    """

    def __init__(self, hashes: KeyedHashes, purpose: str) -> None:
        self._cipher = AESGCM(hashes.digest("encrypted-value", purpose))
        self._purpose = purpose

    def encrypt(self, place: str, plain: bytes) -> str:
        """Encrypt the value of one row.

        Args:
            place: Identifies the row; the value decrypts only there.
        """
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, plain, self._authenticated(place))
        return PREFIX + base64.urlsafe_b64encode(sealed).decode()

    def decrypt(self, place: str, encrypted: str) -> bytes:
        """Decrypt the value of one row.

        Raises:
            UnreadableValueError: It does not decrypt with these secrets at this place.
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
    """Whether a stored value is encrypted. Base64 contains no full stop, so no clear value has this
    form.
    """
    return value.startswith(PREFIX)
