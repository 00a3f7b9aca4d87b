"""A skyline across a river: windows that go on and off, boats, and light on the water."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image

from liuying_demo.scenes.canvas import (
    Pixels,
    Random,
    Stops,
    blurred,
    cloud_cover,
    developed,
    glow,
    gradient,
    grid,
    mix,
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
    plane_of,
    to_layer,
    trimmed,
    vignette,
)
from liuying_demo.scenes.water import Water

TRAVEL = 110  # pixels that the nearest row of houses moves in a shot


@dataclass(frozen=True, kw_only=True)
class City:
    """A city at an hour. Colours `#rrggbb`.

    Attributes:
        sky: Gradient of the sky down to the water.
        haze: Colour of the farthest houses, `dark` of the nearest.
        glow: Light over the streets.
        windows: Colours of the lit windows; `lit` the share of lit ones.
        tower: Whether a television tower rises above the houses.
    """

    sky: Stops
    horizon: float = 0.68
    haze: str = "#3a3f6b"
    dark: str = "#0b0f22"
    glow: str = "#ff7b5a"
    windows: tuple[str, ...] = ("#ffd08a", "#ffe9c2", "#9fd0ff")
    lit: float = 0.5
    rows: int = 4
    tower: bool = True
    clouds: tuple[str, str] | None = None
    starry: bool = False
    deep: str = "#070b1a"


@dataclass(frozen=True)
class _Row:
    """One row of houses, with two planes of windows that change."""

    houses: Layer
    changing: tuple[Image.Image, Image.Image]
    top: int
    travel: float


def city(view: City) -> Scene:
    """The scene of a city."""

    def draw(stage: Stage) -> Shot:
        horizon = round(view.horizon * stage.height) & ~1
        sky, clouds = _sky(view, stage), _clouds(view, stage, horizon)
        rows = [_row(view, stage, horizon, (index + 1) / view.rows) for index in range(view.rows)]
        water = Water(stage, horizon, view.deep, roughness=0.62, depth=0.42)
        boats = [_boat(stage, colour) for colour in ("#ffd27a", "#ff8fa8", "#8fd8ff")]
        dark = vignette(stage.width, stage.height, 0.42)

        def frame(time: float) -> Frame:
            picture = Frame(sky)
            if clouds:
                picture.draw(clouds, -16 - 15 * time, 0)
            for index, row in enumerate(rows):
                _draw_row(picture, row, stage, time, index)
            water.flow(picture, time)
            for index, boat in enumerate(boats):
                pace = (46, -34, 62)[index] * stage.width / 1280
                x = ((0.12, 0.75, -0.18)[index] * stage.width + pace * time) % (
                    stage.width + 240
                ) - 200
                picture.draw(boat, x, horizon + stage.height * (0.012, 0.055, 0.11)[index])
            picture.shade(dark)
            return picture

        return frame

    return draw


def _sky(view: City, stage: Stage) -> Layer:
    picture = glow(
        gradient(view.sky, stage.width, stage.height), 0.5, view.horizon, 0.5, view.glow, 0.35, 1.4
    )
    if view.starry:
        rows = grid(stage.width, stage.height)[1] / stage.height
        picture = (
            picture
            + (stars(stage.random, stage.width, stage.height) * smooth(0.5, 0.05, rows))[..., None]
        )
    return developed_layer(stage, picture)


def _clouds(view: City, stage: Stage, horizon: int) -> Layer | None:
    if view.clouds is None:
        return None
    opacity, shade = cloud_cover(stage.random, stage.width + 320, horizon, 0.86, 0.47, 2.6)
    return to_layer(
        mix(rgb(view.clouds[0]), rgb(view.clouds[1]), shade[..., None]).astype(np.float32),
        opacity * 0.6,
    )


def _row(view: City, stage: Stage, horizon: int, near: float) -> _Row:
    """Houses of one distance: `near` is 0 for the farthest and 1 for the nearest."""
    random, width = stage.random, stage.width + TRAVEL + 2
    picture = np.zeros((horizon, width, 3), np.float32)
    alpha = np.zeros((horizon, width), np.float32)
    lights = np.zeros((horizon, width), np.float32)
    base = mix(rgb(view.haze), rgb(view.dark), near**0.8)
    unit = stage.height / 450 * (0.85 if stage.is_portrait else 1)
    x = -10.0
    while x < width:
        broad = round(mix(16, 50, near) * unit * (0.6 + 0.9 * random.random()))
        envelope = 0.55 + 0.45 * math.exp(-(((x / width - 0.55) / 0.28) ** 2))
        tall = mix(0.37, 0.31, near) * (0.35 + 0.65 * random.random()) * envelope
        tall = round(tall * stage.height * (1.18 if random.random() < 0.14 else 1))
        left, right = max(0, round(x)), min(width, round(x) + broad)
        if right - left > 3:
            _house(
                view,
                random,
                (picture, alpha, lights),
                (left, right, horizon - tall),
                base,
                near,
                unit,
            )
        x += broad + random.random() * 3
    if view.tower and 0.6 < near < 0.9:
        _tower(picture, alpha, lights, 0.62 * width, horizon, stage)
    shining = blurred(picture, 7 * unit)
    picture = developed(picture + np.clip(shining - 0.10, 0, 1) * 1.1, random, 1.05, 1.2)
    top = int(np.argmax(lights.any(1)))
    return _Row(
        trimmed(to_layer(picture, alpha)),
        _changing(random, lights[top:]),
        top,
        TRAVEL * (0.12 + 0.88 * near**1.6),
    )


def _house(
    view: City,
    random: Random,
    sheets: tuple[Pixels, Pixels, Pixels],
    box: tuple[int, int, int],
    base: Pixels,
    near: float,
    unit: float,
) -> None:
    picture, alpha, lights = sheets
    left, right, top = box
    horizon = picture.shape[0]
    fall = np.linspace(0, 1, horizon - top)[:, None, None]
    body = base * (1.0 - 0.25 * random.random())
    picture[top:, left:right] = mix(body, mix(base, rgb(view.glow), 0.2), fall**2)
    picture[top:, left : left + max(1, round(unit))] *= 1.25
    alpha[top:, left:right] = 1
    if random.random() < 0.3 and right - left > 14 * unit:
        mast, middle = round((6 + 18 * near * random.random()) * unit), (left + right) // 2
        picture[top - mast : top, middle : middle + 2] = base
        alpha[top - mast : top, middle : middle + 2] = 1
    step, pane = round((3 + 3 * near) * unit), max(1, round((1 + 1.2 * near) * unit))
    share = view.lit * (0.3 + 0.7 * random.random())
    colour = rgb(view.windows[random.integers(len(view.windows))])
    for row in range(top + step, horizon - 2 - pane, step + round(near * unit)):
        for column in range(left + step // 2 + 1, right - pane, step):
            if random.random() < share:
                bright = (0.35 + 0.65 * random.random()) * mix(0.5, 1, near)
                pane_box = (slice(row, row + pane), slice(column, column + pane))
                picture[pane_box] = mix(picture[pane_box], colour, bright)
                lights[pane_box] = bright


def _tower(
    picture: Pixels, alpha: Pixels, lights: Pixels, x: float, horizon: int, stage: Stage
) -> None:
    top, unit = round(0.16 * stage.height), stage.height / 450
    for row in range(top, horizon):
        share = (row - top) / (horizon - top)
        half = 0.8 + share * 5 * unit
        part = (row, slice(int(x - half), int(x + half) + 1))
        picture[part] = mix(rgb("#ffb08a"), rgb("#6b3a6e"), share)
        alpha[part] = 1
    columns, rows = grid(picture.shape[1], picture.shape[0])
    for place, radius in ((0.34, 9), (0.5, 13)):
        away = np.hypot(columns - x, rows - place * stage.height)
        ball = smooth(radius * unit + 1, radius * unit - 1, away)
        shine = np.exp(
            -(
                ((columns - x + 3 * unit) ** 2 + (rows - place * stage.height + 3 * unit) ** 2)
                / (5 * unit) ** 2
            )
        )
        picture[:] = mix(
            picture, mix(rgb("#d8507e"), rgb("#ffd0c8"), shine[..., None]), ball[..., None]
        )
        np.maximum(alpha, ball, out=alpha)
        lights[:] = np.maximum(lights, ball * (shine * 0.5))


def _changing(random: Random, lights: Pixels) -> tuple[Image.Image, Image.Image]:
    """Two sets of windows, each about a fifth of all, picked in small patches."""
    height, width = lights.shape
    patches = (
        random.random((height // 8 + 1, width // 8 + 1)).repeat(8, 0).repeat(8, 1)[:height, :width]
    )
    return plane_of(lights * (patches < 0.2) * 0.9), plane_of(lights * (patches > 0.8) * 0.9)


def _draw_row(frame: Frame, row: _Row, stage: Stage, time: float, index: int) -> None:
    x = -row.travel * time / stage.seconds
    frame.draw(row.houses, x, 0)
    for number, lights in enumerate(row.changing):
        gain = max(0.0, math.sin(time * (1.7 + 0.5 * number) + index * 1.9 + number * 2.4))
        if gain > 0.02:
            part = lights.crop((round(-x), 0, round(-x) + stage.width, lights.height))
            frame.lighten(part, gain, (0, row.top))


def _boat(stage: Stage, colour: str) -> Layer:
    """A lit river boat with its glow on the water."""
    width, height = round(stage.height * 0.16) & ~1, round(stage.height * 0.06) & ~1
    columns, rows = grid(width, height)
    across, down = columns / width - 0.5, rows / height
    hull = smooth(0.02, 0.0, np.abs(across) - 0.30 + np.clip(down - 0.42, 0, 1) * 0.5) * (
        (down > 0.40) & (down < 0.56)
    )
    cabin = smooth(0.02, 0.0, np.abs(across) - 0.2) * ((down > 0.26) & (down < 0.42))
    lamps = cabin * (np.sin(columns / width * 95) > -0.2) * ((down > 0.29) & (down < 0.38))
    shine = 0.55 * np.exp(-((across / 0.2) ** 2)) * np.exp(-(((down - 0.66) / 0.14) ** 2))
    picture = np.broadcast_to(rgb(colour), (height, width, 3)).astype(np.float32)
    picture = mix(picture, rgb("#10101c"), np.maximum(hull, cabin * (1 - lamps))[..., None])
    return to_layer(
        picture.astype(np.float32),
        np.clip(np.maximum.reduce([hull, cabin, shine]), 0, 1).astype(np.float32),
    )
