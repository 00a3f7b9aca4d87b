"""The open sea under a sun or a moon, with a boat, birds or a lighthouse where wanted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from liuying_demo.scenes.canvas import (
    Pixels,
    Stops,
    cloud_cover,
    drawn,
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
    plain_layer,
    plane_of,
    to_layer,
    vignette,
)
from liuying_demo.scenes.water import Water

CLOUD_TRAVEL = 360


@dataclass(frozen=True, kw_only=True)
class Sea:
    """A view over water. Places are shares of the frame, colours `#rrggbb`.

    Attributes:
        sky: Gradient of the sky down to the horizon.
        light: Where the sun or moon stands; `disc` its radius as a share of the width, 0 for none.
        deep: Colour of the water near the viewer.
        clouds: Colour of the clouds and of their shade, or None.
        boat: Share of the width where a sailing boat starts, or None.
        lighthouse: Whether a lighthouse stands on the right.
    """

    sky: Stops
    horizon: float = 0.52
    light: tuple[float, float] = (0.5, 0.46)
    disc: float = 0.026
    light_colour: str = "#ffb26b"
    disc_colour: str = "#fff3d6"
    deep: str = "#16324a"
    clouds: tuple[str, str] | None = ("#ffb48a", "#5b4a6d")
    cloud_density: float = 0.48
    starry: bool = False
    boat: float | None = None
    birds: int = 0
    lighthouse: bool = False
    roughness: float = 1.0
    sparkle: float = 1.0


def sea(view: Sea) -> Scene:
    """The scene of a sea."""

    def draw(stage: Stage) -> Shot:
        horizon = round(view.horizon * stage.height) & ~1
        sky, clouds = _sky(view, stage), _clouds(view, stage, horizon)
        water = Water(
            stage,
            horizon,
            view.deep,
            roughness=view.roughness,
            glitter=(view.light[0], view.sparkle),
        )
        boat, bird = sailing_boat(stage), _bird_wings()
        tower = _Lighthouse(stage, horizon) if view.lighthouse else None
        dark = vignette(stage.width, stage.height, 0.38)
        flock = [tuple(stage.random.random(4)) for _ in range(view.birds)]

        def frame(time: float) -> Frame:
            picture = Frame(sky)
            if clouds:
                picture.draw(clouds, -20 - 18 * time, 0)
            for place, height, pace, beat in flock:
                wing = bird[int((time * (2.2 + beat) + beat * 8) * 4) % len(bird)]
                x = (place * 0.5 + 0.1) * stage.width + time * (22 + 16 * pace)
                picture.draw(
                    wing,
                    x,
                    (0.16 + 0.2 * height) * stage.height + 9 * math.sin(time * 1.3 + beat * 6),
                )
            if view.boat is not None:
                sway = 1.6 * math.sin(time * 1.5)
                picture.draw(
                    boat, view.boat * stage.width + 13 * time, horizon - boat.size[1] + 3 + sway
                )
            water.flow(picture, time)
            if tower:
                tower.draw(picture, time)
            picture.shade(dark)
            return picture

        return frame

    return draw


def _sky(view: Sea, stage: Stage) -> Layer:
    picture = gradient(view.sky, stage.width, stage.height)
    picture = glow(picture, *view.light, 0.30, view.light_colour, 0.8, 1.7)
    if view.starry:
        field = stars(stage.random, stage.width, stage.height, 0.0014)
        picture = (
            picture
            + (field * smooth(view.horizon, 0.05, grid(*_size(stage))[1] / stage.height))[..., None]
        )
    if view.disc:
        columns, rows = grid(stage.width, stage.height)
        radius = view.disc * stage.width * (1.5 if stage.is_portrait else 1)
        away = np.hypot(columns - view.light[0] * stage.width, rows - view.light[1] * stage.height)
        picture = mix(
            picture, rgb(view.disc_colour) * 1.25, smooth(radius, radius - 2.5, away)[..., None]
        )
    return developed_layer(stage, picture, None)


def _size(stage: Stage) -> tuple[int, int]:
    return stage.width, stage.height


def _clouds(view: Sea, stage: Stage, horizon: int) -> Layer | None:
    if view.clouds is None:
        return None
    opacity, shade = cloud_cover(
        stage.random, stage.width + CLOUD_TRAVEL, horizon, 1.0, view.cloud_density, 3
    )
    colour = mix(rgb(view.clouds[0]), rgb(view.clouds[1]), shade[..., None])
    return to_layer(colour.astype(np.float32), opacity * 0.75)


def sailing_boat(stage: Stage, colour: str = "#1a1626") -> Layer:
    """The silhouette of a small boat under two sails."""
    size = round(stage.height * 0.17) & ~1

    def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
        def polygon(*points: tuple[float, float]) -> None:
            pencil.polygon([(x * size * scale, y * size * scale) for x, y in points], fill=255)

        polygon((0.14, 0.88), (0.86, 0.88), (0.74, 1.0), (0.26, 1.0))
        polygon((0.50, 0.04), (0.515, 0.04), (0.515, 0.9), (0.50, 0.9))
        polygon((0.53, 0.10), (0.53, 0.82), (0.84, 0.82), (0.66, 0.45))
        polygon((0.48, 0.16), (0.48, 0.82), (0.20, 0.82), (0.36, 0.55))

    return plain_layer(rgb(colour), drawn(size, size, shape, 4))


def _bird_wings() -> list[Layer]:
    """A gull from afar: its wings in eight positions of one beat."""
    wings = []
    for step in range(8):
        lift = math.cos(step / 8 * 2 * math.pi) * 7

        def shape(pencil: ImageDraw.ImageDraw, scale: int, lift: float = lift) -> None:
            left = [(4, 14 - lift), (11, 11 - lift * 0.4), (18, 15)]
            right = [(32, 14 - lift), (25, 11 - lift * 0.4), (18, 15)]
            for side in (left, right):
                pencil.line(
                    [(x * scale, y * scale) for x, y in side],
                    fill=235,
                    width=2 * scale,
                    joint="curve",
                )

        wings.append(plain_layer(rgb("#1c1a2c"), drawn(36, 26, shape, 4)))
    return wings


class _Lighthouse:
    """A striped tower on a rock whose beam turns."""

    def __init__(self, stage: Stage, horizon: int) -> None:
        self.height = round(stage.height * 0.62) & ~1
        self.width = round(self.height * 0.9) & ~1
        self.x, self.y = stage.width - self.width, stage.height - self.height
        self.tower = to_layer(*_tower_picture(self.width, self.height))
        self.lamp = (self.x + self.width * 0.40, self.y + self.height * 0.145)
        columns, rows = grid(stage.width, stage.height)
        self._dx, self._dy = columns - self.lamp[0], rows - self.lamp[1]
        self._away = np.hypot(self._dx, self._dy) / stage.width
        self._halo = plane_of(
            0.85 * np.exp(-((self._away / 0.022) ** 2)) + 0.25 * np.exp(-((self._away / 0.08) ** 2))
        )

    def draw(self, frame: Frame, time: float) -> None:
        """The beam sweeps once in eight seconds; seen from the side it narrows and widens."""
        turn = time * 2 * math.pi / 8 + 2.7
        across, toward = math.cos(turn), math.sin(turn)
        self._beam(frame, across, 0.16 + 0.10 * toward)
        self._beam(frame, -across, 0.16 - 0.10 * toward)
        frame.draw(self.tower, self.x, self.y)
        frame.lighten(self._halo, 0.75 + 0.35 * abs(toward))

    def _beam(self, frame: Frame, across: float, spread: float) -> None:
        along = self._dx * (1 if across > 0 else -1)
        width = np.maximum(along, 1) * spread * 0.55 + 5
        strength = np.clip(1 - np.abs(self._dy + along * 0.06) / width, 0, 1)
        strength *= (
            (along > 0)
            * np.exp(-self._away * (2.2 + 3.5 * (1 - abs(across))))
            * 0.62
            * abs(across) ** 0.5
        )
        frame.lighten(Image.fromarray((strength * 255).astype(np.uint8)))


def _tower_picture(width: int, height: int) -> tuple[Pixels, Pixels]:
    def mask(*polygons: list[tuple[float, float]]) -> Pixels:
        def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
            for points in polygons:
                pencil.polygon(
                    [(x * width * scale, y * height * scale) for x, y in points], fill=255
                )

        return drawn(width, height, shape, 3)

    columns, rows = grid(width, height)
    across, down = columns / width, rows / height
    half = 0.055 + 0.05 * (down - 0.2)
    body = mask([(0.345, 0.20), (0.455, 0.20), (0.50, 0.80), (0.30, 0.80)])
    picture = np.broadcast_to(rgb("#1a1830"), (height, width, 3)).astype(np.float32)
    stripes = (np.floor((down - 0.2) / 0.1) % 2 == 1)[..., None]
    paint = np.where(stripes, rgb("#d0453a"), rgb("#f3ece2"))
    round_off = np.sqrt(np.clip(1 - ((across - 0.385) / (half * 1.15)) ** 2, 0.06, 1))
    picture = mix(picture, paint * round_off[..., None], body[..., None])
    rock = mask(
        [
            (0.02, 1.0),
            (0.10, 0.88),
            (0.24, 0.79),
            (0.34, 0.765),
            (0.50, 0.77),
            (0.62, 0.80),
            (0.82, 0.83),
            (1, 0.87),
            (1, 1),
        ]
    )
    picture = mix(picture, rgb("#171527"), rock[..., None])
    house = mask(
        [(0.60, 0.72), (0.80, 0.72), (0.80, 0.84), (0.60, 0.84)],
        [(0.58, 0.73), (0.70, 0.66), (0.82, 0.73)],
    )
    picture = mix(picture, rgb("#241f3b"), house[..., None])
    window = mask(
        [(0.64, 0.755), (0.675, 0.755), (0.675, 0.79), (0.64, 0.79)],
        [(0.72, 0.755), (0.755, 0.755), (0.755, 0.79), (0.72, 0.79)],
    )
    picture = mix(picture, rgb("#ffd27a"), window[..., None])
    lamp = mask([(0.362, 0.12), (0.438, 0.12), (0.438, 0.185), (0.362, 0.185)])
    picture = mix(picture, rgb("#fff3c4"), lamp[..., None])
    roof = mask([(0.345, 0.122), (0.40, 0.055), (0.455, 0.122)])
    picture = mix(picture, rgb("#b83a32"), roof[..., None])
    rail = mask([(0.335, 0.185), (0.465, 0.185), (0.465, 0.203), (0.335, 0.203)])
    picture = mix(picture, rgb("#20203a"), rail[..., None])
    return picture.astype(np.float32), np.maximum.reduce([body, rock, house, lamp, roof, rail])
