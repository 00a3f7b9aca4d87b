"""A picture built up from things: discs, strokes, shadows, wood. Lengths are in units of 1/720 of
the short side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from liuying_demo.scenes.canvas import Pixels, blurred, grid, mix, noise, rgb, smooth
from liuying_demo.scenes.film import Layer, Stage, developed_layer

Point = tuple[float, float]


class Pencil:
    """Draws coloured shapes at twice the size; edges are smooth once the sheet is reduced."""

    def __init__(self, sheet: Image.Image, scale: float) -> None:
        self._draw, self._scale = ImageDraw.Draw(sheet), scale

    def line(
        self, points: Sequence[Point], colour: str, width: float, opacity: float = 1.0
    ) -> None:
        """A stroke with round joints and ends."""
        places = [(x * self._scale, y * self._scale) for x, y in points]
        broad = max(1, round(width * self._scale))
        self._draw.line(places, fill=_ink(colour, opacity), width=broad, joint="curve")
        if broad > 3:
            for x, y in (places[0], places[-1]):
                box = (x - broad / 2, y - broad / 2, x + broad / 2, y + broad / 2)
                self._draw.ellipse(box, fill=_ink(colour, opacity))

    def polygon(self, points: Sequence[Point], colour: str, opacity: float = 1.0) -> None:
        """A filled shape."""
        self._draw.polygon(
            [(x * self._scale, y * self._scale) for x, y in points], fill=_ink(colour, opacity)
        )

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        colour: str,
        opacity: float = 1.0,
        flat: float = 1.0,
    ) -> None:
        """A filled circle; `flat` below 1 presses it down."""
        box = [(x - radius), (y - radius * flat), (x + radius), (y + radius * flat)]
        self._draw.ellipse([value * self._scale for value in box], fill=_ink(colour, opacity))

    def ring(
        self, x: float, y: float, radius: float, colour: str, width: float, opacity: float = 1.0
    ) -> None:
        """A circle's outline."""
        box = [(x - radius), (y - radius), (x + radius), (y + radius)]
        broad = max(1, round(width * self._scale))
        self._draw.ellipse(
            [value * self._scale for value in box], outline=_ink(colour, opacity), width=broad
        )


def _ink(colour: str, opacity: float) -> tuple[int, int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue, round(255 * opacity)


class Board:
    """A picture under construction.

    Attributes:
        picture: The pixels so far.
        x: The place of every pixel in units, from the left; `y` from the top.
        width: Of the picture in units; `height` likewise. The short side is 720.
    """

    def __init__(
        self, stage: Stage, colour: str = "#000000", width: int = 0, height: int = 0
    ) -> None:
        self.stage = stage
        self._pixels = (width or stage.width, height or stage.height)
        self.unit = min(stage.width, stage.height) / 720
        self.picture: Pixels = np.broadcast_to(
            rgb(colour), (self._pixels[1], self._pixels[0], 3)
        ).astype(np.float32)
        columns, rows = grid(*self._pixels)
        self.x, self.y = columns / self.unit, rows / self.unit
        self.width, self.height = self._pixels[0] / self.unit, self._pixels[1] / self.unit

    def disc(
        self, x: float, y: float, radius: float, soft: float = 1.2, flat: float = 1.0
    ) -> Pixels:
        """The mask of a circle."""
        away = np.hypot(self.x - x, (self.y - y) / flat)
        return np.asarray(smooth(radius + soft, radius - soft, away), np.float32)

    def fill(self, mask: Pixels, colour: str | Pixels, opacity: float = 1.0) -> None:
        """Paint a colour (or a picture) through a mask."""
        paint = rgb(colour) if isinstance(colour, str) else colour
        self.picture = np.asarray(mix(self.picture, paint, (mask * opacity)[..., None]), np.float32)

    def shadow(
        self, mask: Pixels, right: float, down: float, blur: float, strength: float = 0.5
    ) -> None:
        """Darken what lies under a shape that will be painted next."""
        moved = _moved(mask, round(right * self.unit), round(down * self.unit))
        self.picture = self.picture * (1 - strength * blurred(moved, blur * self.unit))[..., None]

    def light(self, mask: Pixels, colour: str, strength: float = 1.0) -> None:
        """Add light."""
        self.picture = self.picture + (mask * strength)[..., None] * rgb(colour)

    def wood(self, dark: str, bright: str, lengthwise: float = 14) -> None:
        """Fill everything with planks."""
        random, (width, height) = self.stage.random, self._pixels
        grain = noise(random, width, height, 26, 5, 0.62, 0.07)
        rings = 0.5 + 0.5 * np.sin((grain * lengthwise + self.y / 46) * 6.28)
        fine = noise(random, width, height, 160, 2, 0.5, 0.05)
        tone = 0.55 * grain + 0.25 * rings * 0.6 + 0.35 * fine
        seams = np.minimum.reduce(
            [np.abs(self.y - place) for place in (self.height * 0.31, self.height * 0.71)]
        )
        colour = (
            mix(rgb(dark), rgb(bright), tone[..., None])
            * (0.55 + 0.45 * smooth(0.4, 2.6, seams))[..., None]
        )
        self.picture = np.asarray(colour, np.float32)

    def sketch(
        self, draw: Callable[[Pencil], None], blur: float = 0, clip: Pixels | None = None
    ) -> Pixels:
        """Draw with a pencil on top. `clip` limits it to a mask, `blur` softens it. Returns where
        it drew.
        """
        width, height = self._pixels
        sheet = Image.new("RGBA", (width * 2, height * 2), (0, 0, 0, 0))
        draw(Pencil(sheet, 2 * self.unit))
        sheet = sheet.resize((width, height), Image.Resampling.BOX)
        if blur:
            sheet = sheet.filter(ImageFilter.GaussianBlur(blur * self.unit))
        values = np.asarray(sheet, np.float32) / 255
        alpha = values[..., 3] if clip is None else values[..., 3] * clip
        self.picture = np.asarray(mix(self.picture, values[..., :3], alpha[..., None]), np.float32)
        return alpha

    def layer(self, alpha: Pixels | None = None) -> Layer:
        """The finished picture in planes."""
        return developed_layer(self.stage, self.picture, alpha)


def _moved(mask: Pixels, right: int, down: int) -> Pixels:
    """A mask moved to the right and down; nothing comes in from the other side."""
    height, width = mask.shape
    moved = np.zeros_like(mask)
    moved[down:, right:] = mask[: height - down, : width - right]
    return moved


def ball(board: Board, x: float, y: float, radius: float, stops: tuple[str, str, str]) -> None:
    """A round thing lit from the left above: colours of its light, its middle and its shade."""
    away = np.hypot(board.x - x + radius * 0.26, board.y - y + radius * 0.34) / (radius * 1.25)
    light, middle, shade = (rgb(code) for code in stops)
    colour = mix(light, middle, smooth(0, 0.6, away)[..., None])
    colour = mix(colour, shade, smooth(0.6, 1.05, away)[..., None])
    board.fill(board.disc(x, y, radius), np.asarray(colour, np.float32))
