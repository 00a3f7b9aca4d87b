"""Drawing with numbers: colours, gradients, noise, light and clouds as arrays of linear values from
0 to 1.

A picture is an array of shape (height, width, 3); a field (a mask, a height map) has shape (height,
width).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter

Pixels = npt.NDArray[np.floating[Any]]
Random = np.random.Generator
Stops = Sequence[tuple[float, str]]


def rgb(code: str) -> Pixels:
    """`#ff8000` as three numbers from 0 to 1."""
    return np.array([int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)], np.float32)


def mix(first: Any, second: Any, share: Any) -> Any:
    """`first` where `share` is 0, `second` where it is 1. Broadcasts, so colours and pictures may
    be mixed.
    """
    return first + (second - first) * share


def smooth(low: Any, high: Any, value: Any) -> Any:
    """0 below `low`, 1 above `high`, a soft S between. `low` may be the larger: then it falls."""
    share = np.clip((value - low) / (high - low), 0, 1)
    return share * share * (3 - 2 * share)


def gradient(stops: Stops, width: int, height: int) -> Pixels:
    """A vertical gradient. Stops are (place from 0 at the top to 1, colour)."""
    places = [stop[0] for stop in stops]
    colours = np.array([rgb(stop[1]) for stop in stops])
    rows = np.linspace(0, 1, height)
    column = np.stack([np.interp(rows, places, colours[:, channel]) for channel in range(3)], -1)
    return np.repeat(column[:, None, :], width, 1).astype(np.float32)


def grid(width: int, height: int) -> tuple[Pixels, Pixels]:
    """The x and y of every pixel, each of shape (height, width)."""
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    return columns, rows


def resized(field: Pixels, width: int, height: int) -> Pixels:
    """A field at another size, bicubic."""
    picture = Image.fromarray(np.ascontiguousarray(field, np.float32))
    return np.asarray(picture.resize((width, height), Image.Resampling.BICUBIC))


def noise(
    random: Random,
    width: int,
    height: int,
    cells: int = 4,
    octaves: int = 6,
    gain: float = 0.5,
    stretch: float = 1.0,
) -> Pixels:
    """Cloudy noise from 0 to 1. `cells`: its largest patches from top to bottom; `stretch`: more
    across.
    """
    total = np.zeros((height, width), np.float32)
    weight, weights = 1.0, 0.0
    for octave in range(octaves):
        count = cells * 2**octave
        coarse = random.random((max(2, count), max(2, int(count * stretch)))).astype(np.float32)
        total += weight * resized(coarse, width, height)
        weights += weight
        weight *= gain
    return total / np.float32(weights)


def wrapping_noise(
    random: Random, side: int, cells: int, octaves: int, gain: float = 0.5, ridged: bool = False
) -> Pixels:
    """Square noise whose opposite edges meet. `ridged` turns its middle values into sharp
    crests.
    """
    total = np.zeros((side, side), np.float32)
    weight, weights = 1.0, 0.0
    for octave in range(octaves):
        count = cells * 2**octave
        if count > side:
            break
        coarse = np.pad(random.random((count, count)).astype(np.float32), 2, mode="wrap")
        border = round(2 * side / count)
        large = resized(
            coarse, round(side * (count + 4) / count), round(side * (count + 4) / count)
        )
        part = large[border : border + side, border : border + side]
        if ridged:
            part = (1 - np.abs(2 * part - 1)) ** 2
        total += weight * part
        weights += weight
        weight *= gain
    return total / np.float32(weights)


def sample(field: Pixels, x: Any, y: Any) -> Pixels:
    """A wrapping square field (or picture) at fractional places, bilinear."""
    side = field.shape[0]
    left, top = np.floor(x), np.floor(y)
    across, down = (x - left).astype(np.float32), (y - top).astype(np.float32)
    column, row = left.astype(np.int32) % side, top.astype(np.int32) % side
    column2, row2 = (column + 1) % side, (row + 1) % side
    if field.ndim == 3:
        across, down = across[..., None], down[..., None]
    upper = mix(field[row, column], field[row, column2], across)
    lower = mix(field[row2, column], field[row2, column2], across)
    return np.asarray(mix(upper, lower, down), np.float32)


def glow(
    picture: Pixels,
    x: float,
    y: float,
    radius: float,
    colour: str,
    strength: float = 1.0,
    falloff: float = 2.0,
) -> Pixels:
    """The picture with a soft light added. Place and radius are shares of the width and height."""
    height, width = picture.shape[:2]
    columns, rows = grid(width, height)
    distance = np.hypot(columns - x * width, rows - y * height) / (
        radius * max(width, height * 0.8)
    )
    return np.asarray(
        picture + (strength / (1 + (distance * 3) ** falloff))[..., None] * rgb(colour), np.float32
    )


def blurred(field: Pixels, radius: float) -> Pixels:
    """A field from 0 to 1 blurred; `radius` in pixels."""
    picture = Image.fromarray((np.clip(field, 0, 1) * 255).astype(np.uint8))
    return np.asarray(picture.filter(ImageFilter.GaussianBlur(radius)), np.float32) / 255


def drawn(
    width: int,
    height: int,
    draw: Callable[[ImageDraw.ImageDraw, int], None],
    scale: int = 2,
    blur: float = 0,
) -> Pixels:
    """A mask from 0 to 1 drawn with shapes at `scale` times the size and reduced, so that edges are
    smooth.

    Args:
        draw: Gets the pencil and the scale; draws in greys from 0 to 255.
        blur: Radius in pixels of the result.
    """
    sheet = Image.new("L", (width * scale, height * scale), 0)
    draw(ImageDraw.Draw(sheet), scale)
    sheet = sheet.resize((width, height), Image.Resampling.BOX)
    if blur:
        sheet = sheet.filter(ImageFilter.GaussianBlur(blur))
    return np.asarray(sheet, np.float32) / 255


def cloud_cover(
    random: Random,
    width: int,
    height: int,
    horizon: float,
    density: float = 0.5,
    stretch: float = 3.0,
) -> tuple[Pixels, Pixels]:
    """A deck of clouds in perspective above `horizon` (share of the height).

    Returns:
        Its opacity and its shade (0 lit, 1 dark), fields of the given size. The deck is `width`
        wide without a seam.
    """
    texture = wrapping_noise(random, 512, 4, 7, 0.55)
    columns, rows = grid(width, height)
    above = np.clip(horizon * height - rows, 1, None) / height
    depth = 0.25 / (above + 0.04)
    along = (columns / height / 1.78 - 0.5) * depth * 130 * stretch + 200
    away = depth * 150
    value = sample(texture, along, away)
    opacity = smooth(density, density + 0.22, value) * smooth(0.0, 0.12, above)
    opacity = np.where(rows < horizon * height, opacity, 0).astype(np.float32)
    shade = smooth(-0.06, 0.1, sample(texture, along + 3, away - 5) - value)
    return opacity, np.asarray(shade, np.float32)


def stars(random: Random, width: int, height: int, amount: float = 0.0012) -> Pixels:
    """A field of stars, few bright and many faint; `amount` is the share of pixels that
    hold one.
    """
    field = random.random((height, width)).astype(np.float32)
    faint = (field > 1 - amount) * random.random((height, width)).astype(np.float32) ** 2.2
    bright = np.where(field > 1 - amount * 0.07, 1.0, 0.0).astype(np.float32)
    return np.clip(faint * 0.9 + blurred(bright, 0.8) * 2.4, 0, 1.4)


def developed(
    picture: Pixels, random: Random, contrast: float = 1.08, saturation: float = 1.12
) -> Pixels:
    """Highlights rolled off, contrast and colour set, and a fine grain that keeps gradients free of
    bands.
    """
    picture = np.clip(picture, 0, 4)
    picture = np.where(picture > 0.8, 0.8 + 0.2 * (1 - np.exp(-(picture - 0.8) / 0.2)), picture)
    picture = np.clip((picture - 0.5) * contrast + 0.5, 0, 1)
    grey = picture.mean(-1, keepdims=True)
    picture = grey + (picture - grey) * saturation
    grain = random.standard_normal((*picture.shape[:2], 1)).astype(np.float32) * 0.0045
    return np.clip(picture + grain, 0, 1).astype(np.float32)
