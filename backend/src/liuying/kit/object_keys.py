"""The names of stored objects: published media, encrypted pictures and kept originals.

They locate an object in every store. In the data folder they are file paths, in a backup the names
of members.
"""

from __future__ import annotations

MEDIA, PICTURES, ORIGINALS = AREAS = ("media", "enc", "originals")
PUBLIC, PROTECTED = "public", "protected"
# The prefix of published media addresses.
MEDIA_ADDRESS = "/media/"
PICTURE_SUFFIX = ".bin"


def media_area(*, is_protected: bool) -> str:
    """The prefix of all media that are open, or of those that need a signed URL
    (docs/product.md#sharing).
    """
    return f"{MEDIA}/{PROTECTED if is_protected else PUBLIC}"


def asset_prefix(asset: str, *, is_protected: bool) -> str:
    """The prefix of the keys of an asset's files."""
    return f"{media_area(is_protected=is_protected)}/{asset}/"


def media_key(address: str, *, is_protected: bool) -> str:
    """The object behind a public path.

    Args:
        address: `/media/{asset}/{name}`, or what follows `/media/`.
    """
    return f"{media_area(is_protected=is_protected)}/{address.removeprefix(MEDIA_ADDRESS)}"


def picture_key(name: str) -> str:
    """The object of an encrypted picture, grouped by the first two digits of its name."""
    return f"{PICTURES}/{name[:2]}/{name}{PICTURE_SUFFIX}"


def original_prefix(asset: str) -> str:
    """The prefix of the key of an asset's kept original."""
    return f"{ORIGINALS}/{asset}/"
