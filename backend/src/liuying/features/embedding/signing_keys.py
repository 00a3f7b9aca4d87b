"""The keys with which partners sign their codes, encrypted in the database."""

from __future__ import annotations

import base64
import secrets

import sqlalchemy as sa

from liuying.features.embedding import queries
from liuying.kit.encrypted_values import UnreadableValueError, ValueEncryptor, is_encrypted
from liuying.kit.keyed_hashes import KeyedHashes

KEY_BYTES = 32


class SigningKeys:
    """Creates, encrypts and decrypts signing keys.

    Args:
        hashes: Keyed with the installation's pepper.
    """

    def __init__(self, hashes: KeyedHashes) -> None:
        self._encryptor = ValueEncryptor(hashes, "vendor-key")

    def new(self, vendor_id: str) -> str:
        """Create a key in its stored form."""
        return self._encryptor.encrypt(vendor_id, secrets.token_bytes(KEY_BYTES))

    def open(self, vendor_id: str, stored: str) -> bytes:
        """Decrypt a stored key. A key in clear, as written by versions up to 0.1.0, is accepted
        too.

        Raises:
            UnreadableValueError: It cannot be decrypted with these secrets.
        """
        if is_encrypted(stored):
            return self._encryptor.decrypt(vendor_id, stored)
        try:
            key = base64.b64decode(stored, validate=True)
        except ValueError:
            raise UnreadableValueError from None
        # Anything else must not become a publicly known key.
        if len(key) != KEY_BYTES:
            raise UnreadableValueError
        return key

    def encrypt_clear_keys(self, connection: sa.Connection) -> None:
        """Encrypt keys that versions up to 0.1.0 stored in clear. Values that are no keys stay."""
        for vendor_id, stored in queries.clear_keys(connection):
            try:
                key = self.open(vendor_id, stored)
            except UnreadableValueError:
                continue
            sealed = self._encryptor.encrypt(vendor_id, key)
            queries.update_vendor(connection, vendor_id, {"key": sealed})
