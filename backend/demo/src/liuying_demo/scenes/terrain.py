"""Mountains, dunes, fields: a height map seen in perspective, cut by distance into layers that move
apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from liuying_demo.scenes.canvas import (
    Pixels,
    Random,
    Stops,
    cloud_cover,
    developed,
    glow,
    gradient,
    mix,
    rgb,
    sample,
    smooth,
    stars,
    wrapping_noise,
)
from liuying_demo.scenes.film import Frame, Layer, Stage, developed_layer, to_layer, trimmed

SIDE = 1024  # of the height map, in metres
STEPS_AHEAD = 1.0062  # each slice of the land lies this much farther than the one before
FOREGROUND = 10.0  # metres from which land is drawn that begins before the viewer
MARGIN = 120  # pixels that a shot may travel sideways


@dataclass(frozen=True, kw_only=True)
class Land:
    """A landscape. Lengths in metres, colours `#rrggbb`, places as shares of the frame.

    Attributes:
        sky: Gradient of the sky.
        ground: Colours of the valleys, slopes, rock and snow.
        fog: Colour of what is far, and `fog_distance` where it is two thirds of it.
        light: Colour of the sun on the land; `shadow` of what it does not reach.
        height: Of the highest peaks; `power` above 1 makes valleys wide, below 1 summits.
        eye: Height of the camera; `horizon` its place in the frame.
        snow_line: Share of the height where snow begins; above 1 for none.
        tree_line: Where slopes turn from `ground[0]` to `ground[2]`.
        terraces: Number of steps that the land is cut into, 0 for none.
        sun: Where the sun glows, or None; `sun_colour` its colour.
        clouds: Colour of the clouds and of their shade, or None.
        place: Of the camera on the height map.
        cuts: Distances at which the land is cut into layers; it is drawn from `nearest` to
            `farthest`.
    """

    sky: Stops
    ground: tuple[str, str, str, str]
    fog: str
    light: str = "#ffe9cf"
    shadow: str = "#5a6f96"
    fog_distance: float = 900
    height: float = 300
    power: float = 1.4
    ridged: bool = True
    cells: int = 3
    eye: float = 200
    horizon: float = 0.4
    snow_line: float = 2.0
    tree_line: float = 0.35
    terraces: int = 0
    variety: float = 0.2
    trees: float = 0.0
    sun_height: float = 0.5
    sun: tuple[float, float] | None = None
    sun_colour: str = "#ffb070"
    clouds: tuple[str, str] | None = None
    cloud_density: float = 0.5
    starry: bool = False
    place: tuple[float, float] = (300, 100)
    cuts: tuple[float, ...] = (70, 190, 520)
    nearest: float = FOREGROUND
    farthest: float = 1700
    saturation: float = 1.12


def height_map(land: Land, random: Random) -> tuple[Pixels, Pixels, Pixels]:
    """Heights in metres, the same from 0 to 1, and fine grain from 0 to 1: three wrapping
    squares.
    """
    share = wrapping_noise(random, SIDE, land.cells, 8, 0.48, land.ridged)
    if land.ridged:
        share = 0.75 * share + 0.25 * wrapping_noise(random, SIDE, land.cells, 7, 0.5)
    share = ((share - share.min()) / (share.max() - share.min())) ** land.power
    if land.terraces:
        steps = share * land.terraces
        share = (np.floor(steps) + smooth(0.55, 1, steps - np.floor(steps))) / land.terraces
    grain = wrapping_noise(random, SIDE, 64, 4, 0.6)
    heights = share * land.height + grain * land.height * 0.012
    if land.trees:
        wooded = smooth(land.tree_line + 0.1, land.tree_line - 0.05, share)
        heights += land.trees * random.random((SIDE, SIDE)).astype(np.float32) ** 3 * wooded
    return heights.astype(np.float32), share.astype(np.float32), grain


def lit_ground(land: Land, heights: Pixels, share: Pixels, grain: Pixels) -> Pixels:
    """The colour of every metre of land under sun and shadow, shape (side, side, 3)."""
    slope_y, slope_x = np.gradient(heights)
    upward = 1 / np.sqrt(slope_x * slope_x + slope_y * slope_y + 1)
    sun = np.array([1, 0.35, land.sun_height])
    sun /= np.linalg.norm(sun)
    facing = np.clip((-slope_x * sun[0] - slope_y * sun[1] + sun[2]) * upward, 0, 1)
    flat = float(np.hypot(sun[0], sun[1]))
    open_sky = np.ones_like(heights)
    for reach in range(3, 80, 5):
        step = (-round(reach * sun[1] / flat), -round(reach * sun[0] / flat))
        blocking = np.roll(heights, step, (0, 1)) - heights - reach * sun[2] / flat
        open_sky = np.minimum(open_sky, 1 - smooth(0, 9, blocking))
    level = share + (grain - 0.5) * 0.10
    valley, slope, rock, snow = (rgb(code) for code in land.ground)
    line, steep = land.tree_line, 1 - upward
    colour = mix(valley, slope, smooth(line - 0.15, line + 0.05, level)[..., None])
    colour = mix(colour, rock, smooth(line, line + 0.14, level)[..., None])
    colour = mix(colour, rock, smooth(0.25, 0.55, steep)[..., None] * 0.8)
    covered = smooth(land.snow_line, land.snow_line + 0.08, level + (0.3 - steep) * 0.25)
    colour = mix(colour, snow, covered[..., None]) * (
        1 - land.variety + 2 * land.variety * grain[..., None]
    )
    lit = rgb(land.light) * (facing * open_sky)[..., None] * 1.25
    ambient = rgb(land.shadow) * 0.55 * (0.6 + 0.4 * upward[..., None])
    return np.asarray(colour * (lit + ambient), np.float32)


class _Sheet:
    """One layer of land while it is painted from near to far."""

    def __init__(self, width: int, height: int) -> None:
        self.picture = np.zeros((height, width, 3), np.float32)
        self.covered = np.zeros((height, width), np.bool_)
        self.skyline = np.full(width, height)
        self.rows = np.arange(height)[:, None]

    def paint(self, top: npt.NDArray[np.int64], colour: Pixels) -> None:
        """Fill every column from `top` down to what nearer land already covers."""
        first, last = int(top.min()), int(self.skyline.max())
        if first >= last:
            return
        band = slice(first, last)
        fresh = (self.rows[band] >= top[None]) & (self.rows[band] < self.skyline[None])
        part = self.picture[band]
        part[fresh] = np.broadcast_to(colour[None], part.shape)[fresh]
        self.covered[band] |= fresh
        self.skyline = np.minimum(self.skyline, top)


def land_layers(land: Land, stage: Stage, bottom: int | None = None) -> list[Layer]:
    """The land as layers from far to near, `MARGIN` pixels wider than the stage and as high as
    `bottom`.
    """
    random, width, height = stage.random, stage.width + MARGIN, bottom or stage.height
    heights, share, grain = height_map(land, random)
    ground = lit_ground(land, heights, share, grain)
    sheets = [_Sheet(width, height) for _ in range(len(land.cuts) + 1)]
    spread = np.linspace(-1, 1, width) * (width / stage.height) / 1.78
    fog, focus, horizon = rgb(land.fog), stage.height * 0.9, land.horizon * stage.height
    distance = land.nearest
    while distance < land.farthest:
        sheet = sheets[int(np.searchsorted(land.cuts, distance))]
        x, y = land.place[0] + spread * distance, np.full(width, land.place[1] + distance)
        # A shore: what begins in the distance rises from the water instead of standing there cut
        # open.
        shore = (
            float(smooth(land.nearest, land.nearest * 1.5, distance))
            if land.nearest > FOREGROUND
            else 1.0
        )
        rise = sample(heights, x, y) * np.float32(shore)
        colour = mix(
            sample(ground, x, y), fog, 1 - np.exp(-((distance / land.fog_distance) ** 1.35))
        )
        top = np.clip((land.eye - rise) / distance * focus + horizon, 0, height).astype(np.int64)
        sheet.paint(top, colour)
        distance = distance * STEPS_AHEAD + 0.06
    return [_finished(sheet, land, random) for sheet in reversed(sheets) if sheet.covered.any()]


def _finished(sheet: _Sheet, land: Land, random: Random) -> Layer:
    alpha = sheet.covered.astype(np.float32)
    # Half a pixel of softness along the crest instead of stairs.
    alpha[1:] = alpha[1:] * 0.5 + alpha[:-1] * 0.5
    return trimmed(to_layer(developed(sheet.picture, random, 1.1, land.saturation), alpha))


def sky_layer(land: Land, stage: Stage) -> Layer:
    """The sky with its sun or stars, a little wider than the stage."""
    width, height = stage.width + MARGIN, stage.height
    sky = gradient(land.sky, width, height)
    if land.sun:
        sky = glow(sky, *land.sun, 0.35, land.sun_colour, 0.55, 1.6)
        sky = glow(sky, *land.sun, 0.05, "#fff4dc", 1.2, 3)
    if land.starry:
        fading = smooth(land.horizon + 0.1, 0.1, np.linspace(0, 1, height))[:, None]
        sky = sky + (stars(stage.random, width, height) * fading)[..., None]
    return developed_layer(stage, sky)


def cloud_layer(land: Land, stage: Stage, travel: int = 400) -> Layer | None:
    """The clouds of a land, `travel` pixels wider than the stage, or None under a clear sky."""
    if land.clouds is None:
        return None
    height = round(stage.height * (land.horizon + 0.06)) & ~1
    opacity, shade = cloud_cover(
        stage.random,
        stage.width + travel,
        height,
        (land.horizon + 0.04) * stage.height / height,
        land.cloud_density,
        2.2,
    )
    colour = mix(rgb(land.clouds[0]), rgb(land.clouds[1]), shade[..., None])
    return trimmed(to_layer(colour.astype(np.float32), opacity * 0.85))


@dataclass(frozen=True)
class Landscape:
    """A land prepared for frames: sky, clouds and the layers of the ground."""

    sky: Layer
    clouds: Layer | None
    ground: list[Layer]

    def compose(self, stage: Stage, time: float, cloud_speed: float = 26) -> Frame:
        """The view at a time in seconds: the camera travels sideways, what is near moves
        fastest.
        """
        progress = time / stage.seconds
        frame = Frame(self.sky, MARGIN * 0.06 * progress, 0, (stage.width, stage.height))
        if self.clouds:
            frame.draw(self.clouds, -20 - cloud_speed * time, 0)
        last = max(1, len(self.ground) - 1)
        for index, layer in enumerate(self.ground):
            frame.draw(layer, -MARGIN * (0.1 + 0.85 * (index / last) ** 1.7) * progress, 0)
        return frame


def landscape(land: Land, stage: Stage, bottom: int | None = None) -> Landscape:
    """Draw a land's layers; on a portrait stage the camera stands farther back."""
    if stage.is_portrait:
        land = replace(land, horizon=land.horizon + 0.06)
    return Landscape(
        sky_layer(land, stage), cloud_layer(land, stage), land_layers(land, stage, bottom)
    )
