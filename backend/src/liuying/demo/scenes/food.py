"""Food from above, on a table, with steam: noodle soup, dumplings, coffee, citrus, tea."""

from __future__ import annotations

import math

import numpy as np
from PIL import ImageChops

from liuying.demo.scenes.board import Board, Pencil, ball
from liuying.demo.scenes.canvas import Pixels, mix, noise, rgb, smooth, wrapping_noise
from liuying.demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, turned, vignette, wrapped


class Steam:
    """Steam that rises and thins out above a place.

    Args:
        x: Middle in shares of the width; `y` foot in shares of the height.
        reach: Half its width as a share of the height.
    """

    def __init__(self, stage: Stage, x: float, y: float, reach: float = 0.32, strength: float = 0.5) -> None:
        self.size = (stage.width, stage.height)
        self._sheets = [plane_of(smooth(0.42, 0.75, _tile(stage, cells))) for cells in (3, 5)]
        columns, rows = np.meshgrid(np.arange(stage.width), np.arange(stage.height))
        across = (columns - x * stage.width) / stage.height / reach
        up = y - rows / stage.height
        shape = np.exp(-(across**2)) * smooth(-0.25, 0.1, up) * smooth(0.75, 0.2, up)
        self._envelope = plane_of((shape * strength).astype(np.float32))

    def draw(self, frame: Frame, time: float) -> None:
        """Lay it over the frame at a time in seconds."""
        first, second = (
            wrapped(sheet, 12 * pace * math.sin(time * 0.5), time * 95 * pace, *self.size)
            for sheet, pace in zip(self._sheets, (1.0, 1.6), strict=True)
        )
        mask = ImageChops.multiply(ImageChops.screen(first, ImageChops.multiply(first, second)), self._envelope)
        frame.luma.paste(246, (0, 0), mask)
        frame.tint(127, 130, mask.resize(frame.blue.size))


def _tile(stage: Stage, cells: int) -> Pixels:
    side = 1024
    tile = wrapping_noise(stage.random, side, cells, 5, 0.5)
    need = max(stage.width, stage.height) + 8
    return np.tile(tile, (1 + need // side, 1 + need // side)) if need > side else tile


def table_shot(stage: Stage, layer: Layer, steam: Steam | None, focus: tuple[float, float], push: float = 0.10) -> Shot:
    """A slow push towards `focus` with steam over it."""
    dark = vignette(stage.width, stage.height, 0.45)

    def frame(time: float) -> Frame:
        result = Frame(layer)
        progress = time / max(stage.seconds, 4)
        sway = 0.06 * math.sin(time * 0.8)
        result.zoom(1.03 + push * progress, focus[0] + sway, focus[1])
        if steam:
            steam.draw(result, time)
        result.shade(dark)
        return result

    return frame


def ramen(wood: tuple[str, str], broth: tuple[str, str, str], bowl: str = "#1d2733", off: float = 0.0) -> Scene:
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
        _toppings(board, x, y, inside)
        _chopsticks(board, x - radius - 150)
        steam = Steam(stage, x / board.width, 0.72)
        return table_shot(stage, board.layer(), steam, (x / board.width, 0.5))

    return draw


def _bowl(board: Board, x: float, y: float, radius: float, colour: str, broth: tuple[str, str, str]) -> None:
    rim = board.disc(x, y, radius + 28)
    board.shadow(rim, 30, 44, 26, 0.7)
    board.fill(rim, colour)
    board.fill(board.disc(x - 6, y - 8, radius + 22, 3), np.asarray(rgb(colour) * 1.35, np.float32), 0.6)
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
        left, middle, long = x - 150 - 130 * random.random(), y + random.normal(18, 80), 300 + 230 * random.random()
        swing = [random.uniform(-85, 85) for _ in range(4)]
        steps = np.linspace(0, 1, 26)
        bends = [bend * np.sin(steps * math.pi * (order + 1)) / (1 + order * 0.6) for order, bend in enumerate(swing)]
        wave = np.sum(bends, axis=0)
        curves.append((list(zip(left + steps * long, middle + wave, strict=True)), random.integers(3)))

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
    board.sketch(lambda ink: ink.polygon([(px + 6, py + 9) for px, py in seaweed], "#2a1404", 0.6), 6, clip)
    board.sketch(lambda ink: ink.polygon(seaweed, "#15271e"), 0.5, clip)
    drops = [
        (x + d * math.cos(a), y + d * math.sin(a), r)
        for a, d, r in zip(
            random.random(46) * 6.28, 110 + 180 * random.random(46), 4 + 9 * random.random(46), strict=True
        )
    ]

    def oil(ink: Pencil) -> None:
        for px, py, size in drops:
            ink.disc(px, py, size, "#ffd488", 0.34)
            ink.disc(px - size * 0.3, py - size * 0.3, size * 0.3, "#fff6dc", 0.7)

    board.sketch(oil, 0.5, clip)


def _egg(board: Board, x: float, y: float) -> None:
    white = board.disc(x, y, 80, 1.2, 0.84)
    board.shadow(white, 5, 12, 8, 0.45)
    edge = np.hypot(board.x - x + 18, (board.y - y + 20) / 0.84) / 100
    board.fill(white, np.asarray(mix(rgb("#fffdf6"), rgb("#e6cfa6"), smooth(0.55, 1.05, edge)[..., None]), np.float32))
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
    for inner, outer, colour in ((radius - 10, radius + 8, "#d9a860"), (radius - 26, radius - 12, "#a8743a")):
        ring = smooth(inner - 1.5, inner + 1.5, away) * smooth(outer + 1.5, outer - 1.5, away)
        angle = np.arctan2(board.y - y, board.x - x)
        weave = 0.88 + 0.12 * np.sin(angle * 150) + 0.18 * np.cos(angle + 2.2)
        board.fill(ring, np.asarray(rgb(colour) * weave[..., None], np.float32))
    slats = np.asarray(
        mix(rgb("#e2c68c"), rgb("#7e5a2a"), smooth(0.62, 0.9, (board.x / 25) % 1)[..., None]), np.float32
    )
    board.fill(board.disc(x, y, radius - 27), slats)
    board.fill(smooth(radius - 70, radius - 26, away) * board.disc(x, y, radius - 27), "#3a2208", 0.45)
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
    handle = smooth(22, 18, np.abs(np.hypot((board.x - x - 262) / 1.25, board.y - y) - 52)) * (board.x > x + 200)
    board.shadow(np.asarray(handle, np.float32), 8, 16, 9, 0.5)
    board.fill(np.asarray(handle, np.float32), colour)
    board.shadow(board.disc(x, y, 248), 14, 22, 14, 0.5)
    board.fill(board.disc(x, y, 246), np.asarray(rgb(colour) * (1.05 - 0.28 * shade[..., None]), np.float32))
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
        mask = smooth(0.02, -0.02, np.abs(u) - half) * bands * (1 - smooth(0.022, 0.008, np.abs(u)) * (v > -0.6))
    else:
        heart = (u * 1.5) ** 2 + ((v + 0.08) * -1.5 + 0.62 * np.sqrt(np.abs(u * 1.5))) ** 2
        bands = 1 - 0.55 * smooth(0.2, 0.6, np.sin(np.sqrt(heart) * 18)) * (heart > 0.35)
        mask = smooth(1.02, 0.96, heart) * bands
    mask = np.asarray(mask, np.float32) * board.disc(x, y, 204)
    board.fill(mask, "#f7e7cd", 0.96)
    foam = noise(board.stage.random, board.picture.shape[1], board.picture.shape[0], 60, 2)
    board.fill(np.asarray(board.disc(x, y, 214) * smooth(0.66, 0.8, foam), np.float32), "#e8c79a", 0.35)


def _notebook(board: Board, x: float, y: float) -> None:
    turn = 0.24
    u = (board.x - x) * math.cos(turn) + (board.y - y) * math.sin(turn)
    v = -(board.x - x) * math.sin(turn) + (board.y - y) * math.cos(turn)
    page = np.asarray(smooth(1.5, -1.5, np.abs(u) - 178) * smooth(1.5, -1.5, np.abs(v) - 250), np.float32)
    board.shadow(page, 16, 22, 12, 0.5)
    board.fill(page, np.asarray(rgb("#f6f0e4") * (1 - 0.10 * smooth(-178, 178, u))[..., None], np.float32))
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
        x, y, turn = random.uniform(20, 270), board.height - random.uniform(10, 210), random.uniform(0, 3.1)
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
            mix(rgb(table[0]), rgb(table[1]), ((board.x + board.y) / (board.width + board.height))[..., None]),
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
                slice_now = turned(layer, math.degrees(time * turn_speed * (1 if index % 2 else -1.3) + index))
                left, top = x * stage.width - layer.size[0] / 2, y * stage.height - layer.size[1] / 2
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
    board.fill(np.asarray(flesh, np.float32), np.asarray(rgb(colours[1]) * fibre[..., None], np.float32))
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
        board.fill(board.disc(x, y, 262), np.asarray(rgb(cup) * (0.62 + 0.42 * shade[..., None]), np.float32))
        away = np.hypot(board.x - x, board.y - y) / 240
        surface = np.asarray(mix(rgb(liquor[0]), rgb(liquor[1]), smooth(0, 1, away)[..., None]), np.float32)
        board.fill(board.disc(x, y, 238), surface)
        layer, inside = board.layer(), board.disc(x, y, 234) * 1.0
        steam = Steam(stage, 0.5, 0.7, 0.24, 0.5)
        push = table_shot(stage, layer, steam, (0.5, 0.5), 0.08)
        reach = (np.hypot(board.x - x, board.y - y)).astype(np.float32)

        def frame(time: float) -> Frame:
            result = push(time)
            since = time % 3.2
            ring = np.exp(-(((reach - since * 92) / 9) ** 2)) + 0.6 * np.exp(-(((reach - since * 92 + 34) / 7) ** 2))
            result.lighten(plane_of(ring * inside * (0.34 * math.exp(-since * 0.7))))
            return result

        return frame

    return draw


def _leaves(board: Board, x: float, y: float) -> None:
    random = board.stage.random
    for _ in range(26):
        angle, away = random.random() * 6.283, 380 + 260 * random.random()
        px, py, turn = x + away * math.cos(angle) * 1.25, y + away * math.sin(angle) * 0.8, random.random() * 3.14
        u = ((board.x - px) * math.cos(turn) + (board.y - py) * math.sin(turn)) / 44
        v = (-(board.x - px) * math.sin(turn) + (board.y - py) * math.cos(turn)) / 15
        mask = np.asarray(smooth(0.05, -0.05, np.abs(v) - np.clip(1 - u * u, 0, 1)) * (np.abs(u) < 1), np.float32)
        board.shadow(mask, 4, 8, 5, 0.4)
        green = mix(rgb("#4f8a3a"), rgb("#9cc25a"), float(random.random()))
        vein = smooth(0.14, 0.04, np.abs(v))
        board.fill(mask, np.asarray(green * (1.0 - 0.2 * v + 0.22 * vein)[..., None], np.float32))
