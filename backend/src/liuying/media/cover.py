"""Covers: choosing a picture of the video, and storing pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from liuying.kit.encryption import ImageEncryptor, encrypted_url
from liuying.kit.images import EncryptedImage
from liuying.kit.object_store import ObjectStore
from liuying.media.candidates import COVER_WIDTH
from liuying.media.errors import PictureError

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image

SCORED_WIDTH = 160
# Mean difference of neighbouring grey levels above which more sharpness does not count.
SHARP_ENOUGH = 12.0
# Mean grey levels between which a picture is neither too dark nor too bright.
DARK, BRIGHT = 55.0, 190.0
AVIF_QUALITY, AVIF_SPEED = 66, 6
JPEG_QUALITY = 82
MAX_PICTURE_PIXELS = 40_000_000
# A smaller one is a mistake, or counts visitors for somebody: it shows nothing.
LEAST_PICTURE_SIDE = 24
PICTURE_FORMATS = ("JPEG", "PNG", "WEBP")


def best_picture(candidates: Sequence[Path]) -> Image.Image | None:
    """The best picture for a cover.

    Args:
        candidates: BMP files in the film's order; the first among equals is taken.

    Returns:
        None if there is none.
    """
    return max(map(_opened, candidates), key=_worth, default=None)


def _opened(candidate: Path) -> Image.Image:
    from PIL import Image

    with Image.open(candidate, formats=["BMP"]) as picture:
        return picture.convert("RGB")


def _worth(picture: Image.Image) -> float:
    import numpy as np
    from PIL import Image

    height = max(2, round(picture.height * SCORED_WIDTH / picture.width))
    grey = picture.convert("L").resize((SCORED_WIDTH, height), Image.Resampling.BICUBIC)
    return score(np.asarray(grey, dtype=np.float64))


def score(grey: np.ndarray) -> float:
    """How suitable a picture is as a cover: detail, sharpness, light.

    Args:
        grey: Height × width, 0 to 255.

    Returns:
        0 (nothing to see) to 1.
    """
    import numpy as np

    counts = np.bincount(grey.astype(np.uint8).ravel(), minlength=256) / grey.size
    present = counts[counts > 0]
    entropy = float(-(present * np.log2(present)).sum()) / 8
    steps = (np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean()) / 2
    sharpness = min(1.0, float(steps) / SHARP_ENOUGH)
    mean = float(grey.mean())
    light = min(1.0, mean / DARK, (255 - mean) / (255 - BRIGHT))
    return light * (0.6 * entropy + 0.4 * sharpness)


def open_picture(content: bytes) -> Image.Image:
    """Decode a picture from outside, upright as its camera says.

    Raises:
        PictureError: Not JPEG, PNG or WebP, damaged, too large or too small.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        image: Image.Image = Image.open(io.BytesIO(content), formats=PICTURE_FORMATS)
        require_usable_size(image)
        image = ImageOps.exif_transpose(image)
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
    ) as error:
        raise PictureError from error
    except Image.DecompressionBombError as error:
        raise PictureError("图片过大，请先缩小") from error
    return image


def require_usable_size(image: Image.Image) -> None:
    """Refuse a picture before it is decoded.

    Raises:
        PictureError: It has too many pixels, or a side of too few.
    """
    if min(image.size) < LEAST_PICTURE_SIDE:
        raise PictureError(
            f"图片太小：{image.width}×{image.height}，每边至少 {LEAST_PICTURE_SIDE} 像素"
        )
    if image.width * image.height > MAX_PICTURE_PIXELS:
        millions = image.width * image.height / 1e6
        raise PictureError(
            f"图片过大：{image.width}×{image.height}（{millions:.0f} 百万像素），"
            f"最多 {MAX_PICTURE_PIXELS // 1_000_000} 百万像素，请先缩小"
        )


def encode_picture(
    image: Image.Image,
    encryptor: ImageEncryptor,
    objects: ObjectStore,
    max_width: int = COVER_WIDTH,
) -> EncryptedImage:
    """Store a picture as AVIF, with JPEG beside it, both encrypted.

    Args:
        image: Any mode; transparency is kept in AVIF and put on white in JPEG.
        encryptor: Encrypts.
        objects: Where it is stored.
        max_width: Pixels; a wider picture is scaled down, a narrower one is not scaled.

    Raises:
        OSError: The disk is full.
    """
    from PIL import Image

    from liuying.media.thumbhash import thumbhash

    mode = "RGBA" if image.has_transparency_data else "RGB"
    picture = image if image.mode == mode else image.convert(mode)
    if picture.width > max_width:
        height = max(1, round(picture.height * max_width / picture.width))
        picture = picture.resize((max_width, height), Image.Resampling.LANCZOS)
    avif = _encoded(picture, "AVIF", quality=AVIF_QUALITY, speed=AVIF_SPEED, subsampling="4:2:0")
    jpeg = jpeg_of(picture)
    return EncryptedImage(
        url=encrypted_url(encryptor.store_image(objects, avif)),
        type=encryptor.media_type("image/avif"),
        jpeg=encrypted_url(encryptor.store_image(objects, jpeg)),
        thumb=thumbhash(picture),
        width=picture.width,
        height=picture.height,
    )


def jpeg_of(picture: Image.Image) -> bytes:
    """A picture as JPEG, transparency put on white."""
    from PIL import Image

    opaque = picture
    if picture.mode == "RGBA":
        opaque = Image.new("RGB", picture.size, "white")
        opaque.paste(picture, mask=picture.getchannel("A"))
    return _encoded(opaque, "JPEG", quality=JPEG_QUALITY, optimize=True, progressive=True)


def _encoded(picture: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()
