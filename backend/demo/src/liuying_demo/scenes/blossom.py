"""Branches in blossom."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import (
    Pixels,
    Random,
    Stops,
    glow,
    gradient,
    grid,
    mix,
    noise,
    rgb,
    smooth,
)
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, developed_layer, vignette
from liuying_demo.scenes.foliage import FallingLeaves

MARGIN = 80  # pixels that a layer is wider than the stage


def blossom(sky: Stops, flowers: tuple[str, str, str], bark: str = "#3a2420") -> Scene:
    """Branches in blossom that sway, and petals in the wind."""

    def draw(stage: Stage) -> Shot:
        back = developed_layer(stage, _soft_garden(stage, sky, flowers))
        branches = [_branch(stage, flowers, bark, side) for side in range(3)]
        petals = FallingLeaves(stage, flowers, 46, "petal")
        dark = vignette(stage.width, stage.height, 0.24)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for index, branch in enumerate(branches):
                sway = math.sin(time * (0.9 + 0.2 * index) + index * 2)
                result.draw(branch, -MARGIN / 2 + sway * (5 + 4 * index), -6 + 4 * sway)
            petals.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _soft_garden(stage: Stage, sky: Stops, flowers: tuple[str, str, str]) -> Pixels:
    picture = glow(gradient(sky, stage.width, stage.height), 0.7, 0.2, 0.4, "#fff6e8", 0.4, 1.6)
    far = noise(stage.random, stage.width, stage.height, 5, 4, 0.55, 1.6)
    down = grid(stage.width, stage.height)[1] / stage.height
    mass = smooth(0.46, 0.62, far + 0.35 * (down - 0.55))
    return np.asarray(mix(picture, rgb(flowers[0]) * 0.92, (mass * 0.55)[..., None]), np.float32)


def _branch(stage: Stage, flowers: tuple[str, str, str], bark: str, side: int) -> Layer:
    random, board = stage.random, Board(stage, flowers[0], stage.width + MARGIN)
    width, height = board.width, board.height
    start, angle = (
        ((-20.0, height * 0.16), (width + 20, height * 0.06), (width + 20, height * 0.9))[side],
        (0.22, 2.75, 3.6)[side],
    )
    twigs: list[tuple[list[tuple[float, float]], float]] = []
    tips: list[tuple[float, float]] = []

    def grow(x: float, y: float, turn: float, long: float, thick: float, level: int) -> None:
        points = [(x, y)]
        for _ in range(9):
            turn += random.normal(0, 0.09)
            x, y = x + math.cos(turn) * long / 9, y + math.sin(turn) * long / 9
            points.append((x, y))
            if level and random.random() < 0.40:
                grow(
                    x,
                    y,
                    turn + random.choice((-1, 1)) * random.uniform(0.4, 0.9),
                    long * 0.52,
                    thick * 0.55,
                    level - 1,
                )
        twigs.append((points, thick))
        tips.extend(points[4:] if level else points[2:])

    grow(*start, angle, min(width * 0.62, 760), 22.0, 2)
    blooms = [
        (
            x + random.normal(0, 15),
            y + random.normal(0, 15),
            10 + 11 * random.random(),
            int(random.integers(3)),
        )
        for x, y in tips
        for _ in range(2)
    ]

    def draw(ink: Pencil) -> None:
        for points, thick in twigs:
            ink.line(points, bark, thick)
        for x, y, reach, tone in blooms:
            _flower(ink, x, y, reach, flowers[tone], random)

    return board.layer(board.sketch(draw, 0.5))


def _flower(ink: Pencil, x: float, y: float, reach: float, colour: str, random: Random) -> None:
    turn = random.random() * 6.28
    for petal in range(5):
        angle = turn + petal * 2 * math.pi / 5
        ink.disc(
            x + math.cos(angle) * reach * 0.55,
            y + math.sin(angle) * reach * 0.55,
            reach * 0.52,
            colour,
            0.96,
        )
    ink.disc(x, y, reach * 0.3, "#d9607c", 0.7)
    ink.disc(x, y, reach * 0.13, "#fff0b8", 0.95)
