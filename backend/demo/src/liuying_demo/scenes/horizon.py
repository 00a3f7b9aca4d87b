"""What stands dark on the horizon of a night: hills and conifers."""

from __future__ import annotations

import numpy as np
from PIL import ImageDraw

from liuying_demo.scenes.canvas import drawn, grid, mix, resized, rgb, smooth
from liuying_demo.scenes.film import Layer, Stage, plain_layer, to_layer, trimmed


def hills(stage: Stage, horizon: int, near: int) -> Layer:
    """Dark hills on the horizon (a row); `near` is 0 for the far ones and 1 for the near."""
    width, height = stage.width, stage.height
    coarse = resized(stage.random.random((2, 9)).astype(np.float32), width, 2)[0]
    fine = resized(stage.random.random((2, 44)).astype(np.float32), width, 2)[0]
    high = (0.12, 0.07)[near] * height
    crest = (
        horizon
        - high * 0.35
        + near * 0.02 * height
        - high * (coarse - 0.5)
        - high * 0.35 * (fine - 0.5)
    )
    crest = np.minimum(crest, horizon - 3)
    below = grid(width, height)[1] - crest[None]
    colour = mix(
        rgb(("#123247", "#0a1c2c")[near]), rgb("#050c16"), smooth(0, height * 0.3, below)[..., None]
    )
    return trimmed(
        to_layer(np.asarray(colour, np.float32), np.clip(below, 0, 1).astype(np.float32))
    )


def conifers(stage: Stage, horizon: int, colour: str) -> Layer:
    """A dark forest along the lower edge, 20 pixels wider than the stage."""
    random, width = stage.random, (stage.width + 20) & ~1
    high = round((stage.height - horizon) + stage.height * 0.10) & ~1
    trees = []
    for _ in range(round(150 * width / 800)):
        x = random.random() * width
        edge = abs(x / width - 0.5) * 2
        tall = stage.height * (0.04 + 0.11 * random.random() * (0.4 + edge) * 1.2)
        trees.append(
            (
                x,
                high - (stage.height - horizon) * (0.35 + 0.3 * random.random()),
                tall,
                random.random(7),
            )
        )

    def shape(pencil: ImageDraw.ImageDraw, scale: int) -> None:
        for x, y, tall, chances in trees:
            for step, chance in enumerate(chances):
                half, level = (
                    tall * 0.26 * (step / 7 + 0.12) * (0.8 + 0.4 * chance),
                    y - tall + tall * step / 7,
                )
                points = [
                    (x, level - tall * 0.12),
                    (x - half, level + tall * 0.16),
                    (x + half, level + tall * 0.16),
                ]
                pencil.polygon([(px * scale, py * scale) for px, py in points], fill=255)
        pencil.rectangle(
            [0, (high - (stage.height - horizon) * 0.42) * scale, width * scale, high * scale],
            fill=255,
        )

    return plain_layer(rgb(colour), drawn(width, high, shape))
