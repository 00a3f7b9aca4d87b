"""Hot food from above, on a table: noodle soup and dumplings."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board, Pencil, ball
from liuying_demo.scenes.canvas import Pixels, mix, rgb, smooth
from liuying_demo.scenes.film import Scene, Shot, Stage
from liuying_demo.scenes.steam import Steam, table_shot


def ramen(
    wood: tuple[str, str], broth: tuple[str, str, str], bowl: str = "#1d2733", off: float = 0.0
) -> Scene:
    """A bowl of noodle soup. `broth`: colours from its middle to its rim."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        board.wood(*wood)
        x, y, radius = board.width * (0.53 + off), board.height * 0.51, 318.0
        if stage.is_portrait:
            x, y, radius = board.width * 0.5, board.height * 0.52, 300.0
        _bowl(board, x, y, radius, bowl, broth)
        inside = board.disc(x, y, radius - 16)
        _noodles(board, x, y, inside)
        _oil(board, x, y, inside)
        _toppings(board, x, y, inside)
        _chopsticks(board, x - radius - 300)
        steam = Steam(stage, x / board.width, 0.72)
        return table_shot(stage, board.layer(), steam, (x / board.width, 0.5))

    return draw


def _bowl(
    board: Board, x: float, y: float, radius: float, colour: str, broth: tuple[str, str, str]
) -> None:
    rim = board.disc(x, y, radius + 28)
    board.shadow(rim, 30, 44, 26, 0.7)
    board.fill(rim, colour)
    board.fill(
        board.disc(x - 6, y - 8, radius + 22, 3), np.asarray(rgb(colour) * 1.35, np.float32), 0.6
    )
    board.fill(board.disc(x, y, radius + 8) - board.disc(x, y, radius + 4), "#c9a15a", 0.8)
    away = np.hypot(board.x - x + 40, board.y - y + 60) / radius
    soup = mix(
        mix(rgb(broth[0]), rgb(broth[1]), smooth(0, 0.8, away)[..., None]),
        rgb(broth[2]),
        smooth(0.75, 1.25, away)[..., None],
    )
    board.fill(board.disc(x, y, radius - 6), np.asarray(soup, np.float32))


def _noodles(board: Board, x: float, y: float, clip: Pixels) -> None:
    random = board.stage.random
    curves = []
    for _ in range(74):
        left, middle, long = (
            x - 150 - 130 * random.random(),
            y + random.normal(18, 80),
            300 + 230 * random.random(),
        )
        swing = [random.uniform(-85, 85) for _ in range(4)]
        steps = np.linspace(0, 1, 26)
        bends = [
            bend * np.sin(steps * math.pi * (order + 1)) / (1 + order * 0.6)
            for order, bend in enumerate(swing)
        ]
        wave = np.sum(bends, axis=0)
        curves.append(
            (list(zip(left + steps * long, middle + wave, strict=True)), random.integers(3))
        )

    def pencil(ink: Pencil) -> None:
        for points, tone in curves:
            ink.line([(px + 2, py + 4) for px, py in points], "#8a4d15", 12, 0.75)
            ink.line(points, ("#f6d88e", "#efc873", "#fae3a8")[tone], 8.6)
            ink.line([(px, py - 2.2) for px, py in points], "#fff3cf", 2.2, 0.55)

    board.sketch(pencil, 0.4, clip)


def _toppings(board: Board, x: float, y: float, clip: Pixels) -> None:
    random = board.stage.random
    for dx, dy, turn in ((150, -100, 0.45), (184, -8, 0.9), (150, 78, 1.35)):
        _slice_of_meat(board, x + dx, y + dy, turn)
    for dx, dy in ((-140, -142), (14, -200)):
        _egg(board, x + dx, y + dy)
    angles, away = random.random(150) * 6.28, random.random(150) ** 0.6 * 112
    places = zip(
        x - 60 + away * np.cos(angles) * 1.15,
        y + 124 + away * np.sin(angles) * 0.62,
        random.integers(0, 3, 150),
        strict=True,
    )
    rings = list(places)

    def pencil(ink: Pencil) -> None:
        for px, py, tone in rings:
            ink.ring(px + 1.5, py + 3, 10, "#5a3410", 5, 0.45)
            ink.ring(px, py, 9.6, ("#5fae3a", "#86cb52", "#3f8a2c")[tone], 4.6)

    board.sketch(pencil, 0.3, clip)
    seaweed = [(x - 262, y - 92), (x - 156, y - 116), (x - 116, y + 66), (x - 226, y + 90)]
    board.sketch(
        lambda ink: ink.polygon([(px + 6, py + 9) for px, py in seaweed], "#2a1404", 0.6), 6, clip
    )
    board.sketch(lambda ink: ink.polygon(seaweed, "#15271e"), 0.5, clip)


def _oil(board: Board, x: float, y: float, clip: Pixels) -> None:
    random = board.stage.random
    drops = [
        (x + d * math.cos(a), y + d * math.sin(a), r)
        for a, d, r in zip(
            random.random(46) * 6.28,
            110 + 180 * random.random(46),
            4 + 9 * random.random(46),
            strict=True,
        )
    ]

    def draw(ink: Pencil) -> None:
        for px, py, size in drops:
            ink.disc(px, py, size, "#ffd488", 0.34)
            ink.disc(px - size * 0.3, py - size * 0.3, size * 0.3, "#fff6dc", 0.7)

    board.sketch(draw, 0.5, clip)


def _egg(board: Board, x: float, y: float) -> None:
    white = board.disc(x, y, 80, 1.2, 0.84)
    board.shadow(white, 5, 12, 8, 0.45)
    edge = np.hypot(board.x - x + 18, (board.y - y + 20) / 0.84) / 100
    board.fill(
        white,
        np.asarray(
            mix(rgb("#fffdf6"), rgb("#e6cfa6"), smooth(0.55, 1.05, edge)[..., None]), np.float32
        ),
    )
    ball(board, x + 4, y + 4, 42, ("#ffc65a", "#f39a25", "#d5731a"))
    board.light(board.disc(x - 12, y - 12, 9, 5), "#ffffff", 0.7)


def _slice_of_meat(board: Board, x: float, y: float, turn: float) -> None:
    along = (board.x - x) * math.cos(turn) + (board.y - y) * math.sin(turn)
    across = -(board.x - x) * math.sin(turn) + (board.y - y) * math.cos(turn)
    away = np.hypot(along / 106, across / 62)
    mask = np.asarray(smooth(1.0, 0.975, away), np.float32)
    board.shadow(mask, 6, 12, 8, 0.5)
    fat = 0.5 + 0.5 * np.sin(across / 7.5 + 3.2 * np.sin(along / 34) + 1.4 * np.sin(along / 13))
    meat = mix(rgb("#cc8258"), rgb("#f6d6bb"), smooth(0.55, 0.95, fat)[..., None])
    meat = mix(meat, rgb("#9c5030"), smooth(0.86, 0.98, away)[..., None])
    board.fill(mask, np.asarray(meat * (1.04 - 0.12 * away[..., None]), np.float32))


def _chopsticks(board: Board, x: float) -> None:
    def stick(ink: Pencil, left: float, colour: str, shine: str) -> None:
        ink.line([(left, -30), (left + 250, board.height + 40)], colour, 15)
        ink.line([(left - 3, -30), (left + 247, board.height + 40)], shine, 3, 0.6)

    def shadows(ink: Pencil) -> None:
        for left in (x + 14, x + 58):
            ink.line([(left, -30), (left + 250, board.height + 50)], "#000000", 16, 0.55)

    def sticks(ink: Pencil) -> None:
        stick(ink, x, "#b5382c", "#ff9a86")
        stick(ink, x + 44, "#9c2d24", "#ef8a78")

    board.sketch(shadows, 7)
    board.sketch(sticks, 0.4)


def dumplings(table: tuple[str, str], count: int = 7) -> Scene:
    """Bamboo steamers with pleated dumplings."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        board.wood(*table)
        steamers = (
            ((0.34, 0.48, 330.0), (0.86, 0.82, 306.0))
            if not stage.is_portrait
            else ((0.46, 0.36, 300.0), (0.72, 0.86, 290.0))
        )
        for x, y, radius in steamers:
            _steamer(board, x * board.width, y * board.height, radius, count)
        return table_shot(stage, board.layer(), Steam(stage, 0.4, 0.74, 0.5, 0.62), (0.36, 0.5))

    return draw


def _steamer(board: Board, x: float, y: float, radius: float, count: int) -> None:
    rim = board.disc(x, y, radius + 10)
    board.shadow(rim, 26, 40, 26, 0.7)
    board.fill(rim, "#8a5a28")
    away = np.hypot(board.x - x, board.y - y)
    for inner, outer, colour in (
        (radius - 10, radius + 8, "#d9a860"),
        (radius - 26, radius - 12, "#a8743a"),
    ):
        ring = smooth(inner - 1.5, inner + 1.5, away) * smooth(outer + 1.5, outer - 1.5, away)
        angle = np.arctan2(board.y - y, board.x - x)
        weave = 0.88 + 0.12 * np.sin(angle * 150) + 0.18 * np.cos(angle + 2.2)
        board.fill(ring, np.asarray(rgb(colour) * weave[..., None], np.float32))
    slats = np.asarray(
        mix(rgb("#e2c68c"), rgb("#7e5a2a"), smooth(0.62, 0.9, (board.x / 25) % 1)[..., None]),
        np.float32,
    )
    board.fill(board.disc(x, y, radius - 27), slats)
    board.fill(
        smooth(radius - 70, radius - 26, away) * board.disc(x, y, radius - 27), "#3a2208", 0.45
    )
    ring = [(0.0, 0.0)] + [
        (
            math.cos(k / (count - 1) * 6.283 + 0.4) * radius * 0.57,
            math.sin(k / (count - 1) * 6.283 + 0.4) * radius * 0.57,
        )
        for k in range(count - 1)
    ]
    for dx, dy in ring:
        _dumpling(board, x + dx, y + dy, radius * 0.262)


def _dumpling(board: Board, x: float, y: float, radius: float) -> None:
    left, top = x - radius * 1.5, y - radius * 1.5
    if left > board.width or top > board.height or x + radius * 1.5 < 0 or y + radius * 1.5 < 0:
        return
    board.shadow(board.disc(x, y, radius), 6, 14, 9, 0.55)
    ball(board, x, y, radius, ("#fffefa", "#f6ead2", "#c3a678"))
    away, angle = np.hypot(board.x - x, board.y - y) / radius, np.arctan2(board.y - y, board.x - x)
    pleat = np.sin(angle * 16 + away * 7.5)
    inside = smooth(0.9, 0.7, away) * smooth(0.10, 0.22, away)
    board.fill(np.asarray(inside * smooth(0.35, 1.0, pleat), np.float32), "#b8986a", 0.6)
    board.light(np.asarray(inside * smooth(0.35, 1.0, -pleat), np.float32), "#fff6e0", 0.12)
    board.fill(board.disc(x, y, radius * 0.15, 3), "#a98a5a", 0.9)
    board.fill(board.disc(x - 1, y - 2, radius * 0.10, 3), "#e6d2a4")
