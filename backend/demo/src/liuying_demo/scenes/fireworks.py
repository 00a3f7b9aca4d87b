"""Fireworks over a dark horizon."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from liuying_demo.scenes.canvas import Pixels, Stops, gradient, rgb
from liuying_demo.scenes.film import Frame, Scene, Shot, Stage, chroma_of, developed_layer, vignette


def fireworks(base: Stops, colours: tuple[str, ...], shells: int = 9) -> Scene:
    """Fireworks that burst over a dark horizon, the sparks falling and fading."""

    def draw(stage: Stage) -> Shot:
        random, unit = stage.random, min(stage.width, stage.height)
        back = developed_layer(stage, gradient(base, stage.width, stage.height))
        bursts = []
        for index in range(shells):
            start = index / shells * max(5.0, stage.seconds) - 1.2 + 0.5 * random.random()
            place = (
                (0.12 + 0.76 * random.random()) * stage.width,
                (0.14 + 0.36 * random.random()) * stage.height,
            )
            angles = random.random(150) * 2 * math.pi
            reach = (
                (0.55 + 0.45 * random.random(150) ** 0.5) * unit * (0.26 + 0.16 * random.random())
            )
            bursts.append(
                (
                    start,
                    place,
                    np.cos(angles) * reach,
                    np.sin(angles) * reach,
                    rgb(colours[index % len(colours)]),
                )
            )
        dark = vignette(stage.width, stage.height, 0.3)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for start, place, along, down, colour in bursts:
                age = (time - start) % max(5.0, stage.seconds)
                if age < 2.6:
                    _burst(result, age, place, (along, down), colour)
            result.shade(dark)
            return result

        return frame

    return draw


def _burst(
    frame: Frame,
    age: float,
    place: tuple[float, float],
    spread: tuple[Pixels, Pixels],
    colour: Pixels,
) -> None:
    """One shell: every spark a line from where it was to where it is."""
    width, height = frame.size
    sheet = Image.new("L", (width, height), 0)
    pencil = ImageDraw.Draw(sheet)
    fade = max(0.0, 1 - age / 2.6) ** 1.3

    def at(moment: float) -> tuple[Pixels, Pixels]:
        eased = 1 - math.exp(-2.6 * max(0.0, moment))
        return place[0] + spread[0] * eased, place[1] + spread[1] * eased + 26 * moment * moment

    old, new = at(age - 0.22), at(age)
    for x0, y0, x1, y1 in zip(*old, *new, strict=True):
        pencil.line((x0, y0, x1, y1), fill=round(255 * fade), width=2)
        pencil.ellipse(
            (x1 - 1.5, y1 - 1.5, x1 + 1.5, y1 + 1.5), fill=round(255 * min(1.0, fade * 1.4))
        )
    halo = sheet.resize((width // 2, height // 2), Image.Resampling.BOX)
    soft = halo.resize((width // 8, height // 8), Image.Resampling.BOX).resize(
        halo.size, Image.Resampling.BILINEAR
    )
    frame.lighten(sheet)
    frame.lighten(soft.resize((width, height), Image.Resampling.BILINEAR), 0.8)
    mask = soft.point([min(255, value * 4) for value in range(256)])
    frame.tint(*chroma_of(colour), mask)
