"""A turning globe of points with arcs of light between its places."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from liuying_demo.scenes.board import Board
from liuying_demo.scenes.canvas import Pixels, Random, mix, rgb, smooth, stars
from liuying_demo.scenes.film import Frame, Scene, Shot, Stage, chroma_of, vignette


def globe(sky: tuple[str, str], points: str, arcs: str) -> Scene:
    """A turning globe of points with arcs of light between its places."""

    def draw(stage: Stage) -> Shot:
        random, width, height = stage.random, stage.width, stage.height
        board = Board(stage)
        away = np.hypot(board.x - board.width / 2, board.y - board.height * 0.52)
        board.picture = np.asarray(
            mix(rgb(sky[0]), rgb(sky[1]), np.exp(-((away / 520) ** 2))[..., None]), np.float32
        )
        radius = 0.36 * min(width, height) * (1.12 if stage.is_portrait else 1)
        board.fill(
            board.disc(board.width / 2, board.height * 0.52, radius / board.unit), sky[0], 0.55
        )
        rim = np.exp(-(((away - radius / board.unit) / 16) ** 2))
        board.light(
            np.asarray(
                rim * smooth(500, -300, (board.x - board.width / 2) + (board.y - board.height / 2)),
                np.float32,
            ),
            points,
            0.7,
        )
        board.picture = (
            board.picture
            + (stars(random, width, height, 0.0008) * (away * board.unit > radius))[..., None] * 0.8
        )
        base = board.layer()
        dots = _continents(random)
        links = [_arc(dots, random) for _ in range(26)]
        arc_tint = chroma_of(rgb(arcs))
        dark = vignette(width, height, 0.3)

        def frame(time: float) -> Frame:
            result = Frame(base)
            turn = 2.3 + 0.42 * time
            lit = _projected(dots, turn, radius, width, height)
            result.lighten(lit)
            _draw_arcs(result, links, turn, time, radius, arc_tint)
            result.shade(dark)
            return result

        return frame

    return draw


def _continents(random: Random) -> Pixels:
    """Points on a unit ball where noise says land, shape (count, 3)."""
    count = 26_000
    index = np.arange(count) + 0.5
    down = np.arccos(1 - 2 * index / count)
    round_it = np.pi * (1 + 5**0.5) * index
    ball = np.stack(
        [np.cos(round_it) * np.sin(down), np.cos(down), np.sin(round_it) * np.sin(down)], -1
    )
    land = np.zeros(count)
    for _ in range(26):
        axis = random.normal(size=3)
        land += np.sin(ball @ axis * random.uniform(1.2, 5) + random.random() * 6.28) / 5
    return np.asarray(ball[land > -0.22], np.float32)


def _turned(points: Pixels, turn: float) -> tuple[Pixels, Pixels, Pixels]:
    x = points[..., 0] * math.cos(turn) + points[..., 2] * math.sin(turn)
    z = -points[..., 0] * math.sin(turn) + points[..., 2] * math.cos(turn)
    tilt = 0.35
    return (
        x,
        points[..., 1] * math.cos(tilt) - z * math.sin(tilt),
        points[..., 1] * math.sin(tilt) + z * math.cos(tilt),
    )


def _projected(points: Pixels, turn: float, radius: float, width: int, height: int) -> Image.Image:
    x, y, z = _turned(points, turn)
    column = np.asarray(width / 2 + x * radius, np.int32)
    row = np.asarray(height * 0.52 + y * radius, np.int32)
    bright = np.asarray(np.clip(90 + 230 * z, 0, 255) * (z > -0.15) + 20 * (z <= -0.15), np.uint8)
    sheet = np.zeros((height, width), np.uint8)
    for dy in (0, 1):
        for dx in (0, 1):
            np.maximum.at(sheet, (row + dy, column + dx), bright)
    return Image.fromarray(sheet)


def _arc(dots: Pixels, random: Random) -> tuple[Pixels, float]:
    start, end = dots[random.integers(len(dots))], dots[random.integers(len(dots))]
    share = np.linspace(0, 1, 34)[:, None]
    line = start * (1 - share) + end * share
    line /= np.linalg.norm(line, axis=1, keepdims=True) + 1e-6
    height = 1.0 + 0.32 * np.sin(share * math.pi) * float(np.linalg.norm(start - end)) / 2
    return np.asarray(line * height, np.float32), float(random.random())


def _draw_arcs(
    frame: Frame,
    links: list[tuple[Pixels, float]],
    turn: float,
    time: float,
    radius: float,
    tint: tuple[int, int],
) -> None:
    width, height = frame.size
    sheet = Image.new("L", (width, height), 0)
    pencil = ImageDraw.Draw(sheet)
    for line, phase in links:
        x, y, z = _turned(line, turn)
        if z.min() < -0.2:
            continue
        head = int(((time * 0.55 + phase) % 1.4) * len(x))
        places = [
            (width / 2 + a * radius, height * 0.52 + b * radius) for a, b in zip(x, y, strict=True)
        ]
        for number in range(max(1, head - 16), min(head, len(places))):
            pencil.line(
                [places[number - 1], places[number]],
                fill=round(255 * (1 - (head - number) / 17)),
                width=3,
            )
        if head < len(places):
            px, py = places[head]
            pencil.ellipse([px - 4, py - 4, px + 4, py + 4], fill=255)
    half = sheet.resize((width // 2, height // 2), Image.Resampling.BOX)
    frame.lighten(sheet, 0.9)
    frame.tint(*tint, half.point([min(255, value * 2) for value in range(256)]))
