"""The largest picture of a first screen, inside its document: drawn before any code has come."""

from __future__ import annotations

from base64 import b64encode
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from liuying.kit.images import EncryptedImage
from liuying.kit.object_keys import PICTURE_SUFFIX, picture_key
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
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def text_of(self, pictures: Sequence[EncryptedImage]) -> str:
        """The first of the pictures, encrypted, in base64; empty where there is none, or none that
        is small.
        """
        name = pictures[0].url.rpartition("/")[2].removesuffix(PICTURE_SUFFIX) if pictures else ""
        if not name:
            return ""
        with self._lock:
            if (known := self._texts.get(name)) is not None:
                self._texts.move_to_end(name)
                return known
        text = self._read(name)
        with self._lock:
            self._texts[name] = text
            if len(self._texts) > MAX_KEPT:
                self._texts.popitem(last=False)
        return text

    def _read(self, name: str) -> str:
        try:
            with opened(self._objects, picture_key(name)) as found:
                if found.size > MAX_BYTES:
                    return ""
                return b64encode(found.read(0, found.size)).decode()
        except OSError:
            return ""
