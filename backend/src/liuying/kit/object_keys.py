"""The names of stored objects: published media, encrypted pictures and kept originals.

They say where a thing lies in every object store. In the data folder they are the paths of files,
and in a backup the names of members.
"""

from __future__ import annotations

MEDIA, PICTURES, ORIGINALS = AREAS = ("media", "enc", "originals")
PUBLIC, PROTECTED = "public", "protected"
# What an address of published media begins with.
MEDIA_ADDRESS = "/media/"
PICTURE_SUFFIX = ".bin"


def media_area(*, is_protected: bool) -> str:
    """Where the media of all assets are that are open, or only read behind an unlock
    (docs/product.md#sharing).
    """
    return f"{MEDIA}/{PROTECTED if is_protected else PUBLIC}"


def asset_prefix(asset: str, *, is_protected: bool) -> str:
    """What the keys of all files of an asset begin with."""
    return f"{media_area(is_protected=is_protected)}/{asset}/"


def media_key(address: str, *, is_protected: bool) -> str:
    """The object that a public path leads to.

    Args:
        address: `/media/{asset}/{name}`, or what follows `/media/`.
    """
    return f"{media_area(is_protected=is_protected)}/{address.removeprefix(MEDIA_ADDRESS)}"


def picture_key(name: str) -> str:
    """The object of an encrypted picture; on shelves by the first two digits of its name."""
    return f"{PICTURES}/{name[:2]}/{name}{PICTURE_SUFFIX}"


def original_prefix(asset: str) -> str:
    """What the key of an asset's kept original begins with."""
    return f"{ORIGINALS}/{asset}/"
