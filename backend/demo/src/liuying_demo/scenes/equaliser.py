"""Bars that follow a beat."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying_demo.scenes.board import Board
from liuying_demo.scenes.canvas import Pixels, grid, mix, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, to_layer, vignette


def equaliser(sky: tuple[str, str], bars: tuple[str, str], count: int = 40) -> Scene:
    """Bars that dance over a mirroring floor; a disc of light pulses behind them."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        ramp = smooth(0, board.height, board.y)[..., None]
        board.picture = np.asarray(mix(rgb(sky[0]), rgb(sky[1]), ramp), np.float32)
        floor = board.height * 0.70
        away = np.hypot(board.x - board.width / 2, board.y - floor * 0.66)
        board.light(np.asarray(np.exp(-((away / 300) ** 2)), np.float32), bars[1], 0.5)
        base = board.layer()
        halo = plane_of(
            np.asarray(
                np.exp(-(((away - 255) / 12) ** 2)) * 0.55 + np.exp(-((away / 330) ** 2)) * 0.16,
                np.float32,
            )
        )
        n = count if not stage.is_portrait else count // 2
        pillars = [_pillar(stage, bars, (index + 0.5) / n, stage.width / n) for index in range(n)]
        phases = stage.random.random((n, 3)) * 6.28
        bottom = round(floor * board.unit) & ~1
        dark = vignette(stage.width, stage.height, 0.4)

        def frame(time: float) -> Frame:
            result = Frame(base)
            beat = math.exp(-(time % 0.62) * 4.2)
            result.lighten(halo, 0.55 + 0.75 * beat)
            for index, pillar in enumerate(pillars):
                share = _level(time, beat, (index + 0.5) / n, phases[index])
                _stand(result, pillar, round(index * stage.width / n), bottom, share)
            result.shade(dark)
            return result

        return frame

    return draw


def _level(time: float, beat: float, place: float, phase: Pixels) -> float:
    middle = math.exp(-(((place - 0.5) / 0.34) ** 2))
    dance = 0.5 + 0.5 * math.sin(time * 3.1 + float(phase[0])) * math.sin(
        time * 5.3 + float(phase[1])
    )
    return min(
        1.0,
        0.08
        + middle * (0.30 + 0.45 * dance + 0.28 * beat * (0.5 + 0.5 * math.sin(float(phase[2])))),
    )


def _pillar(
    stage: Stage, colours: tuple[str, str], place: float, room: float
) -> tuple[Layer, Layer]:
    """A bar at its full height, and its mirror image."""
    width, height = max(4, round(room * 0.62)) & ~1, round(stage.height * 0.6) & ~1
    columns, rows = grid(width, height)
    colour = mix(
        rgb(colours[0]), rgb(colours[1]), np.clip(0.25 * place + rows / height, 0, 1)[..., None]
    )
    gloss = 1.0 + 0.35 * np.exp(-(((columns / width - 0.3) / 0.2) ** 2))
    cells = smooth(0.10, 0.2, (rows / height * 34) % 1)
    side = smooth(width / 2 + 0.5, width / 2 - 1, np.abs(columns - width / 2 + 0.5))
    solid = to_layer(
        np.clip(colour * gloss[..., None], 0, 1).astype(np.float32),
        np.asarray(cells * side, np.float32),
    )
    fade = (0.34 * smooth(0.5, 0, rows / height) * cells * side)[:, :]
    mirror = to_layer(np.clip(colour[::-1], 0, 1).astype(np.float32), np.asarray(fade, np.float32))
    return solid, mirror


def _stand(frame: Frame, pillar: tuple[Layer, Layer], x: int, bottom: int, share: float) -> None:
    solid, mirror = pillar
    top = round(solid.size[1] * (1 - share)) & ~1
    part = _rows(solid, top, solid.size[1])
    frame.draw(part, x, bottom - part.size[1], whole=True)
    shade = _rows(mirror, 0, max(2, round(mirror.size[1] * share * 0.6) & ~1))
    frame.draw(shade, x, bottom + 4, whole=True)


def _rows(layer: Layer, first: int, last: int) -> Layer:
    def cut(plane: Image.Image | None, step: int) -> Image.Image | None:
        return plane and plane.crop((0, first // step, plane.width, last // step))

    luma, blue, red = (
        plane.crop((0, first // step, plane.width, last // step))
        for plane, step in ((layer.luma, 1), (layer.blue, 2), (layer.red, 2))
    )
    return Layer(luma, blue, red, cut(layer.alpha, 1), cut(layer.alpha_half, 2))
