"""The Milky Way over hills, turning; falling stars."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from liuying_demo.scenes.canvas import (
    Pixels,
    Stops,
    drawn,
    gradient,
    grid,
    mix,
    noise,
    rgb,
    smooth,
    stars,
)
from liuying_demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    plain_layer,
    plane_of,
    trimmed,
    vignette,
)
from liuying_demo.scenes.horizon import hills


@dataclass(frozen=True, kw_only=True)
class Night:
    """A starry sky that turns. `tent` puts a lit tent in the foreground, `meteors` how many fall in
    ten seconds.
    """

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
        ridge = hills(stage, round(stage.height * 0.86) & ~1, 0)
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
                    tent[1],
                    0.75 + 0.2 * math.sin(time * 7) * math.sin(time * 2.3),
                    (0, stage.height - tent[1].height),
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
    milky *= 1 - 0.75 * smooth(0.44, 0.6, dust) * np.exp(
        -(((across + 0.10 * (patches - 0.5)) / 0.06) ** 2)
    )
    field = (
        stars(stage.random, side, side, 0.0022)
        + stars(stage.random, side, side, 0.006) * band * 0.7
    )
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
    return sheet.transform(
        (width, height), Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR
    )


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
        np.exp(-(((rows - 10 - along * 40) / width) ** 2)) * along**2 * smooth(1.0, 0.97, along),
        np.float32,
    )


def _meteor(
    frame: Frame, trail: Image.Image, progress: float, x: float, y: float, size: float
) -> None:
    width, height = frame.size
    piece = trail.resize((round(240 * size), round(60 * size)), Image.Resampling.BILINEAR)
    left = round((0.05 + 0.7 * x) * width + progress * 260 * size) - piece.width // 2
    top = round((0.04 + 0.32 * y) * height + progress * 44 * size)
    frame.lighten(
        piece, math.sin(progress * math.pi), (min(max(left, 0), width - piece.width), top)
    )
