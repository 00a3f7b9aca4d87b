"""Named ways to the horizon: rails, a running track, a country road, a street at night, a grid of
light.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PIL import ImageDraw

from liuying_demo.scenes.canvas import Pixels, Random, drawn, grid, mix, rgb, smooth
from liuying_demo.scenes.film import Layer, Stage, plain_layer, to_layer
from liuying_demo.scenes.floor import BROAD, Way, across, along, texture_rows


def _rails(random: Random) -> Pixels:
    ground, x, y = texture_rows("#4a4048", random, 0.6), across(), along()
    wood = rgb("#6a5550") * (0.8 + 0.3 * random.random((1, BROAD, 1)))
    ground = np.where(((y * 8) % 1 < 0.42) & (np.abs(x) < 0.34), wood, ground)
    for side in (-1, 1):
        ground = np.where(np.abs(x - side * 0.2) < 0.016, rgb("#ffe2bc"), ground)
        ground = np.where(np.abs(x - side * 0.2 - 0.02) < 0.006, rgb("#3a2a2c"), ground)
    return np.asarray(ground, np.float32)


def _track(random: Random) -> Pixels:
    ground, x = texture_rows("#b8442e", random, 0.22), across()
    lanes = smooth(0.05, 0.02, np.abs((x * 7 + 0.5) % 1 - 0.5)) * (np.abs(x) < 0.60)
    ground = mix(ground, rgb("#fbf3e8"), lanes * 0.92)
    grass = texture_rows("#4f9a44", random, 0.4)
    stripes = 1.0 + 0.10 * np.sign(np.sin(along() * 2 * np.pi * 4))
    return np.asarray(np.where(np.abs(x) > 0.60, grass * stripes, ground), np.float32)


def _road(random: Random) -> Pixels:
    ground, x, y = texture_rows("#4a4c54", random, 0.28), across(), along()
    middle = (np.abs(x) < 0.012) & ((y * 4) % 1 < 0.5)
    ground = np.where(middle, rgb("#f4e8c0"), ground)
    ground = np.where(np.abs(np.abs(x) - 0.27) < 0.010, rgb("#f0f0ec"), ground)
    verge = texture_rows("#7a9a48", random, 0.5) * (0.85 + 0.25 * random.random((1, BROAD, 1)))
    return np.asarray(np.where(np.abs(x) > 0.31, verge, ground), np.float32)


def _night_road(random: Random) -> Pixels:
    ground, x, y = texture_rows("#15161f", random, 0.4), across(), along()
    for place in (-0.14, 0.14):
        ground = np.where(
            (np.abs(x - place) < 0.010) & ((y * 4) % 1 < 0.45), rgb("#e8e2d0"), ground
        )
    ground = np.where(np.abs(np.abs(x) - 0.40) < 0.008, rgb("#ffcf6a"), ground)
    pools = np.exp(-(((np.abs(x) - 0.42) / 0.16) ** 2)) * np.exp(
        -((((y * 2) % 1 - 0.5) / 0.2) ** 2)
    )
    return np.asarray(ground + pools * rgb("#6a4a24"), np.float32)


def _light_grid(random: Random) -> Pixels:
    del random  # nothing in it is left to chance
    x, y = across(), along()
    columns = smooth(0.06, 0.015, np.abs((x * 12 + 0.5) % 1 - 0.5))
    rows = smooth(0.05, 0.015, np.abs((y * 8) % 1 - 0.5))
    glow = smooth(0.30, 0.0, np.abs((x * 12 + 0.5) % 1 - 0.5)) + smooth(
        0.30, 0.0, np.abs((y * 8) % 1 - 0.5)
    )
    lines = np.clip(columns + rows, 0, 1)
    return np.asarray(
        rgb("#120a2c") + lines * rgb("#4fd8ff") * 0.95 + glow * rgb("#2a1c6a") * 0.4, np.float32
    )


def _mast(stage: Stage) -> Layer:
    height = round(stage.height * 0.95) & ~1
    width = round(height * 0.34) & ~1
    columns, rows = grid(width, height)
    x, y = columns / width, rows / height
    shape = np.maximum(
        (np.abs(x - 0.82) < 0.028) * (y > 0.02),
        (np.abs(y - 0.10) < 0.010) * (x < 0.84) * (x > 0.04),
    )
    brace = (np.abs(y - 0.10 - (0.82 - x) * -0.22 - 0.10) < 0.006) * (x > 0.42) * (x < 0.84)
    return plain_layer(rgb("#15101c"), np.asarray(np.maximum(shape, brace), np.float32))


def _tree(stage: Stage, colours: tuple[str, str, str] = ("#2f6a34", "#5fa04a", "#a8cf6a")) -> Layer:
    height = round(stage.height * 0.78) & ~1
    width = round(height * 0.72) & ~1
    random = stage.random
    tufts = [
        (
            0.5 + 0.24 * random.normal() * 0.9,
            0.34 + 0.17 * random.normal() * 0.8,
            0.05 + 0.05 * random.random(),
            random.random(),
        )
        for _ in range(150)
    ]
    picture = np.broadcast_to(rgb("#4a3222"), (height, width, 3)).astype(np.float32)
    alpha = np.zeros((height, width), np.float32)
    columns, rows = grid(width, height)
    x, y = columns / width, rows / height
    trunk = np.asarray(
        smooth(0.035, 0.025, np.abs(x - 0.5) - 0.02 * (y - 0.4)) * (y > 0.4), np.float32
    )
    alpha = np.maximum(alpha, trunk)
    for px, py, reach, tone in sorted(tufts, key=lambda tuft: -tuft[1]):
        mask = np.asarray(
            smooth(reach + 0.01, reach - 0.01, np.hypot(x - px, (y - py) * height / width)),
            np.float32,
        )
        light = mix(
            rgb(colours[0]),
            mix(rgb(colours[1]), rgb(colours[2]), tone),
            np.clip(0.95 - py * 1.5 - (px - 0.4) * 0.7, 0, 1),
        )
        picture = mix(picture, light, mask[..., None])
        alpha = np.maximum(alpha, mask)
    return to_layer(np.clip(picture, 0, 1).astype(np.float32), alpha)


def _autumn_tree(stage: Stage) -> Layer:
    return _tree(stage, ("#8a3a1c", "#d9772e", "#f6b84a"))


def _lamp(stage: Stage) -> Layer:
    height = round(stage.height * 0.92) & ~1
    width = round(height * 0.5) & ~1

    def post(pencil: ImageDraw.ImageDraw, scale: int) -> None:
        pencil.line(
            [(0.30 * width * scale, height * scale), (0.30 * width * scale, 0.12 * height * scale)],
            fill=255,
            width=round(0.022 * width * scale),
        )
        pencil.line(
            [
                (0.30 * width * scale, 0.13 * height * scale),
                (0.72 * width * scale, 0.10 * height * scale),
            ],
            fill=255,
            width=round(0.020 * width * scale),
        )

    mask = drawn(width, height, post)
    columns, rows = grid(width, height)
    away = np.hypot((columns / width - 0.72) * width, rows - 0.11 * height) / height
    light = np.exp(-((away / 0.016) ** 2)) + 0.5 * np.exp(-((away / 0.07) ** 2))
    picture = mix(
        np.broadcast_to(rgb("#0c0d14"), (height, width, 3)),
        rgb("#ffdca0"),
        np.clip(light * 1.4, 0, 1)[..., None],
    )
    return to_layer(np.asarray(picture, np.float32), np.clip(mask + light, 0, 1).astype(np.float32))


def _pylon_of_light(stage: Stage) -> Layer:
    height = round(stage.height * 0.62) & ~1
    width = round(height * 0.16) & ~1
    columns, rows = grid(width, height)
    away = np.abs(columns / width - 0.5)
    light = np.clip(
        np.exp(-((away / 0.05) ** 2)) + 0.45 * np.exp(-((away / 0.2) ** 2)), 0, 1
    ) * smooth(0, 0.05 * height, rows)
    picture = mix(
        np.broadcast_to(rgb("#ff4fa0"), (height, width, 3)),
        rgb("#ffffff"),
        np.exp(-((away / 0.04) ** 2))[..., None],
    )
    return to_layer(np.asarray(picture, np.float32), light.astype(np.float32))


RAILS = Way(
    sky=((0, "#26386a"), (0.42, "#f08a5a"), (0.52, "#ffd28a"), (1, "#ffd28a")),
    ground=_rails,
    haze="#c88a78",
    hills=("#7c5a7c", "#4a3a58"),
    light=(0.5, 0.46, "#ffc27a"),
    beside=_mast,
    gap=0.9,
    speed=0.9,
)
RAILS_DAY = replace(
    RAILS,
    sky=((0, "#3f86cf"), (0.4, "#a8d0ee"), (0.52, "#eef6f8"), (1, "#eef6f8")),
    haze="#cfe0e8",
    hills=("#8fb0c8", "#5f8a74"),
    light=(0.3, 0.2, "#fff6dc"),
)
TRACK = Way(
    sky=((0, "#2f7fd0"), (0.35, "#8cc4ee"), (0.46, "#eaf5fa"), (1, "#eaf5fa")),
    ground=_track,
    haze="#d8e6e4",
    hills=("#9cc0d0", "#5f9a6a"),
    light=(0.7, 0.18, "#fff4d0"),
    horizon=0.44,
    speed=1.15,
    bob=1.0,
    beside=_tree,
    gap=1.6,
    reach=1.7,
)
COUNTRY_ROAD = Way(
    sky=((0, "#3b8ad8"), (0.36, "#9fd0f2"), (0.50, "#f2f8f4"), (1, "#f2f8f4")),
    ground=_road,
    haze="#d4e4dc",
    hills=("#8fb8c4", "#6a9a6c"),
    light=(0.28, 0.2, "#fff6d8"),
    horizon=0.48,
    speed=1.0,
    beside=_tree,
    gap=1.1,
    reach=1.15,
)
AUTUMN_ROAD = replace(
    COUNTRY_ROAD,
    sky=((0, "#5f8fc8"), (0.36, "#d0d8dc"), (0.50, "#ffe8c0"), (1, "#ffe8c0")),
    haze="#ecd2a8",
    hills=("#b09a8a", "#a8703c"),
    light=(0.6, 0.4, "#ffd89a"),
    beside=_autumn_tree,
    gap=0.8,
)
NIGHT_STREET = Way(
    sky=((0, "#050814"), (0.36, "#141a3a"), (0.5, "#5a3a5a"), (1, "#5a3a5a")),
    ground=_night_road,
    haze="#4a3048",
    hills=("#2a2444", "#14142a"),
    light=(0.5, 0.5, "#ff8a5a"),
    horizon=0.5,
    speed=1.4,
    beside=_lamp,
    gap=0.9,
    reach=1.0,
)
LIGHT_GRID = Way(
    sky=((0, "#160a35"), (0.35, "#4a1670"), (0.54, "#ff5f8f"), (1, "#ff5f8f")),
    ground=_light_grid,
    haze="#b03a8a",
    hills=("#3a1a5c", "#240f40"),
    light=(0.5, 0.40, "#ff9a6a"),
    horizon=0.55,
    speed=0.7,
    beside=_pylon_of_light,
    gap=1.4,
    reach=1.5,
)
