"""Water that mirrors what was composed above it, moved by waves in perspective."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

from liuying_demo.scenes.canvas import Pixels, grid, rgb, smooth, wrapping_noise
from liuying_demo.scenes.film import Frame, Stage, to_layer

SIDE = 512  # of the wave texture; a power of two, so that wrapping is a bit mask


class Water:
    """The lower part of a frame, from a horizon down.

    Args:
        stage: The frame's size and the source of chance.
        horizon: Row where the water begins, even.
        deep: Colour of the water where it does not mirror.
        roughness: Strength of the waves; 1 is a breeze.
        depth: How much of the mirrored picture is lost near the viewer, from 0 to 1.
        glitter: Share of the width where a light from above draws its path on the water, and how
            bright; or None.
    """

    def __init__(
        self,
        stage: Stage,
        horizon: int,
        deep: str,
        *,
        roughness: float = 1.0,
        depth: float = 0.6,
        glitter: tuple[float, float] | None = None,
    ) -> None:
        width, height = stage.width, stage.height - horizon
        columns, rows = grid(width, height)
        down = (rows + 0.5) / stage.height
        distance = 0.09 / np.maximum(down, 0.004)
        along = (columns / width - 0.5) * distance * 300 * (width / stage.height) / 1.78 + 100
        self.horizon = horizon
        self._places = [
            (_whole(along), _whole(distance * 240)),
            (_whole(along * 3 + 50), _whole(distance * 640)),
        ]
        texture = wrapping_noise(stage.random, SIDE, 6, 7, 0.62)
        low, high = float(texture.min()), float(texture.max())
        self._texture = np.asarray(((texture - low) / (high - low) - 0.5) * 250, np.int16).ravel()
        self._rows, self._columns = _whole(rows), _whole(columns)
        self._rise = np.asarray(70 * roughness * np.sqrt(down) / 110 * 256, np.int32)
        self._sway = round(30 * roughness / 130 * 256)
        self._keep = np.asarray(256 * (1 - 0.25 - depth * smooth(0, 0.5, down)), np.int16)
        colour = to_layer(np.broadcast_to(rgb(deep), (2, 2, 3)).astype(np.float32))
        self._deep = tuple(_value(plane) for plane in (colour.luma, colour.blue, colour.red))
        self._path = self._glitter_path(columns / width, down, *glitter) if glitter else None

    @staticmethod
    def _glitter_path(
        across: Pixels, down: Pixels, place: float, strength: float
    ) -> npt.NDArray[np.int16]:
        path = np.exp(-(((across - place) / (0.035 + 0.35 * down)) ** 2))
        return np.asarray(path * 256 * strength * (0.35 + 0.65 * np.exp(-down * 3)), np.int16)

    def flow(self, frame: Frame, time: float) -> None:
        """Replace the water's rows with the mirrored frame at a time in seconds."""
        waves = self._waves(time)
        source_rows = (self.horizon - 2 - self._rows) + ((waves * self._rise) >> 8)
        source_rows = np.clip(source_rows, 0, self.horizon - 1)
        source_columns = np.clip(self._columns + ((waves * self._sway) >> 8), 0, frame.size[0] - 1)
        luma = (
            np.asarray(frame.luma)
            .ravel()
            .take(source_rows * frame.size[0] + source_columns)
            .astype(np.int16)
        )
        luma = (((luma - self._deep[0]) * self._keep.astype(np.int32)) >> 8) + self._deep[0]
        luma = luma + ((luma * waves) >> 8)
        if self._path is not None:
            luma = luma + ((np.clip(waves - 4, 0, 60) * self._path) >> 5)
        frame.luma.paste(Image.fromarray(np.clip(luma, 0, 255).astype(np.uint8)), (0, self.horizon))
        half_rows, half_columns = source_rows[::2, ::2] >> 1, source_columns[::2, ::2] >> 1
        places = half_rows * (frame.size[0] // 2) + half_columns
        for plane, deep in ((frame.blue, self._deep[1]), (frame.red, self._deep[2])):
            chroma = np.asarray(plane).ravel().take(places).astype(np.int32)
            chroma = (((chroma - deep) * self._keep[::2, ::2]) >> 8) + deep
            plane.paste(Image.fromarray(chroma.astype(np.uint8)), (0, self.horizon // 2))

    def _waves(self, time: float) -> npt.NDArray[np.int32]:
        total = np.zeros(self._rows.shape, np.int32)
        for (along, away), weight, (drift, approach) in zip(
            self._places, (140, 116), ((9.0, 26.0), (-24.0, 60.0)), strict=True
        ):
            column = (along + round(drift * time)) & (SIDE - 1)
            row = (away + round(approach * time)) & (SIDE - 1)
            total += self._texture.take((row << 9) | column).astype(np.int32) * weight
        return total >> 8


def _whole(field: Pixels) -> npt.NDArray[np.int32]:
    return np.asarray(field, np.int32)


def _value(plane: Image.Image) -> int:
    return int(np.asarray(plane)[0, 0])
