"""Drinks and fruit from above: coffee, tea, citrus."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board
from liuying_demo.scenes.canvas import mix, noise, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, turned, vignette
from liuying_demo.scenes.steam import Steam, table_shot


def coffee(wood: tuple[str, str], cup: str = "#fdfaf5", art: str = "leaf") -> Scene:
    """A cup of coffee with milk drawn on it (`leaf` or `heart`), a notebook and beans."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        board.wood(*wood)
        x, y = board.width * (0.43 if not stage.is_portrait else 0.5), board.height * 0.51
        _notebook(board, x + 470, y + 40)
        _cup(board, x, y, cup)
        _milk(board, x, y, art)
        _beans(board)
        steam = Steam(stage, x / board.width, 0.66, 0.22, 0.42)
        return table_shot(stage, board.layer(), steam, (x / board.width, 0.5), 0.13)

    return draw


def _cup(board: Board, x: float, y: float, colour: str) -> None:
    saucer = board.disc(x, y, 338)
    board.shadow(saucer, 34, 48, 24, 0.62)
    shade = np.hypot(board.x - x + 120, board.y - y + 140) / 560
    board.fill(saucer, np.asarray(rgb(colour) * (1.02 - 0.2 * shade[..., None]), np.float32))
    board.fill(board.disc(x, y, 316, 2) - board.disc(x, y, 311, 2), "#b9ac9c", 0.6)
    handle = smooth(22, 18, np.abs(np.hypot((board.x - x - 262) / 1.25, board.y - y) - 52)) * (
        board.x > x + 200
    )
    board.shadow(np.asarray(handle, np.float32), 8, 16, 9, 0.5)
    board.fill(np.asarray(handle, np.float32), colour)
    board.shadow(board.disc(x, y, 248), 14, 22, 14, 0.5)
    board.fill(
        board.disc(x, y, 246),
        np.asarray(rgb(colour) * (1.05 - 0.28 * shade[..., None]), np.float32),
    )
    board.fill(board.disc(x, y, 222), "#4a2411")
    away = np.hypot(board.x - x + 60, board.y - y + 80) / 300
    board.fill(
        board.disc(x, y, 216),
        np.asarray(mix(rgb("#c08348"), rgb("#7a4420"), smooth(0, 1, away)[..., None]), np.float32),
    )


def _milk(board: Board, x: float, y: float, art: str) -> None:
    turn = -0.42
    u = ((board.x - x) * math.cos(turn) + (board.y - y) * math.sin(turn)) / 216
    v = (-(board.x - x) * math.sin(turn) + (board.y - y) * math.cos(turn)) / 216
    if art == "leaf":
        half = 0.62 * np.sqrt(np.clip(1 - ((v - 0.02) / 0.80) ** 2, 0, 1)) * (0.72 + 0.28 * v)
        bands = smooth(-0.25, 0.25, np.sin((v - np.abs(u) * 0.72) * 24))
        mask = (
            smooth(0.02, -0.02, np.abs(u) - half)
            * bands
            * (1 - smooth(0.022, 0.008, np.abs(u)) * (v > -0.6))
        )
    else:
        heart = (u * 1.5) ** 2 + ((v - 0.10) * -1.5 - 0.62 * np.sqrt(np.abs(u * 1.5))) ** 2
        bands = 1 - 0.55 * smooth(0.2, 0.6, np.sin(np.sqrt(heart) * 18)) * (heart > 0.35)
        mask = smooth(1.02, 0.96, heart) * bands
    mask = np.asarray(mask, np.float32) * board.disc(x, y, 204)
    board.fill(mask, "#f7e7cd", 0.96)
    foam = noise(board.stage.random, board.picture.shape[1], board.picture.shape[0], 60, 2)
    board.fill(
        np.asarray(board.disc(x, y, 214) * smooth(0.66, 0.8, foam), np.float32), "#e8c79a", 0.35
    )


def _notebook(board: Board, x: float, y: float) -> None:
    turn = 0.24
    u = (board.x - x) * math.cos(turn) + (board.y - y) * math.sin(turn)
    v = -(board.x - x) * math.sin(turn) + (board.y - y) * math.cos(turn)
    page = np.asarray(
        smooth(1.5, -1.5, np.abs(u) - 178) * smooth(1.5, -1.5, np.abs(v) - 250), np.float32
    )
    board.shadow(page, 16, 22, 12, 0.5)
    board.fill(
        page, np.asarray(rgb("#f6f0e4") * (1 - 0.10 * smooth(-178, 178, u))[..., None], np.float32)
    )
    lines = (
        page
        * smooth(0.06, 0.02, np.abs(((v / 40) % 1) - 0.5))
        * (u > -112)
        * (u < 130 - 60 * np.sin(np.floor(v / 40) * 2.1))
        * (np.abs(v) < 205)
    )
    board.fill(np.asarray(lines, np.float32), "#9c8f80", 0.7)
    board.fill(np.asarray(page * (u < -142), np.float32), "#c9503f")


def _beans(board: Board) -> None:
    random = board.stage.random
    for _ in range(16):
        x, y, turn = (
            random.uniform(20, 270),
            board.height - random.uniform(10, 210),
            random.uniform(0, 3.1),
        )
        u = (board.x - x) * math.cos(turn) + (board.y - y) * math.sin(turn)
        v = -(board.x - x) * math.sin(turn) + (board.y - y) * math.cos(turn)
        mask = np.asarray(smooth(1.05, 0.95, np.hypot(u / 25, v / 17)), np.float32)
        board.shadow(mask, 3, 6, 4, 0.5)
        shine = np.exp(-(((u + 6) ** 2 + (v + 6) ** 2) / 60))
        colour = mix(rgb("#4a2612"), rgb("#a0683c"), shine[..., None])
        seam = smooth(2.6, 1.2, np.abs(v - 3 * np.sin(u / 8)))
        board.fill(mask, np.asarray(mix(colour, rgb("#1a0b04"), seam[..., None]), np.float32))


def citrus(table: tuple[str, str], turn_speed: float = 0.22) -> Scene:
    """Slices of oranges, lemons and limes that turn slowly on a bright table."""
    fruits = (
        (0.19, 0.28, 190, ("#ff9a1f", "#ffb84a", "#fff0cf")),
        (0.53, 0.16, 156, ("#f2cf1d", "#fbe25a", "#fffbe0")),
        (0.82, 0.40, 208, ("#e8503a", "#ff8468", "#ffe8dc")),
        (0.40, 0.73, 200, ("#e8503a", "#ff7a60", "#ffe8dc")),
        (0.70, 0.90, 164, ("#8cbf2a", "#bfde62", "#f6fbe0")),
        (0.09, 0.85, 158, ("#8cbf2a", "#c3e06a", "#f6fbe0")),
        (0.98, 0.93, 152, ("#ff9a1f", "#ffc04f", "#fff0cf")),
    )

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        board.picture = np.asarray(
            mix(
                rgb(table[0]),
                rgb(table[1]),
                ((board.x + board.y) / (board.width + board.height))[..., None],
            ),
            np.float32,
        )
        for x, y, radius, _colours in fruits:
            board.shadow(board.disc(x * board.width, y * board.height, radius), 16, 28, 16, 0.32)
        base = board.layer()
        slices = [(_slice(stage, radius, colours), x, y) for x, y, radius, colours in fruits]
        dark = vignette(stage.width, stage.height, 0.2)

        def frame(time: float) -> Frame:
            result = Frame(base)
            for index, (layer, x, y) in enumerate(slices):
                slice_now = turned(
                    layer, math.degrees(time * turn_speed * (1 if index % 2 else -1.3) + index)
                )
                left, top = (
                    x * stage.width - layer.size[0] / 2,
                    y * stage.height - layer.size[1] / 2,
                )
                result.draw(slice_now, left, top + 3 * math.sin(time * 1.6 + index))
            result.shade(dark)
            return result

        return frame

    return draw


def _slice(stage: Stage, radius: float, colours: tuple[str, str, str]) -> Layer:
    size = round(radius * min(stage.width, stage.height) / 720 * 2 + 8) & ~1
    board = Board(stage, colours[0], size, size)
    middle = board.width / 2
    dx, dy = board.x - middle, board.y - middle
    away, angle = np.hypot(dx, dy) / radius, np.arctan2(dy, dx)
    board.fill(board.disc(middle, middle, radius * 0.93), colours[2])
    part = ((angle / 6.2832 * 10) % 1) - 0.5
    edge = 0.5 - np.abs(part) - 0.045 / np.maximum(away, 0.08)
    flesh = smooth(0.0, 0.03, edge) * smooth(0.87, 0.84, away) * smooth(0.08, 0.13, away)
    cells = noise(stage.random, size, size, 26, 3, 0.6)
    fibre = 0.84 + 0.34 * cells + 0.08 * np.sin(angle * 90 + cells * 9)
    board.fill(
        np.asarray(flesh, np.float32), np.asarray(rgb(colours[1]) * fibre[..., None], np.float32)
    )
    board.light(np.asarray(flesh * smooth(0.70, 0.86, cells), np.float32), "#ffffff", 0.5)
    return board.layer(board.disc(middle, middle, radius))


def tea(wood: tuple[str, str], liquor: tuple[str, str], cup: str = "#e9efe8") -> Scene:
    """Tea in a celadon cup: rings spread on its surface, leaves lie beside it."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        board.wood(*wood)
        x, y = board.width * 0.5, board.height * 0.5
        _leaves(board, x, y)
        outer = board.disc(x, y, 286)
        board.shadow(outer, 30, 42, 24, 0.6)
        shade = np.hypot(board.x - x + 110, board.y - y + 120) / 520
        board.fill(outer, np.asarray(rgb(cup) * (1.06 - 0.42 * shade[..., None]), np.float32))
        board.fill(
            board.disc(x, y, 262),
            np.asarray(rgb(cup) * (0.62 + 0.42 * shade[..., None]), np.float32),
        )
        away = np.hypot(board.x - x, board.y - y) / 240
        surface = np.asarray(
            mix(rgb(liquor[0]), rgb(liquor[1]), smooth(0, 1, away)[..., None]), np.float32
        )
        board.fill(board.disc(x, y, 238), surface)
        layer, inside = board.layer(), board.disc(x, y, 234) * 1.0
        steam = Steam(stage, 0.5, 0.7, 0.24, 0.5)
        push = table_shot(stage, layer, steam, (0.5, 0.5), 0.08)
        reach = (np.hypot(board.x - x, board.y - y)).astype(np.float32)

        def frame(time: float) -> Frame:
            result = push(time)
            since = time % 3.2
            ring = np.exp(-(((reach - since * 92) / 9) ** 2)) + 0.6 * np.exp(
                -(((reach - since * 92 + 34) / 7) ** 2)
            )
            result.lighten(plane_of(ring * inside * (0.34 * math.exp(-since * 0.7))))
            return result

        return frame

    return draw


def _leaves(board: Board, x: float, y: float) -> None:
    random = board.stage.random
    for _ in range(26):
        angle, away = random.random() * 6.283, 380 + 260 * random.random()
        px, py, turn = (
            x + away * math.cos(angle) * 1.25,
            y + away * math.sin(angle) * 0.8,
            random.random() * 3.14,
        )
        u = ((board.x - px) * math.cos(turn) + (board.y - py) * math.sin(turn)) / 44
        v = (-(board.x - px) * math.sin(turn) + (board.y - py) * math.cos(turn)) / 15
        mask = np.asarray(
            smooth(0.05, -0.05, np.abs(v) - np.clip(1 - u * u, 0, 1)) * (np.abs(u) < 1), np.float32
        )
        board.shadow(mask, 4, 8, 5, 0.4)
        green = mix(rgb("#4f8a3a"), rgb("#9cc25a"), float(random.random()))
        vein = smooth(0.14, 0.04, np.abs(v))
        board.fill(mask, np.asarray(green * (1.0 - 0.2 * v + 0.22 * vein)[..., None], np.float32))
