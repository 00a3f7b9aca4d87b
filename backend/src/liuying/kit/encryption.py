"""Encrypted pictures: stored and sent encrypted, so that a scanner or a hotlink sees noise
(docs/product.md#covers).

This hides pictures from casual inspection. It is not DRM: every client holds the keys.

Layout of a encrypted object::

    "CV"  version=1  algorithm=1 (AES-128-GCM)  key id  nonce (12 bytes)  ciphertext  tag (16 bytes)

The 5 bytes before the nonce are authenticated too. The nonce is an HMAC of the plaintext: the same
picture under the same key is the same object, and two pictures never share a nonce.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.object_keys import picture_key
from liuying.kit.object_store import ObjectStore

MAGIC = b"CV"
VERSION = 1
AES_128_GCM = 1
KEY_BYTES = 16
NONCE_BYTES = 12
TAG_BYTES = 16
HEADER_BYTES = len(MAGIC) + 3
NAME_LENGTH = 32
# The key id of gated pictures (docs/product.md#age-gate): a key that is not among everybody's.
GATED_KEY = 255
GATED_PURPOSE = "gated-pictures"


class EncryptionError(Exception):
    """The object has another format, was tampered with, or its key is unknown."""


class ImageEncryptor:
    """Encrypts with the current key, decrypts with any.

    Args:
        keys: Key id (1-255) → 16 bytes. Old keys remain so that old pictures can be decrypted.
        current: The key id for new pictures.

    Raises:
        ValueError: A key or an id breaks its rule, or `current` has no key.
    """

    def __init__(self, keys: Mapping[int, bytes], current: int) -> None:
        for key_id, key in keys.items():
            if not 1 <= key_id <= 255 or len(key) != KEY_BYTES:
                raise ValueError(f"key {key_id}: an id is 1-255 and a key {KEY_BYTES} bytes long")
        if current not in keys:
            raise ValueError(f"the current key {current} is missing")
        self._keys = dict(keys)
        self.current = current

    def under(self, key_id: int) -> ImageEncryptor:
        """One that encrypts with another of the keys."""
        return ImageEncryptor(self._keys, key_id)

    def encrypt(self, plain: bytes) -> bytes:
        """Encrypt `plain` with the current key."""
        key = self._keys[self.current]
        header = MAGIC + bytes((VERSION, AES_128_GCM, self.current))
        nonce = hmac.digest(key, plain, hashlib.sha256)[:NONCE_BYTES]
        return header + nonce + AESGCM(key).encrypt(nonce, plain, header)

    def open(self, encrypted: bytes) -> bytes:
        """Decrypt.

        Raises:
            EncryptionError: It has another format, was tampered with, or its key is unknown here.
        """
        header, rest = encrypted[:HEADER_BYTES], encrypted[HEADER_BYTES:]
        if len(rest) < NONCE_BYTES + TAG_BYTES or header[:2] != MAGIC:
            raise EncryptionError("not a encrypted object")
        version, algorithm, key_id = header[2:]
        if (version, algorithm) != (VERSION, AES_128_GCM):
            raise EncryptionError(f"unknown version {version} or algorithm {algorithm}")
        if (key := self._keys.get(key_id)) is None:
            raise EncryptionError(f"unknown key {key_id}")
        try:
            return AESGCM(key).decrypt(rest[:NONCE_BYTES], rest[NONCE_BYTES:], header)
        except InvalidTag:
            raise EncryptionError("the object was changed") from None

    def media_type(self, plain_type: str) -> str:
        """`image/avif` → `image/avif;kid=1`, the `type` of a picture encrypted with the current
        key.
        """
        return f"{plain_type};kid={self.current}"

    def store_image(self, objects: ObjectStore, plain: bytes) -> str:
        """Encrypt a picture and store it.

        Args:
            objects: Where it is stored (`object_keys.picture_key`).
            plain: The picture's bytes.

        Returns:
            The name: 32 hexadecimal digits of the SHA-256 of the encrypted bytes. The address is
                `/enc/{name}.bin`.
        """
        encrypted = self.encrypt(plain)
        name = hashlib.sha256(encrypted).hexdigest()[:NAME_LENGTH]
        objects.put_if_absent(picture_key(name), encrypted)
        return name


def gated_key(hashes: KeyedHashes) -> bytes:
    """The key of gated pictures: the same for every process of an installation, and for no
    other.
    """
    return hashes.digest(GATED_PURPOSE)[:KEY_BYTES]


def encrypted_url(name: str) -> str:
    """The address of the object with this name."""
    return f"/enc/{name}.bin"


def encrypted_name(address: str) -> str:
    """The name of the object at an address of `encrypted_url`; empty for an empty one."""
    return address.removeprefix("/enc/").removesuffix(".bin")
