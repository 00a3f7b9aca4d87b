"""Composing frames quickly: layers kept as luma and half-size chroma planes, moved by fractions of
a pixel.

Layers are drawn once with `canvas`; a frame is a few crops, blends and pastes of them (some
milliseconds). Values are full range BT.709 until a frame is handed on as limited range 4:2:0, what
a video encoder wants.

The file is long because canvas, layers and frames know each other's planes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops

from liuying_demo.scenes.canvas import Pixels, Random, developed, grid

FRAME_RATE = 20

LIMITED_LUMA = [round(16 + value * 219 / 255) for value in range(256)]
LIMITED_CHROMA = [round(128 + (value - 128) * 224 / 255) for value in range(256)]


@dataclass(frozen=True)
class Stage:
    """Where a scene is drawn.

    Attributes:
        width: Pixels, even.
        height: Pixels, even.
        seconds: How long the shot lasts.
        random: The only source of chance.
    """

    width: int
    height: int
    seconds: float
    random: Random

    @property
    def is_portrait(self) -> bool:
        return self.height > self.width


@dataclass(frozen=True)
class Layer:
    """A picture in planes. `alpha` is None where it covers everything; chroma planes have half the
    size.

    `origin` is where the planes lie within the layer: even numbers, above 0 where empty edges were
    cut off.
    """

    luma: Image.Image
    blue: Image.Image
    red: Image.Image
    alpha: Image.Image | None = None
    alpha_half: Image.Image | None = None
    origin: tuple[int, int] = (0, 0)

    @property
    def size(self) -> tuple[int, int]:
        return self.luma.size


Shot = Callable[[float], "Frame"]  # the frame at a time in seconds
Scene = Callable[[Stage], Shot]  # draws its layers, then answers with frames


def to_layer(picture: Pixels, alpha: Pixels | None = None) -> Layer:
    """Planes of a picture with values from 0 to 1; width and height must be even."""
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    mask = None if alpha is None else _plane(alpha)
    return Layer(
        luma=_plane(luma),
        blue=_plane(_halved((blue - luma) / 1.8556 + 128 / 255)),
        red=_plane(_halved((red - luma) / 1.5748 + 128 / 255)),
        alpha=mask,
        alpha_half=None if alpha is None else _plane(_halved(alpha)),
    )


def developed_layer(stage: Stage, picture: Pixels, alpha: Pixels | None = None) -> Layer:
    """`to_layer` of the picture after `canvas.developed`."""
    return to_layer(developed(picture, stage.random), alpha)


def plain_layer(colour: Pixels, alpha: Pixels) -> Layer:
    """One colour seen through a mask."""
    return to_layer(np.broadcast_to(colour, (*alpha.shape, 3)).astype(np.float32), alpha)


def chroma_of(colour: Pixels) -> tuple[int, int]:
    """The two chroma values of a colour, for `Frame.tint`."""
    layer = to_layer(np.broadcast_to(colour, (2, 2, 3)).astype(np.float32))
    return int(np.asarray(layer.blue)[0, 0]), int(np.asarray(layer.red)[0, 0])


def turned(layer: Layer, degrees: float) -> Layer:
    """A round layer turned about its middle; its mask stays as it is."""
    luma, blue, red = (
        plane.rotate(degrees, Image.Resampling.BILINEAR)
        for plane in (layer.luma, layer.blue, layer.red)
    )
    return Layer(luma, blue, red, layer.alpha, layer.alpha_half)


def mirrored(layer: Layer) -> Layer:
    """The layer with left and right exchanged."""
    return _each_plane(layer, lambda plane, _step: plane.transpose(Image.Transpose.FLIP_LEFT_RIGHT))


def scaled(layer: Layer, share: float) -> Layer:
    """The layer at a share of its size."""
    width, height = (max(1, round(side * share / 2)) for side in layer.size)
    method = Image.Resampling.BOX if share < 0.6 else Image.Resampling.BILINEAR

    def resized(plane: Image.Image, step: int) -> Image.Image:
        return plane.resize((width * 2 // step, height * 2 // step), method)

    return _each_plane(layer, resized)


def _each_plane(layer: Layer, change: Callable[[Image.Image, int], Image.Image]) -> Layer:
    """A layer of changed planes; the change is told how many pixels of the layer one of the plane's
    is wide.
    """
    return Layer(
        change(layer.luma, 1),
        change(layer.blue, 2),
        change(layer.red, 2),
        layer.alpha and change(layer.alpha, 1),
        layer.alpha_half and change(layer.alpha_half, 2),
    )


def trimmed(layer: Layer) -> Layer:
    """The layer without its empty edges: what is not there costs nothing to draw."""
    box = layer.alpha.getbbox() if layer.alpha else None
    if layer.alpha is None or layer.alpha_half is None or box is None:
        return layer
    # A seam of two pixels stays: between whole pixels an edge is mixed with what lies beside it.
    left, top = max(0, box[0] - 2) & ~1, max(0, box[1] - 2) & ~1
    right, bottom = min(layer.size[0], (box[2] + 3) & ~1), min(layer.size[1], (box[3] + 3) & ~1)
    whole, half = (left, top, right, bottom), (left // 2, top // 2, right // 2, bottom // 2)
    return Layer(
        layer.luma.crop(whole),
        layer.blue.crop(half),
        layer.red.crop(half),
        layer.alpha.crop(whole),
        layer.alpha_half.crop(half),
        (layer.origin[0] + left, layer.origin[1] + top),
    )


def plane_of(field: Pixels) -> Image.Image:
    """A field from 0 to 1 as an 8-bit picture, for lights and masks."""
    return _plane(field)


def vignette(width: int, height: int, strength: float = 0.34) -> Image.Image:
    """A plane to multiply with: 1 in the middle, darker to the corners."""
    columns, rows = grid(width, height)
    distance = ((columns / width - 0.5) ** 2 + (rows / height - 0.5) ** 2) * 2
    return _plane(1 - strength * distance)


class Frame:
    """A picture under composition."""

    def __init__(
        self, base: Layer, x: float = 0, y: float = 0, size: tuple[int, int] | None = None
    ) -> None:
        """Start with `base` seen from (x, y); `size` is the frame's, by default the layer's."""
        width, height = size or base.size
        self.size = (width, height)
        self.luma = shifted(base.luma, -x, -y, width, height)
        self.blue = shifted(base.blue, -x / 2, -y / 2, width // 2, height // 2)
        self.red = shifted(base.red, -x / 2, -y / 2, width // 2, height // 2)

    def draw(
        self, layer: Layer, x: float = 0, y: float = 0, opacity: float = 1.0, whole: bool = False
    ) -> None:
        """Paste a layer with its left upper corner at (x, y), fractions of a pixel included.

        `whole` rounds to whole pixels, which costs a third: right for what is soft or fast.
        """
        x, y = x + layer.origin[0], y + layer.origin[1]
        if whole:
            x, y = math.floor(x) & ~1, math.floor(y) & ~1
        left, top = max(0, math.floor(x)) & ~1, max(0, math.floor(y)) & ~1
        right = min(self.size[0], math.ceil(x + layer.size[0]) + 1)
        bottom = min(self.size[1], math.ceil(y + layer.size[1]) + 1)
        if right <= left or bottom <= top or opacity <= 0:
            return
        for target, plane, mask, scale in (
            (self.luma, layer.luma, layer.alpha, 1),
            (self.blue, layer.blue, layer.alpha_half, 2),
            (self.red, layer.red, layer.alpha_half, 2),
        ):
            place = (left // scale, top // scale)
            width, height = (right - left + scale - 1) // scale, (bottom - top + scale - 1) // scale
            offset = ((x - left) / scale, (y - top) / scale)
            part = shifted(plane, *offset, width, height)
            if mask is None:
                target.paste(part, place)
            else:
                target.paste(part, place, _faded(shifted(mask, *offset, width, height), opacity))

    def lighten(
        self, light: Image.Image, gain: float = 1.0, place: tuple[int, int] = (0, 0)
    ) -> None:
        """Add a plane to the brightness, `gain` times."""
        box = (*place, place[0] + light.width, place[1] + light.height)
        self.luma.paste(ImageChops.add(self.luma.crop(box), _faded(light, gain)), place)

    def shade(self, plane: Image.Image) -> None:
        """Multiply the brightness with a plane of the frame's size."""
        self.luma = ImageChops.multiply(self.luma, plane)

    def tint(self, blue: int, red: int, mask_half: Image.Image) -> None:
        """Pull the colour under a half-size mask to a chroma value (128 is grey)."""
        self.blue.paste(blue, (0, 0), mask_half)
        self.red.paste(red, (0, 0), mask_half)

    def zoom(self, scale: float, x: float = 0.5, y: float = 0.5) -> None:
        """Enlarge `scale` times (from 1 on) around a point given in shares."""

        def enlarged(plane: Image.Image) -> Image.Image:
            width, height = plane.width / scale, plane.height / scale
            left, top = (plane.width - width) * x, (plane.height - height) * y
            box = (left, top, left + width, top + height)
            return plane.resize(plane.size, Image.Resampling.BILINEAR, box=box)

        self.luma, self.blue, self.red = (
            enlarged(self.luma),
            enlarged(self.blue),
            enlarged(self.red),
        )

    def to_bytes(self) -> bytes:
        """Planar 4:2:0, limited range: width x height x 3 / 2 bytes."""
        return b"".join(
            (
                self.luma.point(LIMITED_LUMA).tobytes(),
                self.blue.point(LIMITED_CHROMA).tobytes(),
                self.red.point(LIMITED_CHROMA).tobytes(),
            )
        )

    def to_image(self) -> Image.Image:
        """The frame as an RGB picture."""
        luma = np.asarray(self.luma, np.float32)
        blue = np.asarray(self.blue.resize(self.size, Image.Resampling.BILINEAR), np.float32) - 128
        red = np.asarray(self.red.resize(self.size, Image.Resampling.BILINEAR), np.float32) - 128
        channels = (luma + 1.5748 * red, luma - 0.1873 * blue - 0.4681 * red, luma + 1.8556 * blue)
        return Image.fromarray(np.clip(np.stack(channels, -1) + 0.5, 0, 255).astype(np.uint8))


def shifted(plane: Image.Image, x: float, y: float, width: int, height: int) -> Image.Image:
    """The plane moved by (x, y) and cut to a size; what comes from outside is 0. Linear between
    pixels.
    """
    left, top = math.floor(x), math.floor(y)
    across, down = x - left, y - top

    def cut(dx: int, dy: int) -> Image.Image:
        return plane.crop((-left - dx, -top - dy, width - left - dx, height - top - dy))

    row = cut(0, 0)
    if across > 0.01:
        row = Image.blend(row, cut(1, 0), across)
    if down > 0.01:
        lower = cut(0, 1)
        if across > 0.01:
            lower = Image.blend(lower, cut(1, 1), across)
        row = Image.blend(row, lower, down)
    return row


def wrapped(plane: Image.Image, x: float, y: float, width: int, height: int) -> Image.Image:
    """A window of an endlessly repeated plane, moved by whole pixels. The plane must be larger than
    the window.
    """
    left, top = math.floor(x) % plane.width, math.floor(y) % plane.height
    window = plane.crop((left, top, left + width, top + height))
    for dx in (0, plane.width):
        for dy in (0, plane.height):
            if (dx or dy) and left + width > dx and top + height > dy:
                window.paste(plane, (dx - left, dy - top))
    return window


def _faded(mask: Image.Image, gain: float) -> Image.Image:
    if abs(gain - 1) < 0.01:
        return mask
    return Image.blend(Image.new("L", mask.size), mask, gain)


def _plane(field: Pixels) -> Image.Image:
    return Image.fromarray((np.clip(field, 0, 1) * 255 + 0.5).astype(np.uint8))


def _halved(field: Pixels) -> Pixels:
    height, width = field.shape
    return np.asarray(field.reshape(height // 2, 2, width // 2, 2).mean((1, 3)), np.float32)
