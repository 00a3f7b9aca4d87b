"""Steam over a table, and the slow push of the camera towards it."""

from __future__ import annotations

import math

import numpy as np
from PIL import ImageChops

from liuying_demo.scenes.canvas import Pixels, smooth, wrapping_noise
from liuying_demo.scenes.film import Frame, Layer, Shot, Stage, plane_of, vignette, wrapped


class Steam:
    """Steam that rises and thins out above a place.

    Args:
        x: Middle in shares of the width; `y` foot in shares of the height.
        reach: Half its width as a share of the height.
    """

    def __init__(
        self, stage: Stage, x: float, y: float, reach: float = 0.32, strength: float = 0.5
    ) -> None:
        self.size = (stage.width, stage.height)
        self._sheets = [plane_of(smooth(0.42, 0.75, _tile(stage, cells))) for cells in (3, 5)]
        columns, rows = np.meshgrid(np.arange(stage.width), np.arange(stage.height))
        across = (columns - x * stage.width) / stage.height / reach
        up = y - rows / stage.height
        shape = np.exp(-(across**2)) * smooth(-0.25, 0.1, up) * smooth(0.75, 0.2, up)
        self._envelope = plane_of((shape * strength).astype(np.float32))

    def draw(self, frame: Frame, time: float) -> None:
        """Lay it over the frame at a time in seconds."""
        first, second = (
            wrapped(sheet, 12 * pace * math.sin(time * 0.5), time * 95 * pace, *self.size)
            for sheet, pace in zip(self._sheets, (1.0, 1.6), strict=True)
        )
        mask = ImageChops.multiply(
            ImageChops.screen(first, ImageChops.multiply(first, second)), self._envelope
        )
        frame.luma.paste(246, (0, 0), mask)
        frame.tint(127, 130, mask.resize(frame.blue.size))


def _tile(stage: Stage, cells: int) -> Pixels:
    side = 1024
    tile = wrapping_noise(stage.random, side, cells, 5, 0.5)
    need = max(stage.width, stage.height) + 8
    return np.tile(tile, (1 + need // side, 1 + need // side)) if need > side else tile


def table_shot(
    stage: Stage, layer: Layer, steam: Steam | None, focus: tuple[float, float], push: float = 0.10
) -> Shot:
    """A slow push towards `focus` with steam over it."""
    dark = vignette(stage.width, stage.height, 0.45)

    def frame(time: float) -> Frame:
        result = Frame(layer)
        progress = time / max(stage.seconds, 4)
        sway = 0.06 * math.sin(time * 0.8)
        result.zoom(1.03 + push * progress, focus[0] + sway, focus[1])
        if steam:
            steam.draw(result, time)
        result.shade(dark)
        return result

    return frame
