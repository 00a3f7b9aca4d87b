"""Northern lights."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import ImageChops

from liuying_demo.scenes.canvas import (
    Pixels,
    Stops,
    gradient,
    grid,
    mix,
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
    wrapped,
)
from liuying_demo.scenes.horizon import conifers, hills
from liuying_demo.scenes.water import Water

SWAY = 480  # pixels that a curtain of light may travel


@dataclass(frozen=True, kw_only=True)
class Aurora:
    """Northern lights over a forest or a lake. `colours`: foot, middle and crown of the
    curtains.
    """

    colours: tuple[str, str, str] = ("#38f0a0", "#5fd3ff", "#b06bff")
    sky: Stops = ((0, "#050a1c"), (0.6, "#0d2140"), (0.85, "#1d4a5e"), (1, "#0a1420"))
    horizon: float = 0.78
    lake: bool = False


def aurora(view: Aurora) -> Scene:
    """The scene of northern lights."""

    def draw(stage: Stage) -> Shot:
        horizon = round((view.horizon - (0.12 if view.lake else 0)) * stage.height) & ~1
        picture = gradient(view.sky, stage.width, stage.height)
        sky = developed_layer(
            stage, picture + stars(stage.random, stage.width, stage.height)[..., None]
        )
        curtains = [_curtain(view, stage, index) for index in range(4)]
        streaks = plane_of(0.35 + 0.65 * _streaks(stage))
        ridges = [hills(stage, horizon, 0), hills(stage, horizon, 1)]
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
                    curtain.alpha or streaks,
                    wrapped(streaks, time * 42 * (1 - 2 * (index % 2)), 0, *curtain.size),
                )
                result.draw(
                    Layer(curtain.luma, curtain.blue, curtain.red, bright, curtain.alpha_half),
                    x,
                    0,
                    strength,
                )
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
    return np.broadcast_to(mix(0.5, fine, np.clip(edge, 0, 1)), (stage.height, 2048)).astype(
        np.float32
    )
