"""A bamboo grove."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Pixels, Stops, glow, gradient, mix, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, developed_layer, vignette
from liuying_demo.scenes.foliage import FallingLeaves, LightRays

MARGIN = 80  # pixels that a layer is wider than the stage


def bamboo(sky: Stops, near: tuple[str, str], light: str = "#fffbd0") -> Scene:
    """A bamboo grove in four depths that sway. `near`: colours of the farthest and the nearest
    stems.
    """

    def draw(stage: Stage) -> Shot:
        picture = glow(gradient(sky, stage.width, stage.height), 0.55, 0.25, 0.4, light, 0.6, 1.6)
        back = developed_layer(stage, picture)
        rows = [_stems(stage, near, depth / 3) for depth in range(4)]
        rays = LightRays(stage, 0.3)
        leaves = FallingLeaves(stage, (near[0], "#c9e08f", "#7fae4a"), 20)
        dark = vignette(stage.width, stage.height, 0.3)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for depth, row in enumerate(rows):
                sway = math.sin(time * (0.8 + 0.12 * depth) + depth * 1.3) * (3 + 5 * depth)
                result.draw(
                    row, -MARGIN / 2 + sway - (time / stage.seconds - 0.5) * (6 + 16 * depth), 0
                )
            leaves.draw(result, time)
            rays.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _stems(stage: Stage, near: tuple[str, str], depth: float) -> Layer:
    random = stage.random
    board = Board(stage, near[0], stage.width + MARGIN)
    alpha = np.zeros_like(board.x)
    count = round((26 - 13 * depth) * board.width / 1280 * (0.8 if stage.is_portrait else 1))
    for _ in range(max(5, count)):
        x, broad, lean = (
            random.random() * board.width,
            (8 + 30 * depth) * (0.6 + 0.6 * random.random()),
            random.normal(0, 16),
        )
        colour = mix(rgb(near[0]), rgb(near[1]), min(1.0, depth * 0.75 + 0.25 * random.random()))
        reach = round((broad + abs(lean) + 10) * board.unit)
        part = (
            slice(None),
            slice(max(0, round(x * board.unit) - reach), round(x * board.unit) + reach),
        )
        _stem(board, alpha, part, (x, broad, lean, 120 + 70 * depth), colour)
    return _with_leaves(board, alpha, near, depth)


def _stem(
    board: Board,
    alpha: Pixels,
    part: tuple[slice, slice],
    form: tuple[float, float, float, float],
    colour: Pixels,
) -> None:
    """One stem, painted into its own columns. `form`: its place, breadth, lean, and the distance of
    its joints.
    """
    x, broad, lean, step = form
    down = board.y[part]
    across = (
        (board.x[part] - x - lean * down / board.height - 7 * np.sin(down / 260 + x)) / broad * 2
    )
    mask = smooth(1.06, 0.94, np.abs(across))
    joint = ((down + x * 3) / step) % 1
    ring = smooth(0.035, 0.0, np.minimum(joint, 1 - joint)) - 0.4 * smooth(
        0.10, 0.04, np.abs(joint - 0.06)
    )
    light = 0.62 + 0.5 * np.sqrt(np.clip(1 - (across + 0.25) ** 2 * 0.8, 0, 1)) - 0.4 * ring
    painted = np.clip(colour * light[..., None], 0, 1)
    board.picture[part] = mix(board.picture[part], painted, mask[..., None])
    alpha[part] = np.maximum(alpha[part], mask)


def _with_leaves(board: Board, alpha: Pixels, near: tuple[str, str], depth: float) -> Layer:
    random = board.stage.random
    shapes = []
    for _ in range(70):
        x, y = random.random() * board.width, abs(random.normal(0, 0.24)) * board.height
        for _leaf in range(int(random.integers(2, 5))):
            long, angle = (
                (30 + 60 * depth) * (0.6 + 0.7 * random.random()),
                random.normal(0.7, 0.55),
            )
            dx, dy = math.cos(angle) * long, math.sin(angle) * long
            points = [
                (x, y),
                (x + dx * 0.4 - dy * 0.11, y + dy * 0.4 + dx * 0.11),
                (x + dx, y + dy),
                (x + dx * 0.45 + dy * 0.09, y + dy * 0.45 - dx * 0.09),
            ]
            tone = mix(
                rgb(near[0]) * 1.05, rgb(near[1]) * 1.25, depth * 0.8 * random.random() + 0.1
            )
            shapes.append(
                (points, "#" + "".join(f"{min(255, int(value * 255)):02x}" for value in tone))
            )

    def leaves(ink: Pencil) -> None:
        for points, colour in shapes:
            ink.polygon(points, colour, 0.94)

    blur = (2.6, 1.4, 0.4, 1.8)[round(depth * 3)]
    mask = board.sketch(leaves, blur)
    board.picture = np.asarray(mix(board.picture, rgb("#dff0b0"), 0.24 * (1 - depth)), np.float32)
    return board.layer(np.maximum(alpha, mask))
