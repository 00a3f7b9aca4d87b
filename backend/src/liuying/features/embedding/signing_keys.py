"""The keys that partners sign their codes with: encrypted in the database, by keys of ours."""

from __future__ import annotations

import base64
import secrets

import sqlalchemy as sa

from liuying.features.embedding import queries
from liuying.kit.encrypted_values import UnreadableValueError, ValueEncryptor, is_encrypted
from liuying.kit.keyed_hashes import KeyedHashes

KEY_BYTES = 32


class SigningKeys:
    """Makes, encrypts and opens signing keys.

    Args:
        hashes: Keyed with the installation's pepper.
    """

    def __init__(self, hashes: KeyedHashes) -> None:
        self._encryptor = ValueEncryptor(hashes, "vendor-key")

    def new(self, vendor_id: str) -> str:
        """A new key as it is stored."""
        return self._encryptor.encrypt(vendor_id, secrets.token_bytes(KEY_BYTES))

    def open(self, vendor_id: str, stored: str) -> bytes:
        """A stored key. One in clear, which versions up to 0.1.0 wrote, is read, too.

        Raises:
            UnreadableValueError: It does not open with these secrets.
        """
        if is_encrypted(stored):
            return self._encryptor.decrypt(vendor_id, stored)
        try:
            key = base64.b64decode(stored, validate=True)
        except ValueError:
            raise UnreadableValueError from None
        # Anything else must not become a key that everybody knows.
        if len(key) != KEY_BYTES:
            raise UnreadableValueError
        return key

    def encrypt_clear_keys(self, connection: sa.Connection) -> None:
        """Encrypt the keys that versions up to 0.1.0 wrote in clear. What is no key stays."""
        for vendor_id, stored in queries.clear_keys(connection):
            try:
                key = self.open(vendor_id, stored)
            except UnreadableValueError:
                continue
            sealed = self._encryptor.encrypt(vendor_id, key)
            queries.update_vendor(connection, vendor_id, {"key": sealed})
