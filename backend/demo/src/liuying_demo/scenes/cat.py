"""A cat before a window. The file is long because all that is drawn of it stands together."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Pixels, Stops, drawn, glow, gradient, grid, mix, rgb, smooth
from liuying_demo.scenes.film import (
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
from liuying_demo.scenes.weather import Snowfall, rain_texture


def cat_window(
    sky: Stops,
    town: tuple[str, str, str],
    frame_colour: str = "#2a1d2e",
    rim: str = "#ffc98a",
    weather: str = "clear",
) -> Scene:
    """A cat before a window over a town. `town`: its rows from far to near; `weather`: clear, rain
    or snow.
    """

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
                    (
                        round(26 * time / stage.seconds),
                        0,
                        stage.width + round(26 * time / stage.seconds),
                        plane.height,
                    )
                )
                result.lighten(part, max(0.0, math.sin(time * (1.1 + 0.4 * number) + number * 2)))
            if rain:
                result.lighten(
                    wrapped(rain, time * 190, -time * 1100, stage.width, stage.height), 0.5
                )
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
        smooth(
            0.1 * height, 0.1 * height - 3, np.hypot(columns - 0.66 * width, rows - 0.62 * height)
        )[..., None],
    )
    for _ in range(6):
        x, y, long = (
            random.random() * width,
            (0.18 + 0.36 * random.random()) * height,
            (0.10 + 0.14 * random.random()) * width,
        )
        streak = np.exp(
            -(((columns - x) / long) ** 2)
            - ((rows - y - 6 * np.sin(columns / 90)) / (height * 0.013)) ** 2
        )
        picture = mix(picture, rgb("#ffdcc8"), (0.6 * streak)[..., None])
    lights = np.zeros((height, width), np.float32)
    unit = height / 422
    for index, colour in enumerate(town):
        x, ground = -20.0, (0.71 + 0.065 * index) * height
        while x < width:
            broad, tall = (
                (34 + 46 * random.random()) * unit,
                (20 + (70 - 12 * index) * random.random()) * unit,
            )
            left, right, top = max(0, round(x)), min(width, round(x + broad)), round(ground - tall)
            fade = np.linspace(1.12, 0.86, height - top)[:, None, None]
            if right > left:
                picture[top:, left:right] = rgb(colour) * fade
                _panes(
                    random,
                    picture,
                    lights,
                    (left, right, top, round(ground + 50 * unit)),
                    unit,
                    index,
                )
            x += broad + random.random() * 10 - 2
    patches = (
        random.random((height // 10 + 1, width // 10 + 1))
        .repeat(10, 0)
        .repeat(10, 1)[:height, :width]
    )
    chosen = (patches < 0.25, patches > 0.75)
    return developed_layer(stage, picture), [
        plane_of((lights * part).astype(np.float32)) for part in chosen
    ]


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
                picture[y : y + pane + 2, x : x + pane] = rgb("#ffe0a0") * (
                    0.75 + 0.25 * random.random()
                )
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
        for dx, random in zip(
            (-120, -74, -20, 30, 80, 128), board.stage.random.random(6), strict=True
        )
    ]

    def plant(ink: Pencil) -> None:
        for dx, dy, bend in leaves:
            points = [
                (x + dx * t**1.4, height - 170 + (dy * (1 - (1 - t) ** 2) + 90 * bend * t**3))
                for t in np.linspace(0, 1, 14)
            ]
            for number, (px, py) in enumerate(points):
                ink.disc(
                    px,
                    py,
                    13 * math.sin(math.pi * min(1, (number + 2) / 14)) + 2,
                    "#24523c" if dx < 20 else "#2f6a4a",
                )
        ink.polygon(
            [
                (x - 62, height - 72),
                (x - 48, height - 164),
                (x + 48, height - 164),
                (x + 62, height - 72),
            ],
            "#a04c36",
        )
        ink.polygon(
            [
                (x + 8, height - 72),
                (x + 8, height - 164),
                (x + 48, height - 164),
                (x + 62, height - 72),
            ],
            "#823a2a",
        )
        ink.polygon(
            [
                (x - 60, height - 182),
                (x + 60, height - 182),
                (x + 60, height - 158),
                (x - 60, height - 158),
            ],
            "#c4674a",
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
        self.tails = [
            self._tail(0.7 * math.sin(step / 24 * 2 * math.pi), rim) for step in range(24)
        ]

    def _body_points(self) -> list[tuple[float, float]]:
        outline: list[tuple[float, float]] = []
        # Cubic curves from the left foot round the head to the right foot, in the units of the
        # whole figure.
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
                [((x + 110) * self.unit * scale, (y + 210) * self.unit * scale) for x, y in points],
                fill=255,
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
        picture = mix(
            np.broadcast_to(rgb("#1c1320"), (*mask.shape, 3)), rgb(rim), (edge * 0.9)[..., None]
        )
        fur = 1 + 0.4 * smooth(0.9, 0.0, grid(self.width, self.height)[1] / self.height)[..., None]
        return to_layer(np.clip(picture * fur, 0, 1).astype(np.float32), mask)

    def draw(self, frame: Frame, time: float) -> None:
        breath = 0.7 * math.sin(time * 2.2)
        frame.draw(self.tails[int(time * 9) % len(self.tails)], self.x, self.y)
        frame.draw(self.body, self.x, self.y - breath)
