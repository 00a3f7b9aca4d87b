"""Ways that run to the horizon and come towards the viewer: rails, a running track, a road, a grid
of light.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from liuying_demo.scenes.canvas import (
    Pixels,
    Random,
    Stops,
    glow,
    gradient,
    grid,
    mix,
    resized,
    rgb,
    smooth,
)
from liuying_demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    mirrored,
    scaled,
    to_layer,
    vignette,
)

LONG, BROAD = 512, 512  # size of a ground's texture: along the way (it repeats), and across it


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way to the horizon.

    Attributes:
        sky: Gradient down to the horizon; `light` the sun's place and colour, or None.
        ground: Paints the texture; rows run along the way and repeat, columns from far left to far
            right.
        haze: Colour that the ground takes far away.
        speed: Lengths of the texture that pass in a second.
        repeat: How often the texture lies between the viewer and a point 10 heights away.
        beside: Pairs of things that stand left and right and come nearer, or None.
        hills: Colours of two distant ridges.
    """

    sky: Stops
    ground: Callable[[Random], Pixels]
    haze: str
    hills: tuple[str, str]
    light: tuple[float, float, str] | None = None
    horizon: float = 0.5
    speed: float = 0.8
    reach: float = 1.0
    beside: Callable[[Stage], Layer] | None = None
    gap: float = 0.5
    bob: float = 0.0


def way(view: Way) -> Scene:
    """The scene of a way."""

    def draw(stage: Stage) -> Shot:
        horizon = round(view.horizon * stage.height) & ~1
        back = _back(view, stage, horizon)
        ground = _Ground(view, stage, horizon)
        thing = view.beside(stage) if view.beside else None
        sizes = _sizes(thing) if thing else []
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(back)
            ground.draw(result, time)
            for depth in _depths(view, time) if sizes else ():
                _stand(result, sizes, depth, horizon, view)
            if view.bob:
                result.zoom(
                    1.025, 0.5 + 0.35 * math.sin(time * 5.5), 0.5 + 0.45 * math.sin(time * 11)
                )
            result.shade(dark)
            return result

        return frame

    return draw


def _back(view: Way, stage: Stage, horizon: int) -> Layer:
    width, height = stage.width, stage.height
    picture = gradient(view.sky, width, height)
    if view.light:
        x, y, colour = view.light
        picture = glow(picture, x, y, 0.28, colour, 0.7, 1.7)
        picture = glow(picture, x, y, 0.05, "#fff4dc", 1.0, 3)
    rows = grid(width, height)[1]
    for index, colour in enumerate(view.hills):
        coarse = resized(stage.random.random((2, 8 + 5 * index)).astype(np.float32), width, 2)[0]
        fine = resized(stage.random.random((2, 50)).astype(np.float32), width, 2)[0]
        crest = horizon - height * (0.02 + (0.13 - 0.06 * index) * (coarse * 0.85 + fine * 0.15))
        shade = mix(
            rgb(colour),
            rgb(view.haze),
            smooth(-height * 0.12, height * 0.02, rows - horizon)[..., None] * 0.5,
        )
        picture = mix(picture, shade, np.clip(rows - crest[None], 0, 1)[..., None])
    return developed_layer(stage, picture.astype(np.float32))


class _Ground:
    """The texture seen in perspective below the horizon."""

    def __init__(self, view: Way, stage: Stage, horizon: int) -> None:
        width, height = stage.width, stage.height - horizon
        columns, rows = grid(width, height)
        self.horizon, self.speed = horizon, view.speed
        down = (rows + 1.2) / stage.height
        depth = 0.5 / down
        across = (columns - width / 2) / stage.height * depth * 2 / view.reach
        # Beyond the texture's edges its outer fifths are mirrored on and on.
        beyond = np.abs(across) * 0.5
        beyond = np.where(beyond > 1, 0.6 + np.abs((beyond - 1) % 0.8 - 0.4), beyond)
        place = (np.sign(across) * np.clip(beyond, 0, 0.999) + 1) / 2
        self._column = np.asarray(place * BROAD, np.int32)
        self._row = np.asarray(depth * LONG * 0.25, np.int32)
        texture = view.ground(stage.random)
        layer = to_layer(np.clip(texture, 0, 1).astype(np.float32))
        soft = to_layer(np.clip(_lengthwise_mean(texture), 0, 1).astype(np.float32))
        haze = to_layer(np.broadcast_to(rgb(view.haze), (2, 2, 3)).astype(np.float32))
        clear = np.clip((down - 0.004) / 0.13, 0, 1) ** 0.7
        # Far away the texture is finer than a pixel: its mean stands in, or it would flicker.
        sharp = smooth(0.02, 0.11, down)
        self._planes = []
        for name, step in (("luma", 1), ("blue", 2), ("red", 2)):
            detail, mean = (np.asarray(getattr(source, name), np.int16) for source in (layer, soft))
            fog = int(np.asarray(getattr(haze, name))[0, 0])
            self._planes.append((name, step, detail, mean, fog))
        self._clear = np.asarray(clear * 256, np.int32)
        self._sharp = np.asarray(sharp * 256, np.int32)

    def draw(self, frame: Frame, time: float) -> None:
        """Lay the ground below the horizon."""
        row = (self._row + round(self.speed * time * LONG)) & (LONG - 1)
        for name, step, detail, mean, fog in self._planes:
            part = (slice(None, None, step), slice(None, None, step))
            rows, columns = (row[part] // step, self._column[part] // step)
            place = rows * detail.shape[1] + columns
            near = detail.ravel().take(place).astype(np.int32)
            far = mean.ravel().take(place).astype(np.int32)
            value = far + (((near - far) * self._sharp[part]) >> 8)
            value = fog + (((value - fog) * self._clear[part]) >> 8)
            plane: Image.Image = getattr(frame, name)
            plane.paste(Image.fromarray(value.astype(np.uint8)), (0, self.horizon // step))


def _lengthwise_mean(texture: Pixels) -> Pixels:
    return np.broadcast_to(texture.mean(0, keepdims=True), texture.shape)


def _sizes(thing: Layer) -> list[tuple[Layer, Layer]]:
    """A thing and its mirror image in sizes up to the whole."""
    layers = [scaled(thing, (step / 24) ** 1.6) for step in range(1, 25)]
    return [(layer, mirrored(layer)) for layer in layers]


def _depths(view: Way, time: float) -> list[float]:
    """Distances of the things beside the way, from far to near, in heights of the frame."""
    travelled = view.speed * time * 4 / 1.0 * 0.5
    first = view.gap - (travelled % view.gap)
    return [first + view.gap * index for index in range(round(9 / view.gap), -1, -1)]


def _stand(
    frame: Frame, sizes: list[tuple[Layer, Layer]], depth: float, horizon: int, view: Way
) -> None:
    scale = 0.62 / max(depth, 0.2)
    if scale > 1.25:
        return
    index = min(len(sizes) - 1, max(0, math.ceil((min(scale, 1.0) ** (1 / 1.6)) * 24) - 1))
    ground = horizon + 0.5 / max(depth, 0.2) * frame.size[1] * 0.5
    shift = 0.86 * view.reach / max(depth, 0.2) * frame.size[1] * 0.5
    fading = min(1.0, (9.5 - depth) / 2.5)
    for side, layer in zip((-1, 1), sizes[index], strict=True):
        x = frame.size[0] / 2 + side * shift - layer.size[0] / 2
        frame.draw(layer, x, ground - layer.size[1], fading, whole=depth < 2.5)


def texture_rows(colour: str, random: Random, rough: float = 0.25) -> Pixels:
    """A plain ground with grain, shape (LONG, BROAD, 3)."""
    grain = 1 - rough / 2 + rough * random.random((LONG, BROAD, 1)).astype(np.float32)
    return np.asarray(rgb(colour) * grain, np.float32)


def across() -> npt.NDArray[np.float32]:
    """The place of every column from -1 to 1, for painting textures."""
    return np.linspace(-1, 1, BROAD, dtype=np.float32)[None, :, None]


def along() -> npt.NDArray[np.float32]:
    """The place of every row from 0 to 1, for painting textures."""
    return np.linspace(0, 1, LONG, endpoint=False, dtype=np.float32)[:, None, None]
