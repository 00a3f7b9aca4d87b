"""The largest picture of a first screen, inside its document: drawn before any code has come."""

from __future__ import annotations

from base64 import b64encode

from liuying.kit.encryption import encrypted_name
from liuying.kit.images import EncryptedImage
from liuying.kit.object_keys import picture_key
from liuying.kit.object_store import ObjectStore
from liuying.kit.patient_reads import PatientReads

# A larger one would keep the code behind it waiting: 0.1 s with a slow mobile network.
MAX_BYTES = 20 * 1024
MAX_KEPT = 64


class FirstPictures:
    """Encrypted pictures as documents hold them. Safe for threads.

    Args:
        objects: The store of the pictures.
    """

    def __init__(self, objects: ObjectStore) -> None:
        self._reads = PatientReads(objects, MAX_BYTES, MAX_KEPT)

    def text_of(self, picture: EncryptedImage | None) -> str:
        """The picture, encrypted, in base64; empty where there is none, none that is small, or none
        to be had soon.
        """
        name = encrypted_name(picture.url) if picture else ""
        content = self._reads.read(picture_key(name)) if name else None
        return b64encode(content or b"").decode()
