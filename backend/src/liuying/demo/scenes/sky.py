"""Night skies: northern lights, the turning Milky Way, a ringed planet, falling stars."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops, ImageDraw

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
    resized,
    rgb,
    smooth,
    stars,
)
from liuying.demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    plain_layer,
    plane_of,
    to_layer,
    trimmed,
    vignette,
    wrapped,
)
from liuying.demo.scenes.water import Water

SWAY = 480  # pixels that a curtain of light may travel


@dataclass(frozen=True, kw_only=True)
class Aurora:
    """Northern lights over a forest or a lake. `colours`: foot, middle and crown of the curtains."""

    colours: tuple[str, str, str] = ("#38f0a0", "#5fd3ff", "#b06bff")
    sky: Stops = ((0, "#050a1c"), (0.6, "#0d2140"), (0.85, "#1d4a5e"), (1, "#0a1420"))
    horizon: float = 0.78
    lake: bool = False


def aurora(view: Aurora) -> Scene:
    """The scene of northern lights."""

    def draw(stage: Stage) -> Shot:
        horizon = round((view.horizon - (0.12 if view.lake else 0)) * stage.height) & ~1
        picture = gradient(view.sky, stage.width, stage.height)
        sky = developed_layer(stage, picture + stars(stage.random, stage.width, stage.height)[..., None])
        curtains = [_curtain(view, stage, index) for index in range(4)]
        streaks = plane_of(0.35 + 0.65 * _streaks(stage))
        ridges = [_ridge(stage, horizon, 0), _ridge(stage, horizon, 1)]
        forest = conifers(stage, horizon, "#040a12")
        water = Water(stage, horizon, "#04101c", roughness=0.5, depth=0.35) if view.lake else None
        dark = vignette(stage.width, stage.height, 0.3)

        def frame(time: float) -> Frame:
            result = Frame(sky)
            for index, curtain in enumerate(curtains):
                pace = (26, -19, 34, -28)[index]
                x = -SWAY / 2 + pace * (time - stage.seconds / 2) * min(1.0, 9 / stage.seconds)
                strength = 0.78 + 0.22 * math.sin(time * 1.1 + index * 1.7)
                bright = ImageChops.multiply(
                    curtain.alpha or streaks, wrapped(streaks, time * 42 * (1 - 2 * (index % 2)), 0, *curtain.size)
                )
                result.draw(Layer(curtain.luma, curtain.blue, curtain.red, bright, curtain.alpha_half), x, 0, strength)
            for ridge in ridges:
                result.draw(ridge)
            if water:
                water.flow(result, time)
            else:
                result.draw(forest, -14 * time / stage.seconds, stage.height - forest.size[1])
            result.shade(dark)
            return result

        return frame

    return draw


def _curtain(view: Aurora, stage: Stage, index: int) -> Layer:
    random, width, height = stage.random, stage.width + SWAY, round(stage.height * 0.86) & ~1
    along = np.linspace(0, 1, width)
    wave = resized(random.random((2, 7)).astype(np.float32), width, 2)[0]
    fold = resized(random.random((2, 14)).astype(np.float32), width, 2)[0]
    ray = resized(random.random((2, 76)).astype(np.float32), width, 2)[0]
    foot = 0.30 + 0.38 * wave + 0.05 * index - 0.08 + 0.015 * np.sin(along * 60)
    above = foot[None] - grid(width, height)[1] / height
    rising = np.exp(-np.clip(above, 0, None) / (0.15 + 0.2 * fold[None])) * (above > 0)
    falling = np.exp(-((np.clip(-above, 0, None) / 0.018) ** 2)) * (above <= 0)
    strength = (rising + falling) * (0.3 + 0.7 * ray[None]) * (0.2 + 0.8 * fold[None])
    crown = rgb(view.colours[2 if index % 2 else 1])
    colour = mix(rgb(view.colours[0]), crown, smooth(0, 0.33, above)[..., None]) * 1.12
    return to_layer(np.asarray(colour, np.float32), np.clip(strength, 0, 0.95).astype(np.float32))


def _streaks(stage: Stage) -> Pixels:
    fine = resized(stage.random.random((2, 90)).astype(np.float32), 2048, 2)[0]
    edge = np.minimum(np.arange(2048), np.arange(2048)[::-1]) / 60
    return np.broadcast_to(mix(0.5, fine, np.clip(edge, 0, 1)), (stage.height, 2048)).astype(np.float32)


def _ridge(stage: Stage, horizon: int, near: int) -> Layer:
    width, height = stage.width, stage.height
    coarse = resized(stage.random.random((2, 9)).astype(np.float32), width, 2)[0]
    fine = resized(stage.random.random((2, 44)).astype(np.float32), width, 2)[0]
    high = (0.12, 0.07)[near] * height
    crest = horizon - high * 0.35 + near * 0.02 * height - high * (coarse - 0.5) - high * 0.35 * (fine - 0.5)
    crest = np.minimum(crest, horizon - 3)
    below = grid(width, height)[1] - crest[None]
    colour = mix(rgb(("#123247", "#0a1c2c")[near]), rgb("#050c16"), smooth(0, height * 0.3, below)[..., None])
    return trimmed(to_layer(np.asarray(colour, np.float32), np.clip(below, 0, 1).astype(np.float32)))


def conifers(stage: Stage, horizon: int, colour: str) -> Layer:
    """A dark forest along the lower edge, 20 pixels wider than the stage."""
    random, width = stage.random, (stage.width + 20) & ~1
    high = round((stage.height - horizon) + stage.height * 0.10) & ~1
    trees = []
    for _ in range(round(150 * width / 800)):
        x = random.random() * width
        edge = abs(x / width - 0.5) * 2
        tall = stage.height * (0.04 + 0.11 * random.random() * (0.4 + edge) * 1.2)
        trees.append((x, high - (stage.height - horizon) * (0.35 + 0.3 * random.random()), tall, random.random(7)))

    def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
        for x, y, tall, chances in trees:
            for step, chance in enumerate(chances):
                half, level = tall * 0.26 * (step / 7 + 0.12) * (0.8 + 0.4 * chance), y - tall + tall * step / 7
                points = [(x, level - tall * 0.12), (x - half, level + tall * 0.16), (x + half, level + tall * 0.16)]
                pencil.polygon([(px * scale, py * scale) for px, py in points], fill=255)
        pencil.rectangle([0, (high - (stage.height - horizon) * 0.42) * scale, width * scale, high * scale], fill=255)

    return plain_layer(rgb(colour), drawn(width, high, shape))


@dataclass(frozen=True, kw_only=True)
class Night:
    """A starry sky that turns. `tent` puts a lit tent in the foreground, `meteors` how many fall in ten seconds."""

    sky: Stops = ((0, "#060a1e"), (0.55, "#14224a"), (0.82, "#3c3f78"), (1, "#a0627c"))
    band: tuple[str, str] = ("#8fa6ff", "#ffd3b0")
    tent: bool = True
    meteors: int = 5
    turn: float = 1.1  # degrees a second
    ground: str = "#0a0a1a"


def night(view: Night) -> Scene:
    """The scene of the Milky Way over hills."""

    def draw(stage: Stage) -> Shot:
        side = round(math.hypot(stage.width, stage.height) * 1.06) & ~1
        heaven = _heaven(view, stage, side)
        base = developed_layer(stage, gradient(view.sky, stage.width, stage.height))
        ridge = _ridge(stage, round(stage.height * 0.86) & ~1, 0)
        hill = trimmed(plain_layer(rgb(view.ground), _hill(stage)))
        tent = _tent(stage) if view.tent else None
        meteors = [tuple(stage.random.random(4)) for _ in range(view.meteors)]
        trail = plane_of(_trail())
        dark = vignette(stage.width, stage.height, 0.3)

        def frame(time: float) -> Frame:
            result = Frame(base)
            turned = _turned(heaven, view.turn * time, stage.width, stage.height)
            result.luma = ImageChops.add(result.luma, turned)
            for start, x, y, size in meteors:
                since = (time + start * 10) % 10
                if since < 0.8:
                    _meteor(result, trail, since / 0.8, x, y, 0.6 + 0.6 * size)
            result.draw(ridge)
            result.draw(hill)
            if tent:
                result.draw(tent[0], round(stage.width * 0.16), stage.height - tent[0].size[1])
                result.lighten(
                    tent[1], 0.75 + 0.2 * math.sin(time * 7) * math.sin(time * 2.3), (0, stage.height - tent[1].height)
                )
            result.shade(dark)
            return result

        return frame

    return draw


def _heaven(view: Night, stage: Stage, side: int) -> Image.Image:
    """Stars and the Milky Way on a square sheet that is turned about its middle."""
    columns, rows = grid(side, side)
    across = (columns / side - 0.5) * 0.86 + (rows / side - 0.5) * 0.5
    patches = noise(stage.random, side, side, 6, 7, 0.56)
    dust = noise(stage.random, side, side, 10, 6, 0.56)
    band = np.exp(-((across / 0.12) ** 2))
    milky = band * patches**1.5 * 0.75
    milky *= 1 - 0.75 * smooth(0.44, 0.6, dust) * np.exp(-(((across + 0.10 * (patches - 0.5)) / 0.06) ** 2))
    field = stars(stage.random, side, side, 0.0022) + stars(stage.random, side, side, 0.006) * band * 0.7
    return plane_of((milky + field).astype(np.float32))


def _turned(sheet: Image.Image, degrees: float, width: int, height: int) -> Image.Image:
    """The middle of a square sheet turned about a pole above it."""
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), math.sin(angle)
    middle, pole_x, pole_y = sheet.width / 2, width * 0.5, height * 0.42
    matrix = (
        cosine,
        sine,
        middle - cosine * pole_x - sine * pole_y,
        -sine,
        cosine,
        middle + sine * pole_x - cosine * pole_y,
    )
    return sheet.transform((width, height), Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR)


def _hill(stage: Stage) -> Pixels:
    columns, rows = grid(stage.width, stage.height)
    x = columns / stage.width
    crest = 0.93 - 0.045 * np.sin(x * 3.3 + 0.6) - 0.012 * np.sin(x * 13) - 0.004 * np.sin(x * 41)
    return np.asarray(np.clip((rows - crest * stage.height) / 1.5, 0, 1), np.float32)


def _tent(stage: Stage) -> tuple[Layer, Image.Image]:
    size = round(stage.height * 0.26) & ~1
    width, height = round(size * 1.3) & ~1, round(size * 0.62) & ~1

    def wall(*points: tuple[float, float]) -> Pixels:
        def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
            pencil.polygon([(x * width * scale, y * height * scale) for x, y in points], fill=255)

        return drawn(width, height, shape, 4)

    front = wall((0.04, 0.72), (0.46, 0.06), (0.56, 0.74))
    side = wall((0.56, 0.74), (0.46, 0.06), (0.96, 0.70))
    door = wall((0.30, 0.73), (0.44, 0.20), (0.46, 0.735))
    rows = grid(width, height)[1][..., None] / height
    picture = mix(rgb("#ffcf85"), rgb("#f28a34"), rows * 1.1) * front[..., None]
    picture = picture + mix(rgb("#e08a45"), rgb("#9a4a20"), rows) * side[..., None]
    picture = mix(picture, rgb("#fff0c4"), door[..., None])
    layer = developed_layer(stage, picture.astype(np.float32), np.clip(front + side, 0, 1))
    glow_height = round(stage.height * 0.4) & ~1
    columns, lines = grid(stage.width, glow_height)
    x, y = stage.width * 0.16 + width * 0.48, glow_height - height * 0.5
    away = np.hypot(columns - x, (lines - y) * 1.3) / stage.height
    return layer, plane_of((0.42 * np.exp(-((away / 0.13) ** 2))).astype(np.float32))


def _trail() -> Pixels:
    columns, rows = grid(240, 60)
    along = columns / 240
    width = 0.6 + 1.5 * along
    return np.asarray(
        np.exp(-(((rows - 10 - along * 40) / width) ** 2)) * along**2 * smooth(1.0, 0.97, along), np.float32
    )


def _meteor(frame: Frame, trail: Image.Image, progress: float, x: float, y: float, size: float) -> None:
    width, height = frame.size
    piece = trail.resize((round(240 * size), round(60 * size)), Image.Resampling.BILINEAR)
    left = round((0.05 + 0.7 * x) * width + progress * 260 * size) - piece.width // 2
    top = round((0.04 + 0.32 * y) * height + progress * 44 * size)
    frame.lighten(piece, math.sin(progress * math.pi), (min(max(left, 0), width - piece.width), top))


def planet(surface: tuple[str, str], ring: str | None, nebula: tuple[str, str], tilt: float = 0.35) -> Scene:
    """A planet that turns before nebulas. `surface`: its two colours; `ring`: colour of its rings, or None."""

    def draw(stage: Stage) -> Shot:
        random, width, height = stage.random, stage.width, stage.height
        sky = gradient(((0, "#05060f"), (1, "#0d1230")), width + 80, height)
        for colour, cells in zip(nebula, (4, 3), strict=True):
            cloud = smooth(0.45, 0.82, noise(random, width + 80, height, cells, 6, 0.55))
            sky = sky + (cloud * 0.42)[..., None] * rgb(colour)
        back = developed_layer(stage, glow(sky, 0.28, 0.3, 0.05, "#cfe0ff", 0.5, 2.4))
        dust = plane_of(stars(random, width + 80, height, 0.0022))
        globe = _Globe(stage, random, surface, ring, tilt)
        dark = vignette(width, height, 0.3)

        def frame(time: float) -> Frame:
            result = Frame(back, 20 * time / stage.seconds, 0, (width, height))
            slide = round(64 * time / stage.seconds)
            result.lighten(dust.crop((slide, 0, slide + width, height)))
            globe.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


class _Globe:
    """A lit ball whose bands move round, with rings before and behind it."""

    def __init__(self, stage: Stage, random: Random, surface: tuple[str, str], ring: str | None, tilt: float) -> None:
        radius = 0.36 * min(stage.height, stage.width * 0.75)
        self.size = round(radius * 4.7) & ~1
        self.x, self.y = stage.width * 0.60 - self.size / 2, stage.height * 0.54 - self.size / 2
        columns, rows = grid(self.size, self.size)
        dx, dy = (columns - self.size / 2) / radius, (rows - self.size / 2) / radius
        self._build_ball(random, surface, dx, dy, tilt)
        self._rings(ring, dx, dy, tilt)

    def _build_ball(self, random: Random, surface: tuple[str, str], dx: Pixels, dy: Pixels, tilt: float) -> None:
        ball = np.clip(1 - dx * dx - dy * dy, 0, 1)
        depth = np.sqrt(ball)
        light = np.clip(dx * -0.62 + dy * -0.45 + depth * 0.6, 0, 1) * 1.12 + 0.035
        self._inside = np.nonzero((dx * dx + dy * dy).ravel() <= 1.0)[0]
        latitude = dy * math.cos(tilt) + dx * math.sin(tilt)
        longitude = np.arcsin(
            np.clip((dx * math.cos(tilt) - dy * math.sin(tilt)) / np.sqrt(np.clip(1 - latitude**2, 0.02, 1)), -1, 1)
        )
        row = np.clip((latitude + 1) / 2 * 255, 0, 255).astype(np.int32)
        self._row = (row.ravel()[self._inside] << 9).astype(np.int32)
        self._column = ((longitude / (2 * math.pi)) * 512).astype(np.int32).ravel()[self._inside]
        swirl = resized(noise(random, 512, 256, 5, 6, 0.55, 1.0), 512, 256)
        swirl = mix(swirl, swirl[:, ::-1], np.linspace(1, 0, 512)[None] * 0.5)
        bands = 0.5 + 0.5 * np.sin(np.linspace(-1, 1, 256)[:, None] * 17 + swirl * 7)
        colours = mix(rgb(surface[0]), rgb(surface[1]), bands[..., None]) * (0.72 + 0.5 * swirl[..., None])
        skin = to_layer(np.asarray(colours, np.float32))
        self._skin = np.asarray(skin.luma).ravel()
        self._light = np.asarray(light.ravel()[self._inside] * 256, np.int32)
        edge = smooth(1.0, 0.985, np.sqrt(dx * dx + dy * dy))
        hue = np.asarray(mix(rgb(surface[0]), rgb(surface[1]), 0.5) * np.clip(light, 0, 1)[..., None], np.float32)
        self._ball = to_layer(hue, np.asarray(edge, np.float32))

    def _rings(self, ring: str | None, dx: Pixels, dy: Pixels, tilt: float) -> None:
        self._front: Layer | None = None
        self._back: Layer | None = None
        if ring is None:
            return
        along = dx * math.cos(-tilt) - dy * math.sin(-tilt)
        across = dx * math.sin(-tilt) + dy * math.cos(-tilt)
        away = np.sqrt(along**2 + (across / 0.26) ** 2)
        strength = (
            smooth(1.3, 1.36, away)
            * smooth(2.15, 2.08, away)
            * (0.55 + 0.45 * np.sin(away * 42 + np.sin(away * 13) * 3))
        )
        strength *= 1 - 0.8 * smooth(1.72, 1.74, away) * smooth(1.82, 1.8, away)
        shadow = 1 - 0.85 * smooth(0.1, 0.4, along * 0.62 - 0.1) * (across < 0)
        colour = np.asarray(rgb(ring) * shadow[..., None], np.float32)
        self._back = to_layer(colour, np.asarray(strength * (across < 0) * 0.8, np.float32))
        self._front = to_layer(colour, np.asarray(strength * (across >= 0) * 0.88, np.float32))

    def draw(self, frame: Frame, time: float) -> None:
        if self._back:
            frame.draw(self._back, self.x, self.y)
        luma = np.zeros(self.size * self.size, np.uint8)
        column = (self._column + round(time * 17)) & 511
        luma[self._inside] = np.minimum((self._skin.take(self._row | column) * self._light) >> 8, 255)
        face = Image.fromarray(luma.reshape(self.size, self.size))
        frame.draw(
            Layer(face, self._ball.blue, self._ball.red, self._ball.alpha, self._ball.alpha_half), self.x, self.y
        )
        if self._front:
            frame.draw(self._front, self.x, self.y)
