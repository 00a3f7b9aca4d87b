"""A forest in morning light."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Pixels, glow, gradient, grid, mix, rgb
from liuying_demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    plane_of,
    vignette,
)
from liuying_demo.scenes.foliage import FallingLeaves, LightRays

MARGIN = 80


def forest(
    palette: tuple[str, str, str, str], crowns: tuple[str, str, str], light: str, leaf: str = "leaf"
) -> Scene:
    """A path of light through tall trees. `palette`: sky, haze, ground and trunks; `crowns`:
    colours of the leaves.
    """

    def draw(stage: Stage) -> Shot:
        picture = gradient(
            ((0, palette[0]), (0.6, palette[1]), (1, palette[2])), stage.width, stage.height
        )
        back = developed_layer(stage, glow(picture, 0.5, 0.42, 0.35, light, 0.75, 1.7))
        rows = [_trees(stage, palette, crowns, light, depth / 4) for depth in range(5)]
        rays = LightRays(stage, 0.34)
        falling = FallingLeaves(stage, crowns, 40, leaf)
        halo = plane_of(_halo(stage))
        dark = vignette(stage.width, stage.height, 0.34)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for depth, row in enumerate(rows):
                x = (
                    -MARGIN / 2
                    - (time / stage.seconds - 0.5) * (8 + 15 * depth)
                    + 1.5 * math.sin(time + depth)
                )
                result.draw(row, x, 0)
            result.lighten(halo, 0.8 + 0.2 * math.sin(time * 0.8))
            falling.draw(result, time)
            rays.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _halo(stage: Stage) -> Pixels:
    columns, rows = grid(stage.width, stage.height)
    away = np.hypot((columns / stage.width - 0.5) * 1.6, rows / stage.height - 0.42)
    return np.asarray(0.34 * np.exp(-((away / 0.24) ** 2)), np.float32)


def _trees(
    stage: Stage,
    palette: tuple[str, str, str, str],
    crowns: tuple[str, str, str],
    light: str,
    depth: float,
) -> Layer:
    random, board = stage.random, Board(stage, palette[3], stage.width + MARGIN)
    trunks, tufts, litter = [], [], []
    colour = mix(rgb(palette[1]), rgb(palette[3]), 0.25 + 0.75 * depth)
    for _ in range(round(22 - 12 * depth)):
        x = random.random() * board.width
        if abs(x / board.width - 0.5) > 0.10 * depth + 0.04:
            trunks.append((x, (4 + 34 * depth**1.5) * (0.6 + 0.8 * random.random())))
    for _ in range(round(950 + 400 * depth)):
        x, y = random.random(), 0.02 + 0.44 * random.random() ** 1.5
        if y < 0.16 + 1.7 * abs(x - 0.5) + 0.12 * random.random():
            tone = mix(
                rgb(crowns[int(random.integers(3))]),
                rgb(palette[3]),
                0.12 + 0.5 * random.random() * depth,
            )
            tone = mix(tone, rgb(light), 0.35 * (1 - depth))
            tufts.append(
                (
                    x * board.width,
                    y * board.height,
                    4 + 10 * depth * random.random() + 4 * random.random(),
                    _code(tone),
                )
            )
    for _ in range(420):
        y = 0.76 + 0.03 * depth + 0.24 * random.random()
        tone = mix(
            rgb(crowns[int(random.integers(3))]), rgb(palette[3]), 0.3 + 0.6 * random.random()
        )
        litter.append((random.random() * board.width, y * board.height, 3 + 7 * depth, _code(tone)))

    def draw(ink: Pencil) -> None:
        for x, broad in trunks:
            ink.polygon(
                [
                    (x - broad * 0.35, -5),
                    (x + broad * 0.35, -5),
                    (x + broad * 0.65, board.height + 5),
                    (x - broad * 0.65, board.height + 5),
                ],
                _code(colour),
            )
            ink.polygon(
                [
                    (x - broad * 0.35, -5),
                    (x - broad * 0.1, -5),
                    (x - broad * 0.25, board.height + 5),
                    (x - broad * 0.65, board.height + 5),
                ],
                _code(mix(colour, rgb(light), 0.18)),
            )
        for x, y, reach, code in tufts:
            ink.disc(x, y, reach * 1.25, code, 0.94, 0.8)
        for x, y, reach, code in litter:
            ink.disc(x, y, reach * 2.0, code, 0.85, 0.3)

    mask = board.sketch(draw, (2.6, 1.7, 1.0, 0.5, 1.6)[round(depth * 4)])
    return board.layer(mask)


def _code(colour: Pixels) -> str:
    return "#" + "".join(f"{min(255, max(0, int(value * 255))):02x}" for value in colour)
