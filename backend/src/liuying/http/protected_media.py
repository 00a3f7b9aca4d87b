"""Media of locked videos: read through signed URLs only (docs/security.md#t5)."""

from __future__ import annotations

import re

import msgspec

from liuying.core.playback.signed_urls import GRANT_LENGTH, seconds_left
from liuying.kit.clock import Clock
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.object_keys import MEDIA_NAME

ASSET_FILE = rf"([0-9a-z]{{8,32}})/({MEDIA_NAME})"
GRANTED_PATH = re.compile(rf"/media/r/([0-9A-Za-z_-]{{{GRANT_LENGTH}}})/{ASSET_FILE}")
PLAYLIST_SUFFIX = ".m3u8"
MAX_CACHED_S = 3600


class SignedFile(msgspec.Struct, frozen=True):
    """A file that a request may read.

    Attributes:
        path: Below the protected folder, `{asset key}/…`; it may be missing.
        cache_control: How long this browser may cache it, never beyond the signature's expiry.
    """

    path: str
    cache_control: bytes


class ProtectedMedia:
    """Decides on addresses below `/media/r/`.

    Args:
        hashes: The installation's.
        clock: The time that expiries are compared with.
    """

    def __init__(self, hashes: KeyedHashes, clock: Clock) -> None:
        self._hashes = hashes
        self._clock = clock

    def find(self, path: str) -> SignedFile | None:
        """The file behind an address; None if its signature is missing, altered, expired, or
        belongs to another asset.
        """
        found = GRANTED_PATH.fullmatch(path)
        if found is None:
            return None
        signed_prefix, key, name = found.groups()
        left = self.seconds_left(signed_prefix, key)
        if left <= 0:
            return None
        if name.endswith(PLAYLIST_SUFFIX):
            return SignedFile(f"{key}/{name}", b"private, no-store")
        return SignedFile(f"{key}/{name}", b"private, max-age=%d" % min(left, MAX_CACHED_S))

    def seconds_left(self, signed_prefix: str, asset: str) -> int:
        """How long a signature gives the right to an asset; 0 where it does not."""
        return seconds_left(self._hashes, signed_prefix, asset, self._clock())
