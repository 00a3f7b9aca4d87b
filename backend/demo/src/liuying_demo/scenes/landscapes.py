"""Scenes of lands: as they are, or mirrored in a lake."""

from __future__ import annotations

import math
from dataclasses import replace

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, vignette
from liuying_demo.scenes.flying import Extra
from liuying_demo.scenes.terrain import Land, landscape
from liuying_demo.scenes.water import Water


def land(view: Land, extra: Extra | None = None, cloud_speed: float = 26) -> Scene:
    """The scene of a landscape, with something over it where wanted."""

    def draw(stage: Stage) -> Shot:
        prepared = landscape(view, stage)
        over = extra(stage) if extra else None
        dark = vignette(stage.width, stage.height, 0.30)

        def frame(time: float) -> Frame:
            result = prepared.compose(stage, time, cloud_speed)
            if over:
                over(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def mirrored_land(view: Land, deep: str, roughness: float = 0.42, boat: bool = False) -> Scene:
    """A landscape mirrored in a lake before it."""

    def draw(stage: Stage) -> Shot:
        horizon = round(view.horizon * stage.height) & ~1
        prepared = landscape(
            replace(view, horizon=horizon / stage.height - (0.06 if stage.is_portrait else 0)),
            stage,
            horizon,
        )
        water = Water(stage, horizon, deep, roughness=roughness, depth=0.45)
        rower = _rower(stage)
        dark = vignette(stage.width, stage.height, 0.34)

        def frame(time: float) -> Frame:
            result = prepared.compose(stage, time, 20)
            water.flow(result, time)
            if boat:
                x = stage.width * 0.28 + time * 16
                result.draw(
                    rower[int(time * 3) % 6],
                    x,
                    horizon + stage.height * 0.11 + 1.4 * math.sin(time * 1.7),
                )
            result.shade(dark)
            return result

        return frame

    return draw


def _rower(stage: Stage) -> list[Layer]:
    """A small boat with somebody rowing, in six positions, its dark reflection below."""
    poses = []
    for beat in range(6):
        board = Board(
            stage, "#1a1a22", round(stage.height * 0.22) & ~1, round(stage.height * 0.12) & ~1
        )
        swing = math.sin(beat / 6 * 2 * math.pi)

        def draw(ink: Pencil, swing: float = swing) -> None:
            ink.polygon([(14, 40), (144, 40), (124, 56), (32, 56)], "#2a1c18")
            ink.line([(16, 40), (142, 40)], "#8a5a3a", 3)
            ink.line([(74, 40), (78 + 4 * swing, 20)], "#c4543a", 11)
            ink.disc(80 + 5 * swing, 10, 7, "#2a1c18")
            ink.line([(78, 26), (104 + 14 * swing, 46 - 5 * swing)], "#1a1416", 3)
            ink.line([(36, 62), (124, 62)], "#0a1016", 6, 0.35)
            ink.line([(52, 70), (108, 70)], "#0a1016", 4, 0.2)

        poses.append(board.layer(board.sketch(draw, 0.4)))
    return poses
