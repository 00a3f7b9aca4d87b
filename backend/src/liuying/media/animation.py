"""Moving pictures of advertisements: GIF and WebP, stored as WebP within limits."""

from __future__ import annotations

import io

from PIL import Image, ImageSequence

from liuying.kit.encryption import ImageEncryptor, encrypted_url
from liuying.kit.images import EncryptedImage
from liuying.kit.object_store import ObjectStore
from liuying.media.cover import encode_picture, jpeg_of, open_picture, require_usable_size
from liuying.media.errors import PictureError
from liuying.media.thumbhash import thumbhash

ANIMATED_FORMATS = ("GIF", "WEBP")
MAX_FRAMES, MAX_SECONDS = 150, 30
MAX_STORED_BYTES = 2 * 1024 * 1024
# A moving picture is decoded again and again on a phone: no wider than this.
MAX_ANIMATED_WIDTH = 960
# Of frames that say nothing, or less than what browsers show.
FRAME_MS, LEAST_FRAME_MS = 100, 20
WEBP_QUALITY = 70


def store_picture(
    content: bytes, encryptor: ImageEncryptor, objects: ObjectStore, max_width: int
) -> EncryptedImage:
    """Store a picture that may move; beside a moving one its first frame as JPEG.

    Args:
        content: JPEG, PNG, WebP or GIF.
        max_width: Pixels; of one that moves `MAX_ANIMATED_WIDTH` at most.

    Raises:
        PictureError: It cannot be read, is too large, or moves for too long; the message says
            which, with the numbers.
        OSError: The disk is full.
    """
    animation = _open_animation(content)
    if animation is None:
        return encode_picture(open_picture(content), encryptor, objects, max_width)
    frames, durations = _frames(animation, min(max_width, MAX_ANIMATED_WIDTH))
    moving = _encoded(frames, durations, animation.info.get("loop", 0))
    return EncryptedImage(
        url=encrypted_url(encryptor.store_image(objects, moving)),
        type=encryptor.media_type("image/webp"),
        jpeg=encrypted_url(encryptor.store_image(objects, jpeg_of(frames[0]))),
        thumb=thumbhash(frames[0]),
        width=frames[0].width,
        height=frames[0].height,
    )


def _open_animation(content: bytes) -> Image.Image | None:
    """The picture where it moves, or is a GIF; None for any other, and for what is no picture."""
    try:
        found = Image.open(io.BytesIO(content), formats=ANIMATED_FORMATS)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    require_usable_size(found)
    try:
        count = getattr(found, "n_frames", 1)
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise PictureError from error
    if count > MAX_FRAMES:
        raise PictureError(f"动图有 {count} 帧，最多 {MAX_FRAMES} 帧，请缩短或减少帧数")
    return found if count > 1 or found.format == "GIF" else None


def _frames(animation: Image.Image, max_width: int) -> tuple[list[Image.Image], list[int]]:
    frames, durations = [], []
    try:
        for frame in ImageSequence.Iterator(animation):
            stated = int(frame.info.get("duration") or FRAME_MS)
            durations.append(max(LEAST_FRAME_MS, stated))
            picture = frame.convert("RGBA" if frame.has_transparency_data else "RGB")
            if picture.width > max_width:
                height = max(1, round(picture.height * max_width / picture.width))
                picture = picture.resize((max_width, height), Image.Resampling.LANCZOS)
            frames.append(picture)
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise PictureError from error
    if sum(durations) > MAX_SECONDS * 1000:
        raise PictureError(f"动图长 {sum(durations) / 1000:.0f} 秒，最多 {MAX_SECONDS} 秒，请缩短")
    return frames, durations


def _encoded(frames: list[Image.Image], durations: list[int], loop: int) -> bytes:
    buffer = io.BytesIO()
    frames[0].save(
        buffer,
        "WEBP",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=loop,
        quality=WEBP_QUALITY,
        method=3,
    )
    if buffer.tell() > MAX_STORED_BYTES:
        raise PictureError(
            f"动图压缩后有 {buffer.tell() / 2**20:.1f} MiB，最多 {MAX_STORED_BYTES // 2**20} MiB，"
            "请缩小尺寸或减少帧数"
        )
    return buffer.getvalue()
