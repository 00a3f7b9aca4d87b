"""Covers that an operator chooses: a picture of the film or one of his own, and which part of it.

What comes out goes the way of `liuying video edit --cover`.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated

import msgspec

from liuying.media.candidates import COVER_WIDTH
from liuying.media.errors import PictureError

if TYPE_CHECKING:
    from PIL import Image

# How the console shows a picture of the film: as large as a phone needs.
SHOWN_QUALITY = 88
# Rounding of shares; pixels of a side.
CROP_TOLERANCE, LEAST_CROP = 0.001, 64


class Crop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a picture, in shares of its width and height from its upper left corner."""

    left: Annotated[float, msgspec.Meta(ge=0, le=1)]
    top: Annotated[float, msgspec.Meta(ge=0, le=1)]
    width: Annotated[float, msgspec.Meta(gt=0, le=1)]
    height: Annotated[float, msgspec.Meta(gt=0, le=1)]


def cropped(picture: Image.Image, crop: Crop) -> Image.Image:
    """A part of a picture.

    Raises:
        PictureError: The part lies outside the picture, or has less than `LEAST_CROP` pixels a
            side.
    """
    right, bottom = crop.left + crop.width, crop.top + crop.height
    if max(right, bottom) > 1 + CROP_TOLERANCE:
        raise PictureError("裁切的范围超出图片")
    box = (
        round(crop.left * picture.width),
        round(crop.top * picture.height),
        min(picture.width, round(right * picture.width)),
        min(picture.height, round(bottom * picture.height)),
    )
    if min(box[2] - box[0], box[3] - box[1]) < LEAST_CROP:
        raise PictureError("裁切后的图片太小，请选大一些的范围")
    return picture.crop(box)


def cover_of(picture: Image.Image, crop: Crop | None) -> bytes:
    """A part of a picture as the file of a cover (PNG), no wider than covers are.

    Args:
        crop: The part; None for the whole.

    Raises:
        PictureError: There is no such part.
    """
    from PIL import Image

    part = picture if crop is None else cropped(picture, crop)
    part = part.convert("RGBA" if part.has_transparency_data else "RGB")
    if part.width > COVER_WIDTH:
        height = max(1, round(part.height * COVER_WIDTH / part.width))
        part = part.resize((COVER_WIDTH, height), Image.Resampling.LANCZOS)
    return _encoded(part, "PNG", compress_level=1)


def shown_picture(picture: Image.Image) -> bytes:
    """A picture of the film to choose a part of, as JPEG."""
    return _encoded(picture, "JPEG", quality=SHOWN_QUALITY)


def _encoded(picture: Image.Image, form: str, **options: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()
