"""Machines: a chip with signals on its lines, a globe of points, the blinking rows of a data centre."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw

from liuying.demo.scenes.board import Board, Pencil
from liuying.demo.scenes.canvas import Pixels, Random, grid, mix, rgb, smooth, stars
from liuying.demo.scenes.film import Frame, Layer, Scene, Shot, Stage, chroma_of, plane_of, to_layer, vignette

Path = list[tuple[float, float]]


def chip(ground: tuple[str, str], copper: tuple[str, str, str], heart: str) -> Scene:
    """A processor on its board; signals run along the lines and its heart glows. `copper`: colours of the lines."""

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
            np.asarray(np.exp(-((away / 150) ** 2)) * 0.5 + np.exp(-((away / 420) ** 2)) * 0.14, np.float32)
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
                        spark, px - spark.size[0] / 2, py - spark.size[1] / 2, math.sin(at * math.pi), whole=True
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
        first, bend, sign = random.uniform(60, 330), int(random.integers(2, 10)) * 15, (-1, 1)[int(random.integers(2))]
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
            places.append((px, py, *((78, 46), (46, 92), (110, 60), (30, 18))[int(random.integers(4))]))

    def shapes(ink: Pencil, dx: float, dy: float, colour: str, opacity: float) -> None:
        for px, py, w, h in places:
            ink.polygon(
                [(px + dx, py + dy), (px + w + dx, py + dy), (px + w + dx, py + h + dy), (px + dx, py + h + dy)],
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
                ink.line([(px + 8 + pin * 14, py + h), (px + 8 + pin * 14, py + h + 8)], "#b8a070", 4)

    board.sketch(details)


def _package(board: Board, x: float, y: float, heart: str) -> None:
    def square(half: float, soft: float = 1.5) -> Pixels:
        corner = np.maximum(np.abs(board.x - x), np.abs(board.y - y))
        return np.asarray(smooth(half + soft, half - soft, corner), np.float32)

    board.shadow(square(206), 14, 26, 24, 0.75)
    gold = mix(rgb("#e6c88a"), rgb("#8a6a38"), smooth(-250, 250, (board.x - x) + (board.y - y))[..., None])
    board.fill(square(202), np.asarray(gold, np.float32))
    lid = mix(rgb("#55616c"), rgb("#0e1217"), smooth(-220, 180, (board.x - x) + (board.y - y))[..., None])
    board.fill(square(182), np.asarray(lid, np.float32))
    board.fill(square(122) - square(118.5), heart, 0.85)
    glow = np.exp(-((np.hypot(board.x - x, board.y - y) / 130) ** 2))
    board.light(np.asarray(glow * square(182), np.float32), heart, 0.9)
    board.fill(
        square(80),
        np.asarray(
            mix(rgb("#fff4dc"), rgb(heart), smooth(0, 130, np.hypot(board.x - x, board.y - y))[..., None]), np.float32
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
        points += [((x0 + (x1 - x0) * k / steps) * unit, (y0 + (y1 - y0) * k / steps) * unit) for k in range(steps)]
    return points


def globe(sky: tuple[str, str], points: str, arcs: str) -> Scene:
    """A turning globe of points with arcs of light between its places."""

    def draw(stage: Stage) -> Shot:
        random, width, height = stage.random, stage.width, stage.height
        board = Board(stage)
        away = np.hypot(board.x - board.width / 2, board.y - board.height * 0.52)
        board.picture = np.asarray(mix(rgb(sky[0]), rgb(sky[1]), np.exp(-((away / 520) ** 2))[..., None]), np.float32)
        radius = 0.36 * min(width, height) * (1.12 if stage.is_portrait else 1)
        board.fill(board.disc(board.width / 2, board.height * 0.52, radius / board.unit), sky[0], 0.55)
        rim = np.exp(-(((away - radius / board.unit) / 16) ** 2))
        board.light(
            np.asarray(rim * smooth(500, -300, (board.x - board.width / 2) + (board.y - board.height / 2)), np.float32),
            points,
            0.7,
        )
        board.picture = (
            board.picture + (stars(random, width, height, 0.0008) * (away * board.unit > radius))[..., None] * 0.8
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
    ball = np.stack([np.cos(round_it) * np.sin(down), np.cos(down), np.sin(round_it) * np.sin(down)], -1)
    land = np.zeros(count)
    for _ in range(26):
        axis = random.normal(size=3)
        land += np.sin(ball @ axis * random.uniform(1.2, 5) + random.random() * 6.28) / 5
    return np.asarray(ball[land > -0.22], np.float32)


def _turned(points: Pixels, turn: float) -> tuple[Pixels, Pixels, Pixels]:
    x = points[..., 0] * math.cos(turn) + points[..., 2] * math.sin(turn)
    z = -points[..., 0] * math.sin(turn) + points[..., 2] * math.cos(turn)
    tilt = 0.35
    return x, points[..., 1] * math.cos(tilt) - z * math.sin(tilt), points[..., 1] * math.sin(tilt) + z * math.cos(tilt)


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
    frame: Frame, links: list[tuple[Pixels, float]], turn: float, time: float, radius: float, tint: tuple[int, int]
) -> None:
    width, height = frame.size
    sheet = Image.new("L", (width, height), 0)
    pencil = ImageDraw.Draw(sheet)
    for line, phase in links:
        x, y, z = _turned(line, turn)
        if z.min() < -0.2:
            continue
        head = int(((time * 0.55 + phase) % 1.4) * len(x))
        places = [(width / 2 + a * radius, height * 0.52 + b * radius) for a, b in zip(x, y, strict=True)]
        for number in range(max(1, head - 16), min(head, len(places))):
            pencil.line([places[number - 1], places[number]], fill=round(255 * (1 - (head - number) / 17)), width=3)
        if head < len(places):
            px, py = places[head]
            pencil.ellipse([px - 4, py - 4, px + 4, py + 4], fill=255)
    half = sheet.resize((width // 2, height // 2), Image.Resampling.BOX)
    frame.lighten(sheet, 0.9)
    frame.tint(*tint, half.point([min(255, value * 2) for value in range(256)]))


def data_centre(ground: str, lights: tuple[str, str, str], haze: str) -> Scene:
    """A corridor between racks of machines whose lights blink; the viewer moves along it."""

    def draw(stage: Stage) -> Shot:
        width, height = stage.width, stage.height
        columns, rows = grid(width, height)
        x, y = (columns - width / 2) / height, (rows - height * 0.48) / height
        wall = np.maximum(np.abs(x), 1e-3)
        is_wall = wall > np.abs(y) * 0.95
        depth = np.where(is_wall, 0.34 / wall, 0.36 / np.maximum(np.abs(y), 1e-3))
        fog = np.exp(-depth * 0.36)
        up = np.where(is_wall, y * depth, x * depth)
        board = Board(stage, ground)
        floor = mix(rgb(ground) * 0.7, rgb(haze) * 0.5, smooth(0.0, 0.5, y)[..., None] * 0.25)
        board.picture = np.asarray(np.where(is_wall[..., None], rgb(ground), floor), np.float32)
        board.picture = np.asarray(
            mix(np.broadcast_to(rgb(haze), board.picture.shape), board.picture, fog[..., None]), np.float32
        )
        base = board.layer()
        texture, hue = _racks(stage.random, lights)
        row = np.asarray(np.clip((up + 0.45) * 300, 0, 255), np.int32)
        place = np.asarray(depth * 160, np.int32)
        gain = np.asarray(fog * (is_wall + 0.0) * 256, np.int32)
        side = (x > 0).astype(np.int32) * 97
        shine = plane_of(
            np.asarray(fog * (~is_wall) * (y < 0) * smooth(0.05, 0.02, np.abs(x * depth)) * 0.9, np.float32)
        )
        dark = vignette(width, height, 0.42)
        chroma = [np.asarray(plane) for plane in (hue.blue, hue.red)]

        def frame(time: float) -> Frame:
            result = Frame(base)
            moved = (place + round(time * 62) + side * 3) & 511
            blink = (row // 10 * 37 + moved // 8 * 53 + (moved // 64 + row // 50) * int(time * 4) * 29) % 97 > 20
            value = (texture[row, moved] * gain * blink) >> 8
            light = Image.fromarray(np.clip(value, 0, 255).astype(np.uint8))
            _colour(result, light, chroma, row, moved)
            result.lighten(light)
            result.lighten(light.transpose(Image.Transpose.FLIP_TOP_BOTTOM), 0.16)
            result.lighten(shine)
            result.shade(dark)
            return result

        return frame

    return draw


def _racks(random: Random, lights: tuple[str, str, str]) -> tuple[np.ndarray, Layer]:
    """Lamps of the machines: brightness, shape (256, 512), and a layer of the same size with their colours."""
    sheet = np.zeros((256, 512), np.float32)
    colour = np.zeros((256, 512, 3), np.float32)
    colour[:] = rgb(lights[0])
    for unit in range(4, 252, 10):
        sheet[unit : unit + 1, :] = 0.10
        for at in range(0, 512, 8):
            if random.random() < 0.62 and at % 64 > 6:
                tint = lights[int(random.choice(3, p=(0.68, 0.24, 0.08)))]
                sheet[unit + 3 : unit + 6, at + 2 : at + 6] = 0.6 + 0.4 * random.random()
                colour[unit : unit + 10, at : at + 8] = rgb(tint)
    sheet[:, ::64] = 0.0
    return np.asarray(sheet * 255, np.int32), to_layer(colour)


def _colour(frame: Frame, light: Image.Image, chroma: list[np.ndarray], row: np.ndarray, column: np.ndarray) -> None:
    half = light.resize((light.width // 2, light.height // 2), Image.Resampling.BOX)
    mask = half.point([min(255, value * 3) for value in range(256)])
    rows, columns = row[::2, ::2] // 2, column[::2, ::2] // 2
    for name, plane in zip(("blue", "red"), chroma, strict=True):
        target: Image.Image = getattr(frame, name)
        target.paste(Image.fromarray(plane[rows, columns]), (0, 0), mask)
