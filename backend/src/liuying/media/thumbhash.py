"""ThumbHash: a blurred placeholder of about 20 bytes (the format of evanw.github.io/thumbhash).

A few terms of a cosine transform, four bits each, for lightness (L), yellow-blue (P), red-green (Q)
and, if any, transparency (A).
"""

from __future__ import annotations

import base64
import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

MAX_SIDE = 100
Plane = NDArray[np.float64]


def thumbhash(image: Image.Image) -> str:
    """The placeholder of a picture, in base64."""
    small = image.convert("RGBA")
    small.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.BOX)
    return base64.b64encode(encode(np.asarray(small))).decode()


def encode(pixels: NDArray[np.uint8]) -> bytes:
    """The hash of RGBA pixels.

    Args:
        pixels: Height × width × 4, at most 100 × 100.
    """
    height, width, _ = pixels.shape
    colour = pixels[..., :3] / 255.0
    alpha = pixels[..., 3] / 255.0
    has_alpha = bool((pixels[..., 3] < 255).any())
    average = (colour * alpha[..., None]).sum(axis=(0, 1)) / max(alpha.sum(), 1e-9)
    # Transparent parts show the picture's own average, so that transparency adds no edge.
    red, green, blue = np.moveaxis(
        average * (1 - alpha[..., None]) + colour * alpha[..., None], 2, 0
    )
    terms = 5 if has_alpha else 7
    columns = max(1, _round(terms * width / max(width, height)))
    rows = max(1, _round(terms * height / max(width, height)))
    light = _Channel((red + green + blue) / 3, max(3, columns), max(3, rows))
    yellow = _Channel((red + green) / 2 - blue, 3, 3)
    reddish = _Channel(red - green, 3, 3)
    is_landscape = width > height
    head = (
        _round(63 * light.mean)
        | _round(31.5 + 31.5 * yellow.mean) << 6
        | _round(31.5 + 31.5 * reddish.mean) << 12
        | _round(31 * light.scale) << 18
        | int(has_alpha) << 23
    )
    shape = (
        (rows if is_landscape else columns)
        | _round(63 * yellow.scale) << 3
        | _round(63 * reddish.scale) << 9
        | int(is_landscape) << 15
    )
    start = head.to_bytes(3, "little") + shape.to_bytes(2, "little")
    channels = [light, yellow, reddish]
    if has_alpha:
        opacity = _Channel(alpha, 5, 5)
        start += bytes((_round(15 * opacity.mean) | _round(15 * opacity.scale) << 4,))
        channels.append(opacity)
    return start + _pack([term for channel in channels for term in channel.terms])


class _Channel:
    """The transform of one channel.

    Attributes:
        mean: The constant term.
        scale: The largest absolute value of the others.
        terms: The others, 0 to 1, where one half means zero.
    """

    def __init__(self, plane: Plane, columns: int, rows: int) -> None:
        height, width = plane.shape
        across = np.cos(np.pi / width * np.outer(np.arange(columns), np.arange(width) + 0.5))
        down = np.cos(np.pi / height * np.outer(np.arange(rows), np.arange(height) + 0.5))
        spectrum = down @ plane @ across.T / (width * height)
        terms = [
            spectrum[y, x]
            for y in range(rows)
            for x in range(columns)
            if x * rows < columns * (rows - y)
        ]
        self.mean = float(terms[0])
        self.scale = max((abs(float(term)) for term in terms[1:]), default=0.0)
        self.terms = [
            0.5 + 0.5 * float(term) / self.scale if self.scale else 0.0 for term in terms[1:]
        ]


def _pack(terms: list[float]) -> bytes:
    nibbles = [_round(15 * term) for term in terms]
    if len(nibbles) % 2:
        nibbles.append(0)
    return bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2], strict=True))


def _round(value: float) -> int:
    # Halves are rounded up, as the format defines; Python rounds them to even.
    return math.floor(value + 0.5)
