"""A corridor between machines whose lights blink."""

from __future__ import annotations

import numpy as np
from PIL import Image

from liuying_demo.scenes.board import Board
from liuying_demo.scenes.canvas import Random, grid, mix, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, to_layer, vignette


def data_centre(ground: str, lights: tuple[str, str, str], haze: str) -> Scene:
    """A corridor between racks of machines whose lights blink; the viewer moves along it."""

    def draw(stage: Stage) -> Shot:
        width, height = stage.width, stage.height
        columns, rows = grid(width, height)
        x, y = (columns - width / 2) / height, (rows - height * 0.48) / height
        wall = np.maximum(np.abs(x), 1e-3)
        is_wall = wall > np.abs(y) * 0.95
        depth = np.where(is_wall, 0.34 / wall, 0.36 / np.maximum(np.abs(y), 1e-3))
        fog = np.exp(-depth * 0.36)
        up = np.where(is_wall, y * depth, x * depth)
        board = Board(stage, ground)
        floor = mix(rgb(ground) * 0.7, rgb(haze) * 0.5, smooth(0.0, 0.5, y)[..., None] * 0.25)
        board.picture = np.asarray(np.where(is_wall[..., None], rgb(ground), floor), np.float32)
        board.picture = np.asarray(
            mix(np.broadcast_to(rgb(haze), board.picture.shape), board.picture, fog[..., None]),
            np.float32,
        )
        base = board.layer()
        texture, hue = _racks(stage.random, lights)
        row = np.asarray(np.clip((up + 0.45) * 300, 0, 255), np.int32)
        place = np.asarray(depth * 160, np.int32)
        gain = np.asarray(fog * (is_wall + 0.0) * 256, np.int32)
        side = (x > 0).astype(np.int32) * 97
        shine = plane_of(
            np.asarray(
                fog * (~is_wall) * (y < 0) * smooth(0.05, 0.02, np.abs(x * depth)) * 0.9, np.float32
            )
        )
        dark = vignette(width, height, 0.42)
        chroma = [np.asarray(plane) for plane in (hue.blue, hue.red)]

        def frame(time: float) -> Frame:
            result = Frame(base)
            moved = (place + round(time * 62) + side * 3) & 511
            blink = (
                row // 10 * 37 + moved // 8 * 53 + (moved // 64 + row // 50) * int(time * 4) * 29
            ) % 97 > 20
            value = (texture[row, moved] * gain * blink) >> 8
            light = Image.fromarray(np.clip(value, 0, 255).astype(np.uint8))
            _colour(result, light, chroma, row, moved)
            result.lighten(light)
            result.lighten(light.transpose(Image.Transpose.FLIP_TOP_BOTTOM), 0.16)
            result.lighten(shine)
            result.shade(dark)
            return result

        return frame

    return draw


def _racks(random: Random, lights: tuple[str, str, str]) -> tuple[np.ndarray, Layer]:
    """Lamps of the machines: brightness, shape (256, 512), and a layer of the same size with their
    colours.
    """
    sheet = np.zeros((256, 512), np.float32)
    colour = np.zeros((256, 512, 3), np.float32)
    colour[:] = rgb(lights[0])
    for unit in range(4, 252, 10):
        sheet[unit : unit + 1, :] = 0.10
        for at in range(0, 512, 8):
            if random.random() < 0.62 and at % 64 > 6:
                tint = lights[int(random.choice(3, p=(0.68, 0.24, 0.08)))]
                sheet[unit + 3 : unit + 6, at + 2 : at + 6] = 0.6 + 0.4 * random.random()
                colour[unit : unit + 10, at : at + 8] = rgb(tint)
    sheet[:, ::64] = 0.0
    return np.asarray(sheet * 255, np.int32), to_layer(colour)


def _colour(
    frame: Frame, light: Image.Image, chroma: list[np.ndarray], row: np.ndarray, column: np.ndarray
) -> None:
    half = light.resize((light.width // 2, light.height // 2), Image.Resampling.BOX)
    mask = half.point([min(255, value * 3) for value in range(256)])
    rows, columns = row[::2, ::2] // 2, column[::2, ::2] // 2
    for name, plane in zip(("blue", "red"), chroma, strict=True):
        target: Image.Image = getattr(frame, name)
        target.paste(Image.fromarray(plane[rows, columns]), (0, 0), mask)
