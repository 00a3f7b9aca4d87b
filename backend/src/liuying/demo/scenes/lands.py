"""Named landscapes, and what flies or falls over them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from liuying.demo.scenes.board import Board, Pencil
from liuying.demo.scenes.canvas import rgb, smooth
from liuying.demo.scenes.film import Frame, Layer, Scene, Shot, Stage, to_layer, vignette
from liuying.demo.scenes.plants import FallingLeaves
from liuying.demo.scenes.terrain import Land, landscape
from liuying.demo.scenes.water import Water
from liuying.demo.scenes.weather import Snowfall

Extra = Callable[[Stage], Callable[[Frame, float], None]]

_DAY = ((0, "#2f73c4"), (0.3, "#7fb4e6"), (0.5, "#d6e6f2"), (1, "#d6e6f2"))
_DAWN = ((0, "#4a6fa8"), (0.28, "#9fb4d2"), (0.45, "#f6c9a4"), (1, "#f6c9a4"))

PEAK = Land(
    sky=_DAY,
    ground=("#35502f", "#5a5d45", "#6f6a66", "#fbfdff"),
    fog="#bcd2ea",
    fog_distance=1500,
    height=430,
    eye=240,
    horizon=0.45,
    power=1.6,
    snow_line=0.42,
    tree_line=0.2,
    clouds=("#ffffff", "#c4d4e8"),
    trees=4,
)
DAWN_RIDGE = Land(
    sky=_DAWN,
    ground=("#2c3a3d", "#3d4548", "#4d4f55", "#ffffff"),
    fog="#eabfa2",
    fog_distance=520,
    light="#ffb37a",
    shadow="#6075a8",
    height=330,
    eye=300,
    horizon=0.36,
    power=1.3,
    tree_line=0.7,
    sun_height=0.35,
    sun=(0.62, 0.36),
    trees=5,
    clouds=("#ffd9bc", "#c89a9a"),
    cloud_density=0.56,
)
DUNE = Land(
    sky=((0, "#2c6bb0"), (0.25, "#7fb0dc"), (0.42, "#f0dcc0"), (1, "#f0dcc0")),
    ground=("#d99a5b", "#d99a5b", "#c98848", "#ffffff"),
    fog="#f0d6b4",
    fog_distance=900,
    light="#ffdca8",
    shadow="#8a6a72",
    height=120,
    eye=120,
    horizon=0.36,
    power=1.0,
    cells=4,
    ridged=True,
    tree_line=9,
    sun_height=0.32,
    variety=0.06,
)
CANYON = Land(
    sky=((0, "#3f6fb0"), (0.3, "#a9bfd8"), (0.44, "#fbd9b2"), (1, "#fbd9b2")),
    ground=("#b5633a", "#c97b48", "#8f4a34", "#ffffff"),
    fog="#ecc6a4",
    fog_distance=1000,
    light="#ffd09a",
    shadow="#7a6080",
    height=360,
    eye=330,
    horizon=0.30,
    power=1.1,
    cells=4,
    ridged=False,
    terraces=7,
    tree_line=9,
    sun_height=0.4,
    variety=0.3,
    place=(700, 420),
)
GRASS = Land(
    sky=((0, "#3d86d6"), (0.3, "#92c4ee"), (0.44, "#eaf4f6"), (1, "#eaf4f6")),
    ground=("#6aa83e", "#8fbf4c", "#a9b860", "#ffffff"),
    fog="#cfe4ee",
    fog_distance=900,
    light="#fff6cc",
    shadow="#6f9ac0",
    height=190,
    eye=170,
    horizon=0.42,
    power=1.3,
    tree_line=0.9,
    clouds=("#ffffff", "#c9d8ea"),
    cloud_density=0.46,
)
TERRACE = Land(
    sky=((0, "#7fb6dc"), (0.3, "#cfe4ee"), (0.42, "#fdf2d8"), (1, "#fdf2d8")),
    ground=("#5d9a3c", "#8cb84a", "#7a8a4a", "#ffffff"),
    fog="#dfeadf",
    fog_distance=800,
    light="#fff0b8",
    shadow="#5c86a0",
    height=230,
    eye=260,
    horizon=0.28,
    power=1.1,
    ridged=False,
    terraces=11,
    tree_line=9,
    sun_height=0.45,
    variety=0.18,
    clouds=("#ffffff", "#d9e4ea"),
    cloud_density=0.55,
)
BLUE_PEAK = Land(
    sky=((0, "#0c1a40"), (0.25, "#2a4880"), (0.46, "#7f8fc4"), (1, "#7f8fc4")),
    ground=("#16243c", "#22314c", "#3a4664", "#e6edff"),
    fog="#6f82b8",
    fog_distance=1100,
    light="#b9c8ff",
    shadow="#4a5fa0",
    height=450,
    eye=260,
    horizon=0.44,
    power=1.6,
    snow_line=0.34,
    tree_line=0.15,
    place=(800, 600),
    starry=True,
)
LAKE = Land(
    sky=((0, "#3a5fa8"), (0.30, "#9fb4da"), (0.52, "#ffdcb8"), (1, "#ffdcb8")),
    ground=("#5f7a34", "#b8762f", "#8a7468", "#fdf8f2"),
    fog="#f0d8c8",
    fog_distance=1300,
    light="#ffd9a8",
    shadow="#7086b8",
    height=330,
    eye=34,
    horizon=0.56,
    power=1.8,
    ridged=True,
    snow_line=0.60,
    tree_line=0.42,
    clouds=("#fff0e0", "#d8c8d0"),
    trees=4,
    nearest=300,
    cuts=(560, 900),
    place=(120, 640),
)
ISLAND = replace(
    LAKE,
    sky=((0, "#1f78cc"), (0.3, "#78bfec"), (0.52, "#dff2f8"), (1, "#dff2f8")),
    ground=("#3f8a3c", "#5c9646", "#9a8f72", "#ffffff"),
    fog="#cfe8f2",
    light="#fff3d0",
    shadow="#6a9ac0",
    clouds=("#ffffff", "#d2e2f0"),
    snow_line=9.0,
    tree_line=0.55,
    ridged=False,
    height=300,
    power=1.5,
    place=(610, 260),
    nearest=420,
    trees=6,
)
RED_PLANET = replace(
    CANYON,
    sky=((0, "#3a1c14"), (0.3, "#a85a34"), (0.44, "#f0b482"), (1, "#f0b482")),
    ground=("#9a4326", "#b5562e", "#6e2c1c", "#ffffff"),
    fog="#d98a5c",
    light="#ffc08a",
    shadow="#6a3a44",
    terraces=0,
    height=210,
    eye=190,
    ridged=True,
    sun=(0.3, 0.2),
    sun_colour="#ffd8a8",
)
TEA_HILLS = replace(
    TERRACE,
    fog="#c8dcd4",
    light="#fff6d0",
    ground=("#3f7f34", "#6aa03e", "#5f7a3c", "#ffffff"),
    terraces=18,
    place=(40, 820),
    height=180,
    eye=210,
)
WINTER = replace(
    PEAK,
    sky=((0, "#5f7896"), (0.3, "#a4b4c4"), (0.5, "#dfe6ec"), (1, "#dfe6ec")),
    ground=("#dfe6ee", "#c9d4e0", "#7f8a98", "#ffffff"),
    fog="#dde5ec",
    fog_distance=700,
    light="#fff4e6",
    shadow="#8a9cb8",
    snow_line=0.05,
    trees=9,
    height=300,
    eye=190,
    clouds=None,
    place=(90, 300),
)
SUNSET_RIDGE = replace(
    DAWN_RIDGE,
    sky=((0, "#2a2a5e"), (0.25, "#8a4f86"), (0.42, "#ff8a5a"), (1, "#ffb070")),
    fog="#e07a5c",
    light="#ff8a5a",
    shadow="#5a4a8a",
    sun=(0.3, 0.35),
    place=(640, 80),
    clouds=("#ffab8a", "#7a4a7a"),
    cloud_density=0.5,
)
GREEN_PEAK = replace(
    GRASS,
    height=300,
    eye=230,
    power=1.6,
    ridged=True,
    trees=7,
    ground=("#2f6a34", "#4a8038", "#7a8058", "#ffffff"),
    place=(420, 700),
)


def land(view: Land, extra: Extra | None = None, cloud_speed: float = 26) -> Scene:
    """The scene of a landscape, with something over it where wanted."""

    def draw(stage: Stage) -> Shot:
        prepared = landscape(view, stage)
        over = extra(stage) if extra else None
        dark = vignette(stage.width, stage.height, 0.30)

        def frame(time: float) -> Frame:
            result = prepared.compose(stage, time, cloud_speed)
            if over:
                over(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def mirrored_land(view: Land, deep: str, roughness: float = 0.42, boat: bool = False) -> Scene:
    """A landscape mirrored in a lake before it."""

    def draw(stage: Stage) -> Shot:
        horizon = round(view.horizon * stage.height) & ~1
        prepared = landscape(
            replace(view, horizon=horizon / stage.height - (0.06 if stage.is_portrait else 0)), stage, horizon
        )
        water = Water(stage, horizon, deep, roughness=roughness, depth=0.45)
        rower = _rower(stage)
        dark = vignette(stage.width, stage.height, 0.34)

        def frame(time: float) -> Frame:
            result = prepared.compose(stage, time, 20)
            water.flow(result, time)
            if boat:
                x = stage.width * 0.28 + time * 16
                result.draw(rower[int(time * 3) % 6], x, horizon + stage.height * 0.11 + 1.4 * math.sin(time * 1.7))
            result.shade(dark)
            return result

        return frame

    return draw


def _rower(stage: Stage) -> list[Layer]:
    """A small boat with somebody rowing, in six positions, its dark reflection below."""
    poses = []
    for beat in range(6):
        board = Board(stage, "#1a1a22", round(stage.height * 0.22) & ~1, round(stage.height * 0.12) & ~1)
        swing = math.sin(beat / 6 * 2 * math.pi)

        def draw(ink: Pencil, swing: float = swing) -> None:
            ink.polygon([(14, 40), (144, 40), (124, 56), (32, 56)], "#2a1c18")
            ink.line([(16, 40), (142, 40)], "#8a5a3a", 3)
            ink.line([(74, 40), (78 + 4 * swing, 20)], "#c4543a", 11)
            ink.disc(80 + 5 * swing, 10, 7, "#2a1c18")
            ink.line([(78, 26), (104 + 14 * swing, 46 - 5 * swing)], "#1a1416", 3)
            ink.line([(36, 62), (124, 62)], "#0a1016", 6, 0.35)
            ink.line([(52, 70), (108, 70)], "#0a1016", 4, 0.2)

        poses.append(board.layer(board.sketch(draw, 0.4)))
    return poses


def snowing(amount: float = 1.0) -> Extra:
    """Snow over a frame."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        return Snowfall(stage, amount).draw

    return prepare


def petals(colours: tuple[str, ...]) -> Extra:
    """Petals in the wind over a frame."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        return FallingLeaves(stage, colours, 30, "petal").draw

    return prepare


def balloons(colours: tuple[tuple[str, str], ...]) -> Extra:
    """Hot-air balloons that rise over a land."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        sizes = (0.30, 0.20, 0.13, 0.09, 0.065)
        kinds = [_balloon(stage, size, colours[index % len(colours)]) for index, size in enumerate(sizes)]
        places = ((0.20, 0.44), (0.56, 0.34), (0.78, 0.26), (0.40, 0.24), (0.68, 0.18))

        def draw(frame: Frame, time: float) -> None:
            for kind, (x, y), size in reversed(list(zip(kinds, places, sizes, strict=True))):
                sway = math.sin(time * 0.7 + x * 9)
                up = y * stage.height - time * 26 * size / 0.2 * 0.6
                frame.draw(kind, x * stage.width + time * 34 * size / 0.2 * 0.4 + 4 * sway, up + 3 * sway)

        return draw

    return prepare


def _balloon(stage: Stage, size: float, colours: tuple[str, str]) -> Layer:
    side = round(size * min(stage.width, stage.height) * 1.5) & ~1
    board = Board(stage, colours[0], side, side)
    unit = board.width
    x, y = (board.x / unit - 0.5) * 2, board.y / unit * 2
    half = np.where(
        y < 0.7,
        np.sqrt(np.clip(0.5 - (y - 0.7) ** 2 * 0.98, 0, 1)),
        0.70 * np.cos(np.clip((y - 0.7) / 0.88, 0, 1) * 1.33),
    )
    body = smooth(0.02, -0.02, np.abs(x) - half) * smooth(1.52, 1.48, y)
    gores = np.arcsin(np.clip(x / np.maximum(half, 0.05), -1, 1)) / math.pi * 10
    stripe = (np.floor(gores + 5) % 2)[..., None]
    light = 0.62 + 0.5 * np.sqrt(np.clip(1 - ((x + 0.22) / 0.85) ** 2, 0, 1)) - 0.16 * smooth(0.9, 1.5, y)
    seam = 1 - 0.16 * smooth(0.08, 0.0, np.abs(gores % 1 - 0.5) - 0.42)
    picture = np.where(stripe > 0.5, rgb(colours[0]), rgb(colours[1])) * (light * seam)[..., None]
    basket = smooth(0.01, -0.01, np.abs(x) - 0.115) * (y > 1.70) * (y < 1.88)
    ropes = smooth(0.014, 0.004, np.abs(np.abs(x) - 0.10 - 0.05 * (1.72 - y))) * (y > 1.45) * (y < 1.72)
    picture = np.where((basket + ropes > 0.3)[..., None], rgb("#5a3a22"), picture)
    alpha = np.clip(np.maximum.reduce([body, basket, ropes * 0.8]), 0, 1)
    return to_layer(np.clip(picture, 0, 1).astype(np.float32), alpha.astype(np.float32))


def glider(colour: str) -> Extra:
    """A paraglider that turns before the mountains."""

    def prepare(stage: Stage) -> Callable[[Frame, float], None]:
        wing = _wing(stage, colour)

        def draw(frame: Frame, time: float) -> None:
            x = stage.width * 0.16 + time * 62
            y = stage.height * (0.26 + 0.05 * math.sin(time * 0.9))
            frame.draw(wing, x, y + 6 * math.sin(time * 1.7))

        return draw

    return prepare


def _wing(stage: Stage, colour: str) -> Layer:
    board = Board(stage, "#1a1a22", round(stage.height * 0.34) & ~1, round(stage.height * 0.30) & ~1)
    arc = [(math.cos(angle), math.sin(angle)) for angle in np.linspace(math.pi * 1.12, math.pi * 1.88, 24)]
    upper = [(122 + 112 * x, 96 + 74 * y) for x, y in arc]
    lower = [(122 + 104 * x, 100 + 54 * y) for x, y in arc]

    def draw(ink: Pencil) -> None:
        for index in range(0, 24, 3):
            ink.line([lower[index], (118 if index < 12 else 126, 178)], "#20202a", 1.1, 0.7)
        ink.polygon([*upper, *reversed(lower)], colour)
        for index in range(2, 23, 4):
            ink.polygon([upper[index], upper[index + 1], lower[index + 1], lower[index]], "#ffffff", 0.75)
        ink.line(upper, "#fff4e0", 2.4, 0.8)
        ink.line([(122, 176), (122, 196)], "#20242e", 11)
        ink.line([(122, 196), (146, 204)], "#20242e", 7)
        ink.disc(122, 168, 7.5, "#e04a3a")

    return board.layer(board.sketch(draw, 0.4))
