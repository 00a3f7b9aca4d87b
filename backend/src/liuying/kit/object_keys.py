"""The names of stored objects: published media, encrypted pictures, kept originals, and what waits
to be imported or is still arriving.

They locate an object in a store. In the data folder they are file paths, in a backup the names of
members.
"""

from __future__ import annotations

from enum import Enum

import msgspec

MEDIA, PICTURES, ORIGINALS, INBOX, UPLOADS = AREAS = (
    "media",
    "enc",
    "originals",
    "inbox",
    "uploads",
)
PUBLIC, PROTECTED, REMOVED = "public", "protected", "removed"
# The prefix of published media addresses.
MEDIA_ADDRESS = "/media/"
PICTURE_SUFFIX = ".bin"
# A regular expression: what follows an asset's key in the address of one of its files.
MEDIA_NAME = r"(?:[0-9A-Za-z_-]{1,40}/)?[0-9A-Za-z_-]{1,60}\.[0-9a-z]{2,4}"
# By the ending of a key's last part.
MEDIA_TYPES = {
    "m3u8": "application/vnd.apple.mpegurl",
    "m4s": "video/iso.segment",
    "mp4": "video/mp4",
    "vtt": "text/vtt; charset=utf-8",
    "jpg": "image/jpeg",
    "bin": "application/octet-stream",
}


class MediaPlace(Enum):
    """Who may read an asset's files; the value names their folder where a store keeps them
    apart.
    """

    OPEN = PUBLIC
    # By a signed URL only.
    PROTECTED = PROTECTED
    # Nobody: its video is in the bin.
    REMOVED = REMOVED

    @classmethod
    def of(cls, *, is_protected: bool, is_removed: bool) -> MediaPlace:
        """What an asset's row says."""
        if is_removed:
            return cls.REMOVED
        return cls.PROTECTED if is_protected else cls.OPEN


class MediaKeys(msgspec.Struct, frozen=True):
    """How a store names the files of assets.

    Attributes:
        is_split: Assets have a prefix by place, so that locking or removing one moves its files:
            the data folder, whose open part nginx serves by itself. Otherwise all have one prefix,
            and nothing but the asset's row says who may read.
    """

    is_split: bool

    @property
    def areas(self) -> tuple[str, ...]:
        """Prefixes, without a slash, whose next part is an asset's key."""
        return tuple(self.area(place) for place in MediaPlace) if self.is_split else (MEDIA,)

    def area(self, place: MediaPlace) -> str:
        """The one of them that holds assets of a place."""
        return f"{MEDIA}/{place.value}" if self.is_split else MEDIA

    def prefix(self, asset: str, place: MediaPlace) -> str:
        """The prefix of the keys of an asset's files."""
        return f"{self.area(place)}/{asset}/"

    def prefixes(self, asset: str) -> list[str]:
        """All prefixes that an asset's files may have."""
        return [f"{area}/{asset}/" for area in self.areas]

    def key(self, address: str, place: MediaPlace) -> str:
        """The object behind a public path.

        Args:
            address: `/media/{asset}/{name}`, or what follows `/media/`.
        """
        return f"{self.area(place)}/{address.removeprefix(MEDIA_ADDRESS)}"


SPLIT_MEDIA, MEDIA_BY_ROW = MediaKeys(is_split=True), MediaKeys(is_split=False)


def picture_key(name: str) -> str:
    """The object of an encrypted picture, grouped by the first two digits of its name."""
    return f"{PICTURES}/{name[:2]}/{name}{PICTURE_SUFFIX}"


def original_prefix(asset: str) -> str:
    """The prefix of the key of an asset's kept original."""
    return f"{ORIGINALS}/{asset}/"


def inbox_key(content: str) -> str:
    """The object of a file that waits to be imported.

    Args:
        content: Its SHA-256 in hexadecimal digits.
    """
    return f"{INBOX}/{content}"


def upload_prefix(upload: str) -> str:
    """The prefix of the keys of an upload's parts."""
    return f"{UPLOADS}/{upload}/"
