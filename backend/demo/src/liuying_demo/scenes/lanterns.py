"""Paper lanterns, rising or hanging."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.canvas import Stops, glow, gradient, grid, mix, rgb, smooth
from liuying_demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    to_layer,
    vignette,
)


def lanterns(
    base: Stops, colours: tuple[str, str], count: int = 34, *, floating: bool = True
) -> Scene:
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
                top = (
                    (y * span - rise) % span - layer.size[1]
                    if floating
                    else (y * 0.55 - 0.06) * stage.height + rise
                )
                flicker = 0.93 + 0.07 * math.sin(time * (6 + 3 * beat) + beat * 20)
                result.draw(
                    layer,
                    x * stage.width * 1.1 - layer.size[0] * 0.55 + sway * (5 + 60 * size),
                    top,
                    flicker,
                )
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
        light = (
            0.5 + 0.75 * smooth(-0.5, 0.5, dy) - 0.35 * (np.abs(dx) / np.maximum(half, 0.1)) ** 2
        )
        ribs = 1 - 0.07 * (np.abs(((dx / np.maximum(half, 0.1)) * 1.5) % 1 - 0.5) < 0.05)
    else:
        half = 0.52 * np.sqrt(np.clip(1 - (dy / 0.42) ** 2, 0, 1))
        body = smooth(0.02, -0.01, np.abs(dx) - half) * smooth(0.40, 0.385, np.abs(dy))
        light = 0.55 + 0.6 * np.exp(-((dx / 0.3) ** 2 + (dy / 0.3) ** 2)) - 0.2 * np.abs(dy)
        ribs = 1 - 0.16 * (np.abs(((dx / np.maximum(half, 0.05)) * 3) % 1 - 0.5) < 0.06)
    hue = mix(rgb(colours[0]), rgb(colours[1]), np.clip(light - 0.35, 0, 1)[..., None])
    halo = 0.34 * np.exp(-((np.hypot(dx, dy) / 0.62) ** 2))
    picture = mix(
        np.broadcast_to(rgb(colours[1]), (side, side, 3)),
        hue * (0.5 + 0.62 * light * ribs)[..., None],
        body[..., None],
    )
    alpha = np.maximum(body * 0.98, halo)
    if not floating:
        caps = smooth(0.17, 0.15, np.abs(dx)) * ((np.abs(np.abs(dy) - 0.42)) < 0.035)
        tassel = ((np.abs(dx) < 0.10) & (dy > 0.44) & (dy < 0.80)) * (0.5 + 0.5 * np.sin(dx * 190))
        cord = (np.abs(dx) < 0.008) & (dy < -0.42)
        picture = mix(picture, rgb("#d6a046"), np.clip(caps + tassel, 0, 1)[..., None])
        picture = mix(picture, rgb("#3a1014"), cord[..., None].astype(np.float32))
        alpha = np.maximum.reduce([alpha, caps, tassel * 0.8, cord * 0.9])
    return to_layer(
        np.clip(picture, 0, 1).astype(np.float32), np.clip(alpha, 0, 1).astype(np.float32)
    )
