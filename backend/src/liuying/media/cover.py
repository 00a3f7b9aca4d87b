"""Covers: which picture stands for a video, and how pictures are stored."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from PIL import Image, UnidentifiedImageError

from liuying.kit.images import SealedImage
from liuying.kit.sealing import Sealer, sealed_url
from liuying.media.errors import PictureError
from liuying.media.thumbhash import thumbhash

COVER_WIDTH, COVER_HEIGHT = 720, 1280
CANDIDATES = 12
SCORED_WIDTH = 160
# How sharp (mean step between neighbours, in grey levels) a picture must be to gain no more by it.
SHARP_ENOUGH = 12.0
# Mean grey levels between which a picture is neither too dark nor washed out.
DARK, BRIGHT = 55.0, 190.0
AVIF_QUALITY, AVIF_SPEED = 66, 6
JPEG_QUALITY = 82
MAX_PICTURE_PIXELS = 40_000_000
PICTURE_FORMATS = ("JPEG", "PNG", "WEBP")


def best_moment(rendition: Path) -> float:
    """The moment whose picture should be the cover.

    Args:
        rendition: A finished file of the lowest rung. Only some of its key frames are decoded.

    Returns:
        Seconds from the start.
    """
    scored = [(score(grey), -moment) for moment, grey in _key_pictures(rendition)]
    return -max(scored)[1] if scored else 0.0


def _key_pictures(rendition: Path) -> Iterator[tuple[float, np.ndarray]]:
    """Moments and small grey pictures of up to `CANDIDATES` key frames, evenly spread."""
    with av.open(f"file:{rendition.absolute()}", options={"protocol_whitelist": "file"}) as container:
        stream = container.streams.video[0]
        keys = sum(1 for packet in container.demux(stream) if packet.is_keyframe)
    step = max(1, -(-keys // CANDIDATES))
    with av.open(f"file:{rendition.absolute()}", options={"protocol_whitelist": "file"}) as container:
        stream = container.streams.video[0]
        stream.codec_context.skip_frame = "NONKEY"
        # The demuxer counts the decoding delay in; the first picture is the start.
        start = float((stream.start_time or 0) * (stream.time_base or 0))
        for number, frame in enumerate(container.decode(stream)):
            if number % step == 0 and frame.time is not None:
                height = max(2, round(frame.height * SCORED_WIDTH / frame.width))
                grey = frame.reformat(width=SCORED_WIDTH, height=height, format="gray").to_ndarray()
                yield max(0.0, frame.time - start), grey.astype(np.float64)


def score(grey: np.ndarray) -> float:
    """How well a picture stands for its video: detail, sharpness, light.

    Args:
        grey: Height × width, 0 to 255.

    Returns:
        0 (nothing to see) to 1.
    """
    counts = np.bincount(grey.astype(np.uint8).ravel(), minlength=256) / grey.size
    present = counts[counts > 0]
    entropy = float(-(present * np.log2(present)).sum()) / 8
    steps = (np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean()) / 2
    sharpness = min(1.0, float(steps) / SHARP_ENOUGH)
    mean = float(grey.mean())
    light = min(1.0, mean / DARK, (255 - mean) / (255 - BRIGHT))
    return light * (0.6 * entropy + 0.4 * sharpness)


def cover_size(width: int, height: int) -> tuple[int, int]:
    """The size of a cover: within `COVER_WIDTH` × `COVER_HEIGHT`, never enlarged."""
    factor = min(1.0, COVER_WIDTH / width, COVER_HEIGHT / height)
    return max(1, round(width * factor)), max(1, round(height * factor))


def open_picture(content: bytes) -> Image.Image:
    """A picture that somebody gave, decoded.

    Raises:
        PictureError: Not JPEG, PNG or WebP, damaged, or too large.
    """
    try:
        image = Image.open(io.BytesIO(content), formats=PICTURE_FORMATS)
        if image.width * image.height > MAX_PICTURE_PIXELS:
            raise PictureError
        image.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PictureError from error
    return image


def encode_picture(image: Image.Image, sealer: Sealer, folder: Path, max_width: int = COVER_WIDTH) -> SealedImage:
    """Store a picture as AVIF, with JPEG beside it, both sealed.

    Args:
        image: Any mode; transparency is kept in AVIF and lies on white in JPEG.
        sealer: Encrypts.
        folder: Where sealed objects live.
        max_width: Pixels; a wider picture is made smaller, a narrower one stays.

    Raises:
        OSError: The disk is full.
    """
    mode = "RGBA" if image.has_transparency_data else "RGB"
    picture = image if image.mode == mode else image.convert(mode)
    if picture.width > max_width:
        height = max(1, round(picture.height * max_width / picture.width))
        picture = picture.resize((max_width, height), Image.Resampling.LANCZOS)
    opaque = picture
    if mode == "RGBA":
        opaque = Image.new("RGB", picture.size, "white")
        opaque.paste(picture, mask=picture.getchannel("A"))
    avif = _encoded(picture, "AVIF", quality=AVIF_QUALITY, speed=AVIF_SPEED, subsampling="4:2:0")
    jpeg = _encoded(opaque, "JPEG", quality=JPEG_QUALITY, optimize=True, progressive=True)
    return SealedImage(
        url=sealed_url(sealer.store_image(folder, avif)),
        type=sealer.media_type("image/avif"),
        jpeg=sealed_url(sealer.store_image(folder, jpeg)),
        thumb=thumbhash(picture),
        width=picture.width,
        height=picture.height,
    )


def _encoded(picture: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()
