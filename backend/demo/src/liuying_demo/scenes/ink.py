"""Mountains in ink on paper."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Pixels, grid, noise, resized, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, to_layer


def ink_wash(paper: str, ink: str, encrypt: str = "#b8322a", sun: str | None = "#c8553a") -> Scene:
    """Mountains in ink on paper; mist drifts between them, a boat crosses, cranes fly."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage, paper)
        fibre = noise(stage.random, stage.width, stage.height, 90, 3, 0.6, 0.6)
        board.picture = board.picture * (0.955 + 0.075 * fibre)[..., None]
        if sun:
            board.fill(board.disc(board.width * 0.74, board.height * 0.24, 58, 3), sun, 0.82)
        base = board.layer()
        ranges = [_ink_range(stage, ink, depth) for depth in range(4)]
        mist = plane_of(_mist(stage))
        boat, cranes = _ink_boat(stage, ink), [_crane(stage, ink, beat) for beat in range(6)]
        stamp = _stamp(stage, encrypt)

        def frame(time: float) -> Frame:
            result = Frame(base)
            for depth, layer in enumerate(ranges):
                result.draw(layer, -(12 + 20 * depth) * time / stage.seconds, 0)
                part = mist.crop(
                    (
                        round(60 + 34 * time * (1 + depth * 0.3)) % 900,
                        0,
                        round(60 + 34 * time * (1 + depth * 0.3)) % 900 + stage.width,
                        stage.height,
                    )
                )
                result.luma.paste(
                    238,
                    (0, 0),
                    part.point([value * (10 - 2 * depth) // 10 for value in range(256)]),
                )
            for index in range(5):
                pose = cranes[int(time * 6 + index * 2) % 6]
                x = (0.12 + 0.055 * index) * stage.width + time * 32
                result.draw(
                    pose,
                    x,
                    (0.20 + 0.03 * abs(index - 2)) * stage.height + 4 * math.sin(time * 2 + index),
                )
            result.draw(
                boat,
                0.30 * stage.width + 22 * time,
                0.86 * stage.height + 1.5 * math.sin(time * 1.6),
            )
            result.draw(stamp, stage.width * 0.9, stage.height * 0.78)
            return result

        return frame

    return draw


def _ink_range(stage: Stage, ink: str, depth: int) -> Layer:
    random, width, height = stage.random, stage.width + 100, stage.height
    coarse = resized(random.random((2, 5 + depth)).astype(np.float32), width, 2)[0]
    middle = resized(random.random((2, 22)).astype(np.float32), width, 2)[0]
    fine = resized(random.random((2, 120)).astype(np.float32), width, 2)[0]
    crest = height * (
        0.46
        + 0.12 * depth
        - (0.42 - 0.05 * depth) * np.clip(coarse, 0, 1) ** 1.6
        - 0.07 * middle
        - 0.016 * fine
    )
    columns, rows = grid(width, height)
    below = rows - crest[None]
    brush = noise(random, width, height, 12, 5, 0.6, 0.5)
    strokes = smooth(0.46, 0.62, brush + 0.16 * np.sin((columns * 0.5 + rows) / 9) * 0.4)
    strength = (
        (0.26 + 0.20 * depth)
        * np.exp(-np.clip(below, 0, None) / (height * 0.30))
        * (0.55 + 0.45 * strokes)
    )
    strength += (
        0.32 * np.exp(-((below / 3.2) ** 2)) * (0.4 + 0.6 * fine[None]) * (0.5 + 0.17 * depth)
    )
    alpha = np.clip(strength, 0, 0.96) * smooth(-1.5, 1.0, below)
    return to_layer(
        np.broadcast_to(rgb(ink), (height, width, 3)).astype(np.float32),
        np.asarray(alpha, np.float32),
    )


def _mist(stage: Stage) -> Pixels:
    width = stage.width + 1000
    cloud = noise(stage.random, width, stage.height, 4, 5, 0.5, 1.4)
    down = grid(width, stage.height)[1] / stage.height
    return np.asarray(
        smooth(0.46, 0.68, cloud) * np.exp(-(((down - 0.62) / 0.17) ** 2)) * 0.8, np.float32
    )


def _ink_boat(stage: Stage, ink: str) -> Layer:
    board = Board(stage, ink, round(stage.height * 0.26) & ~1, round(stage.height * 0.13) & ~1)

    def draw(pen: Pencil) -> None:
        pen.polygon([(8, 52), (178, 50), (150, 74), (34, 76)], ink)
        pen.polygon([(58, 52), (66, 30), (112, 29), (122, 51)], ink, 0.85)
        pen.line([(140, 52), (143, 24)], ink, 8)
        pen.disc(144, 18, 7, ink)
        pen.polygon([(130, 16), (144, 4), (160, 15)], ink)
        pen.line([(150, 30), (178, 90)], ink, 2.5)
        pen.line([(20, 84), (160, 82)], ink, 2, 0.4)

    return board.layer(board.sketch(draw, 0.5))


def _crane(stage: Stage, ink: str, beat: int) -> Layer:
    board = Board(stage, ink, round(stage.height * 0.075) & ~1, round(stage.height * 0.06) & ~1)
    lift = 13 * math.cos(beat / 6 * 2 * math.pi)

    def draw(pen: Pencil) -> None:
        pen.line([(4, 24), (24, 22), (48, 15)], ink, 3.2)
        pen.line([(22, 22), (15, 22 - lift), (5, 20 - lift * 1.4)], ink, 4.6)
        pen.line([(27, 21), (30, 20 - lift), (24, 17 - lift * 1.5)], ink, 4.6)

    return board.layer(board.sketch(draw, 0.4))


def _stamp(stage: Stage, encrypt: str) -> Layer:
    board = Board(stage, encrypt, round(stage.height * 0.08) & ~1, round(stage.height * 0.08) & ~1)
    side = board.width

    def draw(pen: Pencil) -> None:
        pen.polygon([(4, 4), (side - 4, 4), (side - 4, side - 4), (4, side - 4)], encrypt)

    mask = board.sketch(draw, 0.6)
    # A play mark cut out of the encrypt, with a wave below it: the site's emblem.
    mark = (np.abs(board.y - side * 0.42) < (side * 0.72 - board.x) * 0.55) * (
        board.x > side * 0.34
    )
    wave = np.abs(board.y - side * 0.80 - 2.5 * np.sin(board.x / 5)) < 2
    worn = smooth(0.30, 0.42, noise(stage.random, board.x.shape[1], board.x.shape[0], 12, 3))
    return board.layer(
        np.asarray(
            mask * (1 - np.clip(mark + wave, 0, 1)) * (0.45 + 0.55 * worn) * 0.92, np.float32
        )
    )
