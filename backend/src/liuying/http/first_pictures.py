"""The largest picture of a first screen, inside its document: drawn before any code has come."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache

from liuying.kit.encryption import encrypted_name
from liuying.kit.images import EncryptedImage
from liuying.kit.object_keys import picture_key
from liuying.kit.object_store import ObjectStore, opened

# A larger one would keep the code behind it waiting: 0.1 s with a slow mobile network.
MAX_BYTES = 20 * 1024
MAX_KEPT = 64


class FirstPictures:
    """Encrypted pictures as documents hold them. Safe for threads.

    Args:
        objects: The store of the pictures.
    """

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        # A picture never changes under its name; one that could not be read is tried again.
        self._text = lru_cache(MAX_KEPT)(self._read)

    def text_of(self, picture: EncryptedImage | None) -> str:
        """The picture, encrypted, in base64; empty where there is none, or none that is small."""
        name = encrypted_name(picture.url) if picture else ""
        try:
            return self._text(name) if name else ""
        except OSError:
            return ""

    def _read(self, name: str) -> str:
        with opened(self._objects, picture_key(name)) as found:
            if found.size > MAX_BYTES:
                return ""
            return b64encode(found.read(0, found.size)).decode()
