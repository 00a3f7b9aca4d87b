"""A picture on the wire: the address of an encrypted object (docs/product.md#covers)."""

from __future__ import annotations

import msgspec


class EncryptedImage(msgspec.Struct, frozen=True, omit_defaults=True):
    """`coverbase64`, `imgbase64` and `icobase64` of the specification.

    Attributes:
        url: Path of the encrypted object, content-hashed and immutable; empty without a picture.
        type: Media type and key id, `image/avif;kid=1`.
        jpeg: The same picture as JPEG, for browsers without AVIF.
        thumb: ThumbHash in base64: a blurred placeholder of some 20 bytes.
        width: Pixels.
        height: Pixels.
    """

    url: str = ""
    type: str = ""
    jpeg: str | None = None
    thumb: str | None = None
    width: int | None = None
    height: int | None = None
