"""The land that passes a train's window."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Stops, glow, gradient, grid, mix, rgb, smooth
from liuying_demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    to_layer,
    vignette,
)


def train_window(
    sky: Stops, hills: tuple[str, str], field: tuple[str, str], wall: str = "#3a2f38"
) -> Scene:
    """The land that passes a train's window, the near fastest. `field`: trees and grass."""

    def draw(stage: Stage) -> Shot:
        back = developed_layer(
            stage,
            glow(gradient(sky, stage.width, stage.height), 0.62, 0.5, 0.25, "#ffe0b0", 0.45, 1.7),
        )
        rows = (
            (0.52, 0.20, hills[0], 26, 9),
            (0.58, 0.15, hills[1], 62, 14),
            (0.66, 0.11, field[0], 190, 30),
            (0.74, 0.05, field[1], 460, 44),
        )
        belts = [
            (_belt(stage, *row[:3], row[4], number), row[3]) for number, row in enumerate(rows)
        ]
        poles = _poles(stage)
        cabin = _cabin(stage, wall)
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for belt, pace in belts:
                offset = (time * pace * stage.height / 720) % belt.size[0]
                result.draw(belt, -offset, stage.height - belt.size[1], whole=pace > 100)
                result.draw(
                    belt, belt.size[0] - offset, stage.height - belt.size[1], whole=pace > 100
                )
            span = stage.width * 1.9
            result.draw(
                poles,
                span - (time * 1150 * stage.height / 720 + 400) % (span + poles.size[0] * 2),
                0,
                0.9,
                whole=True,
            )
            result.draw(cabin, 0, 1.2 * math.sin(time * 9))
            result.shade(dark)
            return result

        return frame

    return draw


def _belt(stage: Stage, top: float, high: float, colour: str, bumps: int, number: int) -> Layer:
    """A strip of land whose ends meet, as wide as the stage and more."""
    width, height = (stage.width + 320) & ~1, stage.height
    angle = np.linspace(0, 2 * math.pi, width, endpoint=False)
    random = stage.random
    outline = sum(
        np.sin(angle * cycles + random.random() * 6.28) / cycles**0.8
        for cycles in (2, 3, 5, bumps // 2 + 1, bumps, bumps * 2 + 1, bumps * 4 + 3)
    )
    if number >= 2:
        crowns = np.abs(np.sin(angle * bumps * 0.5 + 3 * np.sin(angle * 3))) * 0.8
        outline = outline * 0.5 + crowns + 0.25 * random.random(width)
    crest = (top - high * 0.3 * outline) * height
    first = round(min(crest)) & ~1
    below = grid(width, height - first)[1] + first - crest[None]
    fade = mix(rgb(colour) * 1.12, rgb(colour) * 0.55, smooth(0, height * 0.22, below)[..., None])
    speckle = (
        0.86 + 0.28 * random.random((*below.shape, 1)).astype(np.float32) if number >= 2 else 1.0
    )
    return to_layer(
        np.clip(fade * speckle, 0, 1).astype(np.float32), np.clip(below, 0, 1).astype(np.float32)
    )


def _poles(stage: Stage) -> Layer:
    """A mast of the overhead line, smeared by speed."""
    width = round(stage.height * 0.28) & ~1
    columns, rows = grid(width, stage.height)
    x, y = columns / width, rows / stage.height
    mast = smooth(0.09, 0.03, np.abs(x - 0.5)) * (y > 0.08)
    arm = smooth(0.006, 0.003, np.abs(y - 0.14)) * (x < 0.5) * (x > 0.1)
    return to_layer(
        np.broadcast_to(rgb("#15121c"), (*x.shape, 3)).astype(np.float32),
        np.clip(mast * 0.8 + arm, 0, 1).astype(np.float32),
    )


def _cabin(stage: Stage, wall: str) -> Layer:
    """The wall round the window, a curtain, and a small table with a cup."""
    board = Board(stage, wall)
    width, height = board.width, board.height
    dx = np.clip(np.abs(board.x - width / 2) - width / 2 + 150, 0, None)
    dy = np.clip(np.abs(board.y - height * 0.44) - height * 0.44 + 118, 0, None)
    away = np.hypot(dx, dy)
    hole = smooth(64, 61, away)
    board.picture = board.picture * (0.75 + 0.35 * smooth(height, 0, board.y))[..., None]
    board.fill(np.asarray(smooth(6, 0, np.abs(away - 68)), np.float32), "#0e0b10", 0.8)
    board.fill(np.asarray(smooth(3, 0, np.abs(away - 80)), np.float32), "#ffd9a8", 0.35)
    curtain = smooth(96, 92, board.x + 10 * np.sin(board.y / 130)) + smooth(
        width - 96, width - 92, board.x + 10 * np.sin(board.y / 110)
    )
    pleats = 0.6 + 0.4 * np.sin(board.x / 7.5 + 0.6 * np.sin(board.y / 160))
    board.fill(
        np.asarray(curtain, np.float32), np.asarray(rgb("#a8452f") * pleats[..., None], np.float32)
    )
    table = np.asarray(smooth(height - 74, height - 70, board.y), np.float32)
    board.fill(
        table,
        np.asarray(
            mix(rgb("#b98a5c"), rgb("#5e3c22"), smooth(height - 74, height, board.y)[..., None]),
            np.float32,
        ),
    )
    x = width * 0.24
    cup = board.sketch(lambda ink: _cup(ink, x, height - 60))
    alpha = np.maximum.reduce([1 - hole, curtain, table, cup])
    return board.layer(np.clip(alpha, 0, 1).astype(np.float32))


def _cup(ink: Pencil, x: float, y: float) -> None:
    ink.disc(x + 4, y + 4, 64, "#3c2412", 0.5, 0.2)
    ink.ring(x + 50, y - 44, 24, "#e4dccf", 9)
    ink.polygon([(x - 50, y - 84), (x + 50, y - 84), (x + 38, y), (x - 38, y)], "#efe7da")
    ink.polygon([(x + 10, y - 84), (x + 50, y - 84), (x + 38, y), (x + 14, y)], "#d3c8b8")
    ink.disc(x, y - 84, 50, "#faf5ec", 1, 0.2)
    ink.disc(x, y - 82, 42, "#5a3218", 1, 0.18)
