"""Rain on the city, lights out of focus, snow, lanterns that rise, fireworks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from liuying.demo.scenes.canvas import (
    Pixels,
    Random,
    Stops,
    drawn,
    glow,
    gradient,
    grid,
    mix,
    noise,
    rgb,
    smooth,
)
from liuying.demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    chroma_of,
    developed_layer,
    plane_of,
    to_layer,
    vignette,
    wrapped,
)


@dataclass(frozen=True, kw_only=True)
class Bokeh:
    """Street lights out of focus, on wet ground. `colours` of the lights; `rain` its strength, 0 for none."""

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
                    part = wrapped(texture, time * pace * 0.18, -time * pace, stage.width, stage.height)
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
                    line = [left * scale, top * scale, (left - long * 0.18) * scale, (top + long) * scale]
                    pencil.line(line, fill=int(50 + 150 * light), width=max(1, round(scale * size * 0.8)))

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
        rim = smooth(radius + 1.5, radius - 1.5, away) * (0.55 + 0.45 * smooth(radius * 0.6, radius, away))
        alpha = rim * (0.36 + 0.52 * random.random()) * (1 - 0.62 * near)
        y = stage.height * (0.47 + random.normal(0, 0.17 if not stage.is_portrait else 0.2))
        bright = np.broadcast_to(np.clip(colour * 1.15 + 0.08, 0, 1), (size, size, 3)).astype(np.float32)
        layer = to_layer(bright, alpha.astype(np.float32))
        mirror = _reflection(colour, radius, stage) if view.wet and y < stage.height * 0.62 else None
        drift, beat = (random.random() - 0.5) * (10 + 34 * near), random.random() * 6
        return cls(layer, mirror, random.random() * stage.width, y, drift, beat)

    def draw(self, frame: Frame, stage: Stage, time: float) -> None:
        strength = 0.78 + 0.3 * math.sin(time * (0.8 + self.beat * 0.25) + self.beat * 3)
        half = self.layer.size[0] / 2
        x = (self.x + self.drift * time) % stage.width
        frame.draw(self.layer, x - half, self.y - half, strength, whole=True)
        if self.mirror:
            y = stage.height * 0.72 + (stage.height * 0.62 - self.y) * 0.45 - self.mirror.size[1] / 2
            frame.draw(
                self.mirror, x - self.mirror.size[0] / 2 + 2 * math.sin(time * 5 + self.beat), y, strength, whole=True
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
        self.height, self.rest, self.pace = stage.height, random.random() * 3, 30 + 120 * random.random()
        columns, rows = grid(self.size, round(self.size * 1.3) & ~1)
        dx, dy = columns / self.size - 0.5, rows / self.size / 1.3 - 0.5
        body = smooth(0.5, 0.40, np.hypot(dx, dy))
        light = 0.14 + 0.8 * np.exp(-(((dx + 0.16) ** 2 + (dy + 0.2) ** 2) / 0.010)) + 0.42 * smooth(0.05, 0.45, dy)
        picture = np.broadcast_to(light[..., None] * rgb("#cfdcff"), (*light.shape, 3))
        self.layer = to_layer(np.clip(picture, 0, 1).astype(np.float32), (body * 0.62).astype(np.float32))

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


def lanterns(base: Stops, colours: tuple[str, str], count: int = 34, *, floating: bool = True) -> Scene:
    """Paper lanterns: rising into the night, or hanging and swaying. `colours`: paper and light."""

    def draw(stage: Stage) -> Shot:
        random = stage.random
        picture = gradient(base, stage.width, stage.height)
        picture = glow(picture, 0.5, 1.02, 0.5, colours[0], 0.30, 1.5)
        back = developed_layer(stage, picture)
        smallest, spread, power = (0.035, 0.17, 2.6) if floating else (0.10, 0.2, 1.6)
        sizes = sorted(smallest + spread * random.random() ** power for _ in range(count))
        flock = []
        for size in sizes:
            kind = _paper_lantern(stage, size, colours, floating)
            flock.append((kind, *random.random(4), size))
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for layer, x, y, beat, pace, size in flock:
                sway = math.sin(time * (0.6 + beat * 0.7) + beat * 9)
                rise = time * (14 + 190 * size + 14 * pace) if floating else 5 * sway
                span = stage.height + layer.size[1]
                top = (y * span - rise) % span - layer.size[1] if floating else (y * 0.55 - 0.06) * stage.height + rise
                flicker = 0.93 + 0.07 * math.sin(time * (6 + 3 * beat) + beat * 20)
                result.draw(layer, x * stage.width * 1.1 - layer.size[0] * 0.55 + sway * (5 + 60 * size), top, flicker)
            result.shade(dark)
            return result

        return frame

    return draw


def _paper_lantern(stage: Stage, size: float, colours: tuple[str, str], floating: bool) -> Layer:
    high = round(size * stage.height * (0.62 if stage.is_portrait else 1)) & ~1
    side = round(high * 2.6) & ~1
    columns, rows = grid(side, side)
    dx, dy = (columns - side / 2) / high, (rows - side / 2) / high
    if floating:
        half = 0.30 + 0.10 * np.clip(0.3 - dy, -0.5, 0.6) - 0.5 * np.clip(-dy - 0.36, 0, 1) ** 1.0
        body = smooth(0.03, -0.01, np.abs(dx) - half) * smooth(0.5, 0.47, np.abs(dy))
        light = 0.5 + 0.75 * smooth(-0.5, 0.5, dy) - 0.35 * (np.abs(dx) / np.maximum(half, 0.1)) ** 2
        ribs = 1 - 0.07 * (np.abs(((dx / np.maximum(half, 0.1)) * 1.5) % 1 - 0.5) < 0.05)
    else:
        half = 0.52 * np.sqrt(np.clip(1 - (dy / 0.42) ** 2, 0, 1))
        body = smooth(0.02, -0.01, np.abs(dx) - half) * smooth(0.40, 0.385, np.abs(dy))
        light = 0.55 + 0.6 * np.exp(-((dx / 0.3) ** 2 + (dy / 0.3) ** 2)) - 0.2 * np.abs(dy)
        ribs = 1 - 0.16 * (np.abs(((dx / np.maximum(half, 0.05)) * 3) % 1 - 0.5) < 0.06)
    hue = mix(rgb(colours[0]), rgb(colours[1]), np.clip(light - 0.35, 0, 1)[..., None])
    halo = 0.34 * np.exp(-((np.hypot(dx, dy) / 0.62) ** 2))
    picture = mix(
        np.broadcast_to(rgb(colours[1]), (side, side, 3)), hue * (0.5 + 0.62 * light * ribs)[..., None], body[..., None]
    )
    alpha = np.maximum(body * 0.98, halo)
    if not floating:
        caps = smooth(0.17, 0.15, np.abs(dx)) * ((np.abs(np.abs(dy) - 0.42)) < 0.035)
        tassel = ((np.abs(dx) < 0.10) & (dy > 0.44) & (dy < 0.80)) * (0.5 + 0.5 * np.sin(dx * 190))
        cord = (np.abs(dx) < 0.008) & (dy < -0.42)
        picture = mix(picture, rgb("#d6a046"), np.clip(caps + tassel, 0, 1)[..., None])
        picture = mix(picture, rgb("#3a1014"), cord[..., None].astype(np.float32))
        alpha = np.maximum.reduce([alpha, caps, tassel * 0.8, cord * 0.9])
    return to_layer(np.clip(picture, 0, 1).astype(np.float32), np.clip(alpha, 0, 1).astype(np.float32))


def fireworks(base: Stops, colours: tuple[str, ...], shells: int = 9) -> Scene:
    """Fireworks that burst over a dark horizon, the sparks falling and fading."""

    def draw(stage: Stage) -> Shot:
        random, unit = stage.random, min(stage.width, stage.height)
        back = developed_layer(stage, gradient(base, stage.width, stage.height))
        bursts = []
        for index in range(shells):
            start = index / shells * max(5.0, stage.seconds) - 1.2 + 0.5 * random.random()
            place = ((0.12 + 0.76 * random.random()) * stage.width, (0.14 + 0.36 * random.random()) * stage.height)
            angles = random.random(150) * 2 * math.pi
            reach = (0.55 + 0.45 * random.random(150) ** 0.5) * unit * (0.26 + 0.16 * random.random())
            bursts.append(
                (start, place, np.cos(angles) * reach, np.sin(angles) * reach, rgb(colours[index % len(colours)]))
            )
        dark = vignette(stage.width, stage.height, 0.3)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for start, place, along, down, colour in bursts:
                age = (time - start) % max(5.0, stage.seconds)
                if age < 2.6:
                    _burst(result, age, place, (along, down), colour)
            result.shade(dark)
            return result

        return frame

    return draw


def _burst(frame: Frame, age: float, place: tuple[float, float], spread: tuple[Pixels, Pixels], colour: Pixels) -> None:
    """One shell: every spark a line from where it was to where it is."""
    width, height = frame.size
    sheet = Image.new("L", (width, height), 0)
    pencil = ImageDraw.Draw(sheet)
    fade = max(0.0, 1 - age / 2.6) ** 1.3

    def at(moment: float) -> tuple[Pixels, Pixels]:
        eased = 1 - math.exp(-2.6 * max(0.0, moment))
        return place[0] + spread[0] * eased, place[1] + spread[1] * eased + 26 * moment * moment

    old, new = at(age - 0.22), at(age)
    for x0, y0, x1, y1 in zip(*old, *new, strict=True):
        pencil.line((x0, y0, x1, y1), fill=round(255 * fade), width=2)
        pencil.ellipse((x1 - 1.5, y1 - 1.5, x1 + 1.5, y1 + 1.5), fill=round(255 * min(1.0, fade * 1.4)))
    halo = sheet.resize((width // 2, height // 2), Image.Resampling.BOX)
    soft = halo.resize((width // 8, height // 8), Image.Resampling.BOX).resize(halo.size, Image.Resampling.BILINEAR)
    frame.lighten(sheet)
    frame.lighten(soft.resize((width, height), Image.Resampling.BILINEAR), 0.8)
    mask = soft.point([min(255, value * 4) for value in range(256)])
    frame.tint(*chroma_of(colour), mask)
