"""A processor on its board."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Pixels, Random, grid, mix, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, to_layer, vignette

Path = list[tuple[float, float]]


def chip(ground: tuple[str, str], copper: tuple[str, str, str], heart: str) -> Scene:
    """A processor on its board; signals run along the lines and its heart glows. `copper`: colours
    of the lines.
    """

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        ramp = ((board.x + board.y) / (board.width + board.height))[..., None]
        board.picture = np.asarray(mix(rgb(ground[0]), rgb(ground[1]), ramp), np.float32)
        x, y = board.width / 2, board.height / 2
        paths = _paths(stage.random, board, x, y)
        _lines(board, paths, copper, stage.random)
        _parts(board, stage.random, x, y)
        _package(board, x, y, heart)
        base = board.layer()
        away = np.hypot(board.x - x, board.y - y)
        heat = plane_of(
            np.asarray(
                np.exp(-((away / 150) ** 2)) * 0.5 + np.exp(-((away / 420) ** 2)) * 0.14, np.float32
            )
        )
        spark = _spark(round(44 * board.unit) & ~1, copper[1])
        starts = stage.random.random((len(paths), 2))
        lengths = [_resampled(path, board.unit) for path in paths]
        dark = vignette(stage.width, stage.height, 0.45)

        def frame(time: float) -> Frame:
            result = Frame(base)
            result.lighten(heat, 0.55 + 0.45 * math.sin(time * 2.4))
            for path, (start, pace) in zip(lengths, starts, strict=True):
                at = (time * (0.5 + 0.5 * pace) + start * 2.2) % 2.2
                if at < 1:
                    px, py = path[min(len(path) - 1, int(at * len(path)))]
                    result.draw(
                        spark,
                        px - spark.size[0] / 2,
                        py - spark.size[1] / 2,
                        math.sin(at * math.pi),
                        whole=True,
                    )
            result.zoom(1.02 + 0.07 * time / stage.seconds, 0.5, 0.5)
            result.shade(dark)
            return result

        return frame

    return draw


def _paths(random: Random, board: Board, x: float, y: float) -> list[Path]:
    """Lines from the package outwards: straight, a bend of 45 degrees, straight."""
    paths: list[Path] = []
    reach = max(board.width, board.height)
    for index in range(132):
        side, pin = index % 4, round(random.uniform(-190, 190) / 15) * 15
        first, bend, sign = (
            random.uniform(60, 330),
            int(random.integers(2, 10)) * 15,
            (-1, 1)[int(random.integers(2))],
        )
        out = [
            (198.0, float(pin)),
            (198 + first, float(pin)),
            (198 + first + bend, pin + sign * bend),
            (reach, pin + sign * bend),
        ]
        turn = side * math.pi / 2
        cosine, sine = round(math.cos(turn)), round(math.sin(turn))
        paths.append([(x + a * cosine - b * sine, y + a * sine + b * cosine) for a, b in out])
    return paths


def _lines(board: Board, paths: list[Path], copper: tuple[str, str, str], random: Random) -> None:
    def draw(ink: Pencil) -> None:
        for index, path in enumerate(paths):
            colour = copper[0] if random.random() < 0.74 else copper[1 + index % 2]
            ink.line(path, colour, 4.2, 0.35 + 0.6 * random.random())
            if index % 3 == 0:
                ink.disc(*path[2], 8, "#06121a")
                ink.ring(*path[2], 8, copper[1], 3.2)

    board.sketch(draw, 0.4)


def _parts(board: Board, random: Random, x: float, y: float) -> None:
    places = []
    for _ in range(26):
        px, py = random.uniform(0, board.width), random.uniform(0, board.height)
        if abs(px - x) > 270 or abs(py - y) > 270:
            places.append(
                (px, py, *((78, 46), (46, 92), (110, 60), (30, 18))[int(random.integers(4))])
            )

    def shapes(ink: Pencil, dx: float, dy: float, colour: str, opacity: float) -> None:
        for px, py, w, h in places:
            ink.polygon(
                [
                    (px + dx, py + dy),
                    (px + w + dx, py + dy),
                    (px + w + dx, py + h + dy),
                    (px + dx, py + h + dy),
                ],
                colour,
                opacity,
            )

    board.sketch(lambda ink: shapes(ink, 8, 12, "#000000", 0.6), 6)
    board.sketch(lambda ink: shapes(ink, 0, 0, "#141a20", 1))

    def details(ink: Pencil) -> None:
        for px, py, w, h in places:
            ink.line([(px + 2, py + 2), (px + w - 2, py + 2)], "#4a5a66", 2.4, 0.8)
            ink.disc(px + 9, py + 9, 3, "#7a8a94", 0.8)
            for pin in range(int(w // 14)):
                ink.line(
                    [(px + 8 + pin * 14, py + h), (px + 8 + pin * 14, py + h + 8)], "#b8a070", 4
                )

    board.sketch(details)


def _package(board: Board, x: float, y: float, heart: str) -> None:
    def square(half: float, soft: float = 1.5) -> Pixels:
        corner = np.maximum(np.abs(board.x - x), np.abs(board.y - y))
        return np.asarray(smooth(half + soft, half - soft, corner), np.float32)

    board.shadow(square(206), 14, 26, 24, 0.75)
    gold = mix(
        rgb("#e6c88a"), rgb("#8a6a38"), smooth(-250, 250, (board.x - x) + (board.y - y))[..., None]
    )
    board.fill(square(202), np.asarray(gold, np.float32))
    lid = mix(
        rgb("#55616c"), rgb("#0e1217"), smooth(-220, 180, (board.x - x) + (board.y - y))[..., None]
    )
    board.fill(square(182), np.asarray(lid, np.float32))
    board.fill(square(122) - square(118.5), heart, 0.85)
    glow = np.exp(-((np.hypot(board.x - x, board.y - y) / 130) ** 2))
    board.light(np.asarray(glow * square(182), np.float32), heart, 0.9)
    board.fill(
        square(80),
        np.asarray(
            mix(
                rgb("#fff4dc"),
                rgb(heart),
                smooth(0, 130, np.hypot(board.x - x, board.y - y))[..., None],
            ),
            np.float32,
        ),
    )
    cells = smooth(0.08, 0.14, (board.x - x) / 20 % 1) * smooth(0.08, 0.14, (board.y - y) / 20 % 1)
    board.fill(np.asarray(square(78) * (1 - cells), np.float32), heart, 0.55)


def _spark(size: int, colour: str) -> Layer:
    columns, rows = grid(size, size)
    away = np.hypot(columns - size / 2, rows - size / 2) / size
    alpha = np.clip(np.exp(-((away / 0.07) ** 2)) + 0.55 * np.exp(-((away / 0.2) ** 2)), 0, 1)
    picture = mix(rgb(colour), rgb("#ffffff"), np.exp(-((away / 0.09) ** 2))[..., None])
    return to_layer(np.asarray(picture, np.float32), np.asarray(alpha, np.float32))


def _resampled(path: Path, unit: float) -> Path:
    """Points at even distances along a line, in pixels."""
    points: Path = []
    for (x0, y0), (x1, y1) in pairwise(path):
        steps = max(1, round(math.hypot(x1 - x0, y1 - y0) / 4))
        points += [
            ((x0 + (x1 - x0) * k / steps) * unit, (y0 + (y1 - y0) * k / steps) * unit)
            for k in range(steps)
        ]
    return points
