"""A planet that turns before nebulas."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying_demo.scenes.canvas import (
    Pixels,
    Random,
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
)


def planet(
    surface: tuple[str, str], ring: str | None, nebula: tuple[str, str], tilt: float = 0.35
) -> Scene:
    """A planet that turns before nebulas. `surface`: its two colours; `ring`: colour of its rings,
    or None.
    """

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

    def __init__(
        self, stage: Stage, random: Random, surface: tuple[str, str], ring: str | None, tilt: float
    ) -> None:
        radius = 0.36 * min(stage.height, stage.width * 0.75)
        self.size = round(radius * 4.7) & ~1
        self.x, self.y = stage.width * 0.60 - self.size / 2, stage.height * 0.54 - self.size / 2
        columns, rows = grid(self.size, self.size)
        dx, dy = (columns - self.size / 2) / radius, (rows - self.size / 2) / radius
        self._build_ball(random, surface, dx, dy, tilt)
        self._rings(ring, dx, dy, tilt)

    def _build_ball(
        self, random: Random, surface: tuple[str, str], dx: Pixels, dy: Pixels, tilt: float
    ) -> None:
        ball = np.clip(1 - dx * dx - dy * dy, 0, 1)
        depth = np.sqrt(ball)
        light = np.clip(dx * -0.62 + dy * -0.45 + depth * 0.6, 0, 1) * 1.12 + 0.035
        self._inside = np.nonzero((dx * dx + dy * dy).ravel() <= 1.0)[0]
        latitude = dy * math.cos(tilt) + dx * math.sin(tilt)
        longitude = np.arcsin(
            np.clip(
                (dx * math.cos(tilt) - dy * math.sin(tilt))
                / np.sqrt(np.clip(1 - latitude**2, 0.02, 1)),
                -1,
                1,
            )
        )
        row = np.clip((latitude + 1) / 2 * 255, 0, 255).astype(np.int32)
        self._row = (row.ravel()[self._inside] << 9).astype(np.int32)
        self._column = ((longitude / (2 * math.pi)) * 512).astype(np.int32).ravel()[self._inside]
        swirl = resized(noise(random, 512, 256, 5, 6, 0.55, 1.0), 512, 256)
        swirl = mix(swirl, swirl[:, ::-1], np.linspace(1, 0, 512)[None] * 0.5)
        bands = 0.5 + 0.5 * np.sin(np.linspace(-1, 1, 256)[:, None] * 17 + swirl * 7)
        colours = mix(rgb(surface[0]), rgb(surface[1]), bands[..., None]) * (
            0.72 + 0.5 * swirl[..., None]
        )
        skin = to_layer(np.asarray(colours, np.float32))
        self._skin = np.asarray(skin.luma).ravel()
        self._light = np.asarray(light.ravel()[self._inside] * 256, np.int32)
        edge = smooth(1.0, 0.985, np.sqrt(dx * dx + dy * dy))
        hue = np.asarray(
            mix(rgb(surface[0]), rgb(surface[1]), 0.5) * np.clip(light, 0, 1)[..., None], np.float32
        )
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
        luma[self._inside] = np.minimum(
            (self._skin.take(self._row | column) * self._light) >> 8, 255
        )
        face = Image.fromarray(luma.reshape(self.size, self.size))
        frame.draw(
            Layer(face, self._ball.blue, self._ball.red, self._ball.alpha, self._ball.alpha_half),
            self.x,
            self.y,
        )
        if self._front:
            frame.draw(self._front, self.x, self.y)
