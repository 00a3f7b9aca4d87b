"""Rain and snow, and lights out of focus behind them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from liuying_demo.scenes.canvas import (
    Pixels,
    Random,
    Stops,
    drawn,
    gradient,
    grid,
    noise,
    rgb,
    smooth,
)
from liuying_demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    plane_of,
    to_layer,
    vignette,
    wrapped,
)


@dataclass(frozen=True, kw_only=True)
class Bokeh:
    """Street lights out of focus, on wet ground. `colours` of the lights; `rain` its strength, 0
    for none.
    """

    base: Stops
    colours: tuple[str, ...]
    count: int = 52
    wet: bool = True
    rain: float = 1.0


def bokeh(view: Bokeh) -> Scene:
    """The scene of lights in the rain, seen through a pane with running drops."""

    def draw(stage: Stage) -> Shot:
        random = stage.random
        ground = gradient(view.base, stage.width, stage.height)
        if view.wet:
            sheen = noise(random, stage.width, stage.height, 20, 4, 0.6, 0.25)
            wet = smooth(0.6, 0.66, grid(stage.width, stage.height)[1] / stage.height)
            ground = ground * (1 - wet * (0.55 - 0.9 * sheen))[..., None]
        base = developed_layer(stage, ground)
        discs = [_Disc.made(view, stage) for _ in range(view.count)]
        curtains = [plane_of(rain_texture(random, stage, size)) for size in (0.7, 1.2)]
        drops = [_Drop(stage) for _ in range(round(26 * view.rain))]
        dark = vignette(stage.width, stage.height, 0.34)

        def frame(time: float) -> Frame:
            result = Frame(base)
            for disc in discs:
                disc.draw(result, stage, time)
            for number, texture in enumerate(curtains):
                if view.rain:
                    pace = (900, 1350)[number]
                    part = wrapped(
                        texture, time * pace * 0.18, -time * pace, stage.width, stage.height
                    )
                    result.lighten(part, (0.3, 0.42)[number] * view.rain)
            for drop in drops:
                drop.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def rain_texture(random: Random, stage: Stage, size: float) -> Pixels:
    """Slanted streaks on a sheet that repeats without a seam, a little larger than the stage."""
    width, height = stage.width + 64, stage.height + 64
    streaks = random.random((round(260 / size), 4))

    def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
        for x, y, length, light in streaks:
            long = (16 + 46 * length) * size
            for dx in (0, width):
                for dy in (0, height):
                    left, top = x * width - dx + long * 0.18, y * height - dy
                    line = [
                        left * scale,
                        top * scale,
                        (left - long * 0.18) * scale,
                        (top + long) * scale,
                    ]
                    pencil.line(
                        line, fill=int(50 + 150 * light), width=max(1, round(scale * size * 0.8))
                    )

    return drawn(width, height, shape, 2, 0.5)


@dataclass(frozen=True)
class _Disc:
    """A light out of focus."""

    layer: Layer
    mirror: Layer | None
    x: float
    y: float
    drift: float
    beat: float

    @classmethod
    def made(cls, view: Bokeh, stage: Stage) -> _Disc:
        random, unit = stage.random, max(stage.width, stage.height * 0.8)
        near = random.random()
        radius = (0.010 + 0.042 * near**2) * unit
        colour = rgb(view.colours[random.integers(len(view.colours))])
        size = math.ceil(radius * 2 + 6) & ~1
        columns, rows = grid(size, size)
        away = np.hypot(columns - size / 2 + 0.5, rows - size / 2 + 0.5)
        rim = smooth(radius + 1.5, radius - 1.5, away) * (
            0.55 + 0.45 * smooth(radius * 0.6, radius, away)
        )
        alpha = rim * (0.60 + 0.40 * random.random()) * (1 - 0.5 * near)
        y = stage.height * (0.47 + random.normal(0, 0.17 if not stage.is_portrait else 0.2))
        bright = np.broadcast_to(np.clip(colour * 1.15 + 0.08, 0, 1), (size, size, 3)).astype(
            np.float32
        )
        layer = to_layer(bright, alpha.astype(np.float32))
        mirror = (
            _reflection(colour, radius, stage) if view.wet and y < stage.height * 0.62 else None
        )
        drift, beat = (random.random() - 0.5) * (10 + 34 * near), random.random() * 6
        return cls(layer, mirror, random.random() * stage.width, y, drift, beat)

    def draw(self, frame: Frame, stage: Stage, time: float) -> None:
        strength = 0.78 + 0.3 * math.sin(time * (0.8 + self.beat * 0.25) + self.beat * 3)
        half = self.layer.size[0] / 2
        x = (self.x + self.drift * time) % stage.width
        frame.draw(self.layer, x - half, self.y - half, strength, whole=True)
        if self.mirror:
            y = (
                stage.height * 0.72
                + (stage.height * 0.62 - self.y) * 0.45
                - self.mirror.size[1] / 2
            )
            frame.draw(
                self.mirror,
                x - self.mirror.size[0] / 2 + 2 * math.sin(time * 5 + self.beat),
                y,
                strength,
                whole=True,
            )


def _reflection(colour: Pixels, radius: float, stage: Stage) -> Layer:
    width, height = math.ceil(radius * 4) & ~1, round(stage.height * 0.34) & ~1
    columns, rows = grid(width, height)
    across, down = (columns / width - 0.5) * 4, (rows / height - 0.5) * 2
    ripple = 0.75 + 0.25 * np.sin(rows * 0.55 + across)
    alpha = np.exp(-((across / 1.0) ** 2)) * np.exp(-((down / 0.45) ** 2)) * 0.5 * ripple
    picture = np.broadcast_to(np.clip(colour * 1.1, 0, 1), (height, width, 3)).astype(np.float32)
    return to_layer(picture, alpha.astype(np.float32))


class _Drop:
    """A drop on the pane: it rests, then runs down."""

    def __init__(self, stage: Stage) -> None:
        random = stage.random
        self.size = round(10 + 16 * random.random() ** 2) & ~1
        self.x, self.y = random.random() * stage.width, random.random() * stage.height
        self.height, self.rest, self.pace = (
            stage.height,
            random.random() * 3,
            30 + 120 * random.random(),
        )
        columns, rows = grid(self.size, round(self.size * 1.3) & ~1)
        dx, dy = columns / self.size - 0.5, rows / self.size / 1.3 - 0.5
        body = smooth(0.5, 0.40, np.hypot(dx, dy))
        light = (
            0.14
            + 0.8 * np.exp(-(((dx + 0.16) ** 2 + (dy + 0.2) ** 2) / 0.010))
            + 0.42 * smooth(0.05, 0.45, dy)
        )
        picture = np.broadcast_to(light[..., None] * rgb("#cfdcff"), (*light.shape, 3))
        self.layer = to_layer(
            np.clip(picture, 0, 1).astype(np.float32), (body * 0.62).astype(np.float32)
        )

    def draw(self, frame: Frame, time: float) -> None:
        running = max(0.0, time - self.rest) * self.pace
        y = (self.y + running) % (self.height + 40) - 20
        frame.draw(self.layer, self.x + 3 * math.sin(running / 40), y)


class Snowfall:
    """Snow in three distances that falls and drifts over a whole frame."""

    def __init__(self, stage: Stage, amount: float = 1.0) -> None:
        self.size = (stage.width, stage.height)
        self._sheets = [plane_of(self._flakes(stage, radius, amount)) for radius in (1.0, 1.9, 3.6)]

    @staticmethod
    def _flakes(stage: Stage, radius: float, amount: float) -> Pixels:
        width, height = stage.width + 32, stage.height + 32
        flakes = stage.random.random((round(amount * 420 / radius**1.35), 3))

        def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
            for x, y, light in flakes:
                reach, fill = radius * (0.7 + 0.6 * light) * scale, round(110 + 140 * light)
                left, top = (8 + x * (width - 16)) * scale, (8 + y * (height - 16)) * scale
                pencil.ellipse([left - reach, top - reach, left + reach, top + reach], fill=fill)

        return drawn(width, height, shape, 2, 0.3 + radius * 0.35)

    def draw(self, frame: Frame, time: float) -> None:
        """Add the flakes at a time in seconds."""
        for sheet, pace, sway in zip(self._sheets, (46, 84, 150), (10, 18, 30), strict=True):
            x = sway * math.sin(time * 0.9 + pace) - pace * 0.25 * time
            part = wrapped(sheet, x, -time * pace, *self.size)
            frame.lighten(part, 0.85)
            frame.tint(128, 128, part.resize(frame.blue.size, Image.Resampling.BOX))
