"""What flies or falls over a land: snow, petals, balloons, a paraglider."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Stage, to_layer
from liuying_demo.scenes.foliage import FallingLeaves
from liuying_demo.scenes.weather import Snowfall

Extra = Callable[[Stage], Callable[[Frame, float], None]]


def snowing(amount: float = 1.0) -> Extra:
    """Snow over a frame."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        return Snowfall(stage, amount).draw

    return prepare


def petals(colours: tuple[str, ...]) -> Extra:
    """Petals in the wind over a frame."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        return FallingLeaves(stage, colours, 30, "petal").draw

    return prepare


def balloons(colours: tuple[tuple[str, str], ...]) -> Extra:
    """Hot-air balloons that rise over a land."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        sizes = (0.30, 0.20, 0.13, 0.09, 0.065)
        kinds = [
            _balloon(stage, size, colours[index % len(colours)]) for index, size in enumerate(sizes)
        ]
        places = ((0.20, 0.44), (0.56, 0.34), (0.78, 0.26), (0.40, 0.24), (0.68, 0.18))

        def draw(frame: Frame, time: float) -> None:
            for kind, (x, y), size in reversed(list(zip(kinds, places, sizes, strict=True))):
                sway = math.sin(time * 0.7 + x * 9)
                up = y * stage.height - time * 26 * size / 0.2 * 0.6
                frame.draw(
                    kind, x * stage.width + time * 34 * size / 0.2 * 0.4 + 4 * sway, up + 3 * sway
                )

        return draw

    return prepare


def _balloon(stage: Stage, size: float, colours: tuple[str, str]) -> Layer:
    side = round(size * min(stage.width, stage.height) * 1.5) & ~1
    board = Board(stage, colours[0], side, side)
    unit = board.width
    x, y = (board.x / unit - 0.5) * 2, board.y / unit * 2
    half = np.where(
        y < 0.7,
        np.sqrt(np.clip(0.5 - (y - 0.7) ** 2 * 0.98, 0, 1)),
        0.70 * np.cos(np.clip((y - 0.7) / 0.88, 0, 1) * 1.33),
    )
    body = smooth(0.02, -0.02, np.abs(x) - half) * smooth(1.52, 1.48, y)
    gores = np.arcsin(np.clip(x / np.maximum(half, 0.05), -1, 1)) / math.pi * 10
    stripe = (np.floor(gores + 5) % 2)[..., None]
    light = (
        0.62
        + 0.5 * np.sqrt(np.clip(1 - ((x + 0.22) / 0.85) ** 2, 0, 1))
        - 0.16 * smooth(0.9, 1.5, y)
    )
    seam = 1 - 0.16 * smooth(0.08, 0.0, np.abs(gores % 1 - 0.5) - 0.42)
    picture = np.where(stripe > 0.5, rgb(colours[0]), rgb(colours[1])) * (light * seam)[..., None]
    basket = smooth(0.01, -0.01, np.abs(x) - 0.115) * (y > 1.70) * (y < 1.88)
    ropes = (
        smooth(0.014, 0.004, np.abs(np.abs(x) - 0.10 - 0.05 * (1.72 - y))) * (y > 1.45) * (y < 1.72)
    )
    picture = np.where((basket + ropes > 0.3)[..., None], rgb("#5a3a22"), picture)
    alpha = np.clip(np.maximum.reduce([body, basket, ropes * 0.8]), 0, 1)
    return to_layer(np.clip(picture, 0, 1).astype(np.float32), alpha.astype(np.float32))


def glider(colour: str) -> Extra:
    """A paraglider that turns before the mountains."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        wing = _wing(stage, colour)

        def draw(frame: Frame, time: float) -> None:
            x = stage.width * 0.16 + time * 62
            y = stage.height * (0.26 + 0.05 * math.sin(time * 0.9))
            frame.draw(wing, x, y + 6 * math.sin(time * 1.7))

        return draw

    return prepare


def _wing(stage: Stage, colour: str) -> Layer:
    board = Board(
        stage, "#1a1a22", round(stage.height * 0.34) & ~1, round(stage.height * 0.30) & ~1
    )
    arc = [
        (math.cos(angle), math.sin(angle))
        for angle in np.linspace(math.pi * 1.12, math.pi * 1.88, 24)
    ]
    upper = [(122 + 112 * x, 96 + 74 * y) for x, y in arc]
    lower = [(122 + 104 * x, 100 + 54 * y) for x, y in arc]

    def draw(ink: Pencil) -> None:
        for index in range(0, 24, 3):
            ink.line([lower[index], (118 if index < 12 else 126, 178)], "#20202a", 1.1, 0.7)
        ink.polygon([*upper, *reversed(lower)], colour)
        for index in range(2, 23, 4):
            ink.polygon(
                [upper[index], upper[index + 1], lower[index + 1], lower[index]], "#ffffff", 0.75
            )
        ink.line(upper, "#fff4e0", 2.4, 0.8)
        ink.line([(122, 176), (122, 196)], "#20242e", 11)
        ink.line([(122, 196), (146, 204)], "#20242e", 7)
        ink.disc(122, 168, 7.5, "#e04a3a")

    return board.layer(board.sketch(draw, 0.4))
