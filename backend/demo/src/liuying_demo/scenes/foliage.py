"""Beams of light between trees, and leaves or petals that fall."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from liuying_demo.scenes.canvas import grid, resized, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Stage, plane_of, to_layer


class LightRays:
    """Slanting beams of light that move slowly over a frame."""

    def __init__(self, stage: Stage, strength: float = 0.3) -> None:
        side = stage.width + stage.height
        beams = resized(stage.random.random((2, 40)).astype(np.float32), side, 2)[0]
        columns, rows = grid(stage.width + 400, stage.height)
        place = np.asarray(columns + rows * 0.45, np.int32) % side
        light = smooth(0.52, 0.8, beams[place]) * (1 - rows / stage.height) ** 0.8 * strength
        self._plane, self._size = (
            plane_of(np.asarray(light, np.float32)),
            (stage.width, stage.height),
        )

    def draw(self, frame: Frame, time: float) -> None:
        """Add the beams at a time in seconds."""
        shift = round(200 + 190 * math.sin(time * 0.33))
        window = self._plane.crop((shift, 0, shift + self._size[0], self._size[1]))
        frame.lighten(window, 0.8 + 0.2 * math.sin(time * 0.9))


@dataclass(frozen=True)
class _Flake:
    """A falling leaf or petal: its pictures in several turns, and its way."""

    turns: list[Layer]
    x: float
    y: float
    pace: float
    beat: float


class FallingLeaves:
    """Leaves or petals that tumble down a frame. `shape`: petal, leaf or maple."""

    def __init__(
        self, stage: Stage, colours: tuple[str, ...], count: int = 34, shape: str = "leaf"
    ) -> None:
        self.size = (stage.width, stage.height)
        random = stage.random
        sets = [_turns(stage, colour, size, shape) for colour in colours for size in (13, 20, 34)]
        self._flakes = [
            _Flake(
                turns=sets[int(random.integers(len(sets)))],
                x=random.random(),
                y=random.random(),
                pace=0.5 + random.random(),
                beat=random.random() * 6.28,
            )
            for _ in range(count)
        ]

    def draw(self, frame: Frame, time: float) -> None:
        """Draw them at a time in seconds."""
        width, height = self.size
        for flake in self._flakes:
            layer = flake.turns[int(time * 7 * flake.pace + flake.beat * 4) % len(flake.turns)]
            large = layer.size[0] / 40
            y = (flake.y * (height + 80) + time * (46 + 70 * large) * flake.pace) % (
                height + 80
            ) - 50
            x = (
                flake.x * (width + 200) + time * 34 * large + 34 * math.sin(time * 1.2 + flake.beat)
            ) % (width + 200) - 100
            frame.draw(layer, x, y)


def _turns(stage: Stage, colour: str, size: float, shape: str) -> list[Layer]:
    """Eight steps of one tumble: turning, and seen more or less edge-on."""
    side = round(size * 1.5 * min(stage.width, stage.height) / 720) & ~1
    columns, rows = grid(side, side)
    x, y = (columns - side / 2 + 0.5) / side * 2.6, (rows - side / 2 + 0.5) / side * 2.6
    layers = []
    for step in range(8):
        angle, thin = step / 8 * 2 * math.pi, 0.35 + 0.65 * abs(math.cos(step / 8 * 2 * math.pi))
        u, v = (
            x * math.cos(angle) + y * math.sin(angle),
            (-x * math.sin(angle) + y * math.cos(angle)) / thin,
        )
        reach, turn = np.hypot(u, v), np.arctan2(v, u)
        if shape == "petal":
            edge = 0.85 - 0.2 * np.abs(np.cos(turn * 0.5)) ** 6
        elif shape == "maple":
            edge = 0.42 + 0.5 * np.abs(np.cos(turn * 2.5)) ** 1.6
        else:
            edge = 1.0 * np.abs(np.cos(turn)) ** 0.9 * 0.75 + 0.28
        mask = smooth(0.08, -0.08, reach - edge)
        light = 0.78 + 0.34 * (1 - reach) + 0.2 * math.sin(angle)
        picture = np.clip(rgb(colour) * light[..., None], 0, 1)
        layers.append(
            to_layer(np.asarray(picture, np.float32), np.asarray(mask * 0.95, np.float32))
        )
    return layers
