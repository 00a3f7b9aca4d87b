"""Looking out: a cat on the window sill, and the land that passes a train's window."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from liuying.demo.scenes.board import Board, Pencil
from liuying.demo.scenes.canvas import (
    Pixels,
    Stops,
    drawn,
    glow,
    gradient,
    grid,
    mix,
    rgb,
    smooth,
)
from liuying.demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    plane_of,
    to_layer,
    trimmed,
    vignette,
    wrapped,
)
from liuying.demo.scenes.weather import Snowfall, rain_texture


def cat_window(
    sky: Stops, town: tuple[str, str, str], frame_colour: str = "#2a1d2e", rim: str = "#ffc98a", weather: str = "clear"
) -> Scene:
    """A cat before a window over a town. `town`: its rows from far to near; `weather`: clear, rain or snow."""

    def draw(stage: Stage) -> Shot:
        view, lights = _town(stage, sky, town)
        window = _window_frame(stage, frame_colour, rim)
        cat = _Cat(stage, rim)
        rain = plane_of(rain_texture(stage.random, stage, 1.3)) if weather == "rain" else None
        snow = Snowfall(stage, 0.9) if weather == "snow" else None
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(view, 26 * time / stage.seconds, 0, (stage.width, stage.height))
            for number, plane in enumerate(lights):
                part = plane.crop(
                    (round(26 * time / stage.seconds), 0, stage.width + round(26 * time / stage.seconds), plane.height)
                )
                result.lighten(part, max(0.0, math.sin(time * (1.1 + 0.4 * number) + number * 2)))
            if rain:
                result.lighten(wrapped(rain, time * 190, -time * 1100, stage.width, stage.height), 0.5)
            if snow:
                snow.draw(result, time)
            result.draw(window)
            cat.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _town(stage: Stage, sky: Stops, town: tuple[str, str, str]) -> tuple[Layer, list[Image.Image]]:
    random, width, height = stage.random, stage.width + 30, stage.height
    picture = glow(gradient(sky, width, height), 0.66, 0.62, 0.16, "#ffd28a", 0.55, 1.8)
    columns, rows = grid(width, height)
    picture = mix(
        picture,
        rgb("#fff2cf"),
        smooth(0.1 * height, 0.1 * height - 3, np.hypot(columns - 0.66 * width, rows - 0.62 * height))[..., None],
    )
    for _ in range(6):
        x, y, long = (
            random.random() * width,
            (0.18 + 0.36 * random.random()) * height,
            (0.10 + 0.14 * random.random()) * width,
        )
        streak = np.exp(
            -(((columns - x) / long) ** 2) - ((rows - y - 6 * np.sin(columns / 90)) / (height * 0.013)) ** 2
        )
        picture = mix(picture, rgb("#ffdcc8"), (0.6 * streak)[..., None])
    lights = np.zeros((height, width), np.float32)
    unit = height / 422
    for index, colour in enumerate(town):
        x, ground = -20.0, (0.71 + 0.065 * index) * height
        while x < width:
            broad, tall = (34 + 46 * random.random()) * unit, (20 + (70 - 12 * index) * random.random()) * unit
            left, right, top = max(0, round(x)), min(width, round(x + broad)), round(ground - tall)
            fade = np.linspace(1.12, 0.86, height - top)[:, None, None]
            if right > left:
                picture[top:, left:right] = rgb(colour) * fade
                _panes(random, picture, lights, (left, right, top, round(ground + 50 * unit)), unit, index)
            x += broad + random.random() * 10 - 2
    patches = random.random((height // 10 + 1, width // 10 + 1)).repeat(10, 0).repeat(10, 1)[:height, :width]
    chosen = (patches < 0.25, patches > 0.75)
    return developed_layer(stage, picture), [plane_of((lights * part).astype(np.float32)) for part in chosen]


def _panes(
    random: np.random.Generator,
    picture: Pixels,
    lights: Pixels,
    box: tuple[int, int, int, int],
    unit: float,
    index: int,
) -> None:
    left, right, top, bottom = box
    step, pane = round(9 * unit), max(2, round(3.6 * unit))
    for y in range(top + step // 2, bottom, step + 3):
        for x in range(left + step // 2, right - pane - 1, step):
            if random.random() < 0.14 + 0.16 * index:
                picture[y : y + pane + 2, x : x + pane] = rgb("#ffe0a0") * (0.75 + 0.25 * random.random())
            elif random.random() < 0.25:
                lights[y : y + pane + 2, x : x + pane] = 0.45


def _window_frame(stage: Stage, colour: str, rim: str) -> Layer:
    board = Board(stage, colour)
    width, height = board.width, board.height
    bars = np.maximum.reduce(
        [
            smooth(44, 41, board.x),
            smooth(width - 44, width - 41, board.x),
            smooth(28, 25, board.y),
            smooth(height - 76, height - 73, board.y),
        ]
    )
    if not stage.is_portrait:
        bars = np.maximum(bars, smooth(15, 12.5, np.abs(board.x - width * 0.5)))
    bars = np.maximum(bars, smooth(8, 6, np.abs(board.y - height * 0.30)))
    board.fill(smooth(3.5, 1.5, np.abs(board.y - height + 76)), rim, 0.55)
    board.fill(smooth(height - 70, height, board.y), "#120b16", 0.6)
    x = width * (0.84 if not stage.is_portrait else 0.76)
    leaves = [
        (dx, -190 - 50 * math.cos(dx / 60), random)
        for dx, random in zip((-120, -74, -20, 30, 80, 128), board.stage.random.random(6), strict=True)
    ]

    def plant(ink: Pencil) -> None:
        for dx, dy, bend in leaves:
            points = [
                (x + dx * t**1.4, height - 170 + (dy * (1 - (1 - t) ** 2) + 90 * bend * t**3))
                for t in np.linspace(0, 1, 14)
            ]
            for number, (px, py) in enumerate(points):
                ink.disc(
                    px, py, 13 * math.sin(math.pi * min(1, (number + 2) / 14)) + 2, "#24523c" if dx < 20 else "#2f6a4a"
                )
        ink.polygon(
            [(x - 62, height - 72), (x - 48, height - 164), (x + 48, height - 164), (x + 62, height - 72)], "#a04c36"
        )
        ink.polygon(
            [(x + 8, height - 72), (x + 8, height - 164), (x + 48, height - 164), (x + 62, height - 72)], "#823a2a"
        )
        ink.polygon(
            [(x - 60, height - 182), (x + 60, height - 182), (x + 60, height - 158), (x - 60, height - 158)], "#c4674a"
        )

    mask = board.sketch(plant)
    return trimmed(board.layer(np.maximum(np.asarray(bars, np.float32), mask)))


class _Cat:
    """A sitting cat from behind: it breathes, its tail and ears move."""

    def __init__(self, stage: Stage, rim: str) -> None:
        unit = min(stage.width, stage.height) / 422
        if stage.is_portrait:
            unit *= 0.86
        self.unit, self.width, self.height = unit, round(330 * unit) & ~1, round(240 * unit) & ~1
        self.x, self.y = (
            stage.width * (0.30 if not stage.is_portrait else 0.34) - 110 * unit,
            stage.height - 44 * unit - 210 * unit,
        )
        self.body = self._made(self._body_points(), rim)
        self.tails = [self._tail(0.7 * math.sin(step / 24 * 2 * math.pi), rim) for step in range(24)]

    def _body_points(self) -> list[tuple[float, float]]:
        outline: list[tuple[float, float]] = []
        # Cubic curves from the left foot round the head to the right foot, in the units of the whole figure.
        curves = (
            ((-62, 0), (-76, -44), (-62, -90), (-35, -110)),
            ((-35, -110), (-46, -122), (-46, -138), (-43, -150)),
            ((-43, -150), (-42, -164), (-40, -178), (-37, -190)),
            ((-37, -190), (-29, -184), (-22, -176), (-15, -168)),
            ((-15, -168), (-5, -171), (9, -171), (18, -168)),
            ((18, -168), (25, -176), (33, -184), (41, -190)),
            ((41, -190), (44, -178), (46, -164), (46, -150)),
            ((46, -150), (49, -138), (49, -122), (40, -110)),
            ((40, -110), (66, -90), (78, -44), (66, 0)),
        )
        for first, second, third, last in curves:
            for t in np.linspace(0, 1, 12):
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
                points = (first, second, third, last)
                outline.append(
                    (
                        sum(w * p[0] for w, p in zip(weights, points, strict=True)),
                        sum(w * p[1] for w, p in zip(weights, points, strict=True)),
                    )
                )
        return outline

    def _made(self, points: list[tuple[float, float]], rim: str) -> Layer:
        def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
            pencil.polygon(
                [((x + 110) * self.unit * scale, (y + 210) * self.unit * scale) for x, y in points], fill=255
            )

        return self._lit(drawn(self.width, self.height, shape, 3), rim)

    def _tail(self, swing: float, rim: str) -> Layer:
        points = []
        for t in np.linspace(0, 1, 22):
            angle = -0.3 + 2.0 * t + swing * t * t
            points.append(
                (
                    50 + 84 * math.sin(min(angle, 1.4)) * t**0.7 + 26 * swing * t**2,
                    -12 + 16 * math.sin(t * 3.1) - 78 * t**2.4,
                )
            )

        def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
            for index, (x, y) in enumerate(points):
                for share in (0.0, 0.25, 0.5, 0.75):
                    nx, ny = points[min(index + 1, len(points) - 1)]
                    px, py = mix(x, nx, share), mix(y, ny, share)
                    reach = 8.5 * self.unit * scale
                    cx, cy = (px + 110) * self.unit * scale, (py + 210) * self.unit * scale
                    pencil.ellipse([cx - reach, cy - reach, cx + reach, cy + reach], fill=255)

        return self._lit(drawn(self.width, self.height, shape, 2), rim)

    def _lit(self, mask: Pixels, rim: str) -> Layer:
        """Dark, with an edge of light from the right."""
        inner = np.roll(mask, -max(1, round(2.2 * self.unit)), 1)
        edge = np.clip(mask - inner, 0, 1)
        picture = mix(np.broadcast_to(rgb("#1c1320"), (*mask.shape, 3)), rgb(rim), (edge * 0.9)[..., None])
        fur = 1 + 0.4 * smooth(0.9, 0.0, grid(self.width, self.height)[1] / self.height)[..., None]
        return to_layer(np.clip(picture * fur, 0, 1).astype(np.float32), mask)

    def draw(self, frame: Frame, time: float) -> None:
        breath = 0.7 * math.sin(time * 2.2)
        frame.draw(self.tails[int(time * 9) % len(self.tails)], self.x, self.y)
        frame.draw(self.body, self.x, self.y - breath)


def train_window(sky: Stops, hills: tuple[str, str], field: tuple[str, str], wall: str = "#3a2f38") -> Scene:
    """The land that passes a train's window, the near fastest. `field`: trees and grass."""

    def draw(stage: Stage) -> Shot:
        back = developed_layer(
            stage, glow(gradient(sky, stage.width, stage.height), 0.62, 0.5, 0.25, "#ffe0b0", 0.45, 1.7)
        )
        rows = (
            (0.52, 0.20, hills[0], 26, 9),
            (0.58, 0.15, hills[1], 62, 14),
            (0.66, 0.11, field[0], 190, 30),
            (0.74, 0.05, field[1], 460, 44),
        )
        belts = [(_belt(stage, *row[:3], row[4], number), row[3]) for number, row in enumerate(rows)]
        poles = _poles(stage)
        cabin = _cabin(stage, wall)
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for belt, pace in belts:
                offset = (time * pace * stage.height / 720) % belt.size[0]
                result.draw(belt, -offset, stage.height - belt.size[1], whole=pace > 100)
                result.draw(belt, belt.size[0] - offset, stage.height - belt.size[1], whole=pace > 100)
            span = stage.width * 1.9
            result.draw(
                poles, span - (time * 1150 * stage.height / 720 + 400) % (span + poles.size[0] * 2), 0, 0.9, whole=True
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
    speckle = 0.86 + 0.28 * random.random((*below.shape, 1)).astype(np.float32) if number >= 2 else 1.0
    return to_layer(np.clip(fade * speckle, 0, 1).astype(np.float32), np.clip(below, 0, 1).astype(np.float32))


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
    board.fill(np.asarray(curtain, np.float32), np.asarray(rgb("#a8452f") * pleats[..., None], np.float32))
    table = np.asarray(smooth(height - 74, height - 70, board.y), np.float32)
    board.fill(
        table,
        np.asarray(mix(rgb("#b98a5c"), rgb("#5e3c22"), smooth(height - 74, height, board.y)[..., None]), np.float32),
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
