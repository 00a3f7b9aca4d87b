"""Woods: bamboo in a breeze, a forest in morning light, blossoms and leaves that fall."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from liuying.demo.scenes.board import Board, Pencil
from liuying.demo.scenes.canvas import Pixels, Random, Stops, glow, gradient, grid, mix, noise, resized, rgb, smooth
from liuying.demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    plane_of,
    to_layer,
    vignette,
)

MARGIN = 80


class LightRays:
    """Slanting beams of light that move slowly over a frame."""

    def __init__(self, stage: Stage, strength: float = 0.3) -> None:
        side = stage.width + stage.height
        beams = resized(stage.random.random((2, 40)).astype(np.float32), side, 2)[0]
        columns, rows = grid(stage.width + 400, stage.height)
        place = np.asarray(columns + rows * 0.45, np.int32) % side
        light = smooth(0.52, 0.8, beams[place]) * (1 - rows / stage.height) ** 0.8 * strength
        self._plane, self._size = plane_of(np.asarray(light, np.float32)), (stage.width, stage.height)

    def draw(self, frame: Frame, time: float) -> None:
        """Add the beams at a time in seconds."""
        shift = round(200 + 190 * math.sin(time * 0.33))
        window = self._plane.crop((shift, 0, shift + self._size[0], self._size[1]))
        frame.lighten(window, 0.8 + 0.2 * math.sin(time * 0.9))


@dataclass(frozen=True)
class _Flake:
    """A falling leaf or petal: its pictures in several turns, and its way."""

    turns: list[Layer]
    x: float
    y: float
    pace: float
    beat: float


class FallingLeaves:
    """Leaves or petals that tumble down a frame. `shape`: petal, leaf or maple."""

    def __init__(self, stage: Stage, colours: tuple[str, ...], count: int = 34, shape: str = "leaf") -> None:
        self.size = (stage.width, stage.height)
        random = stage.random
        sets = [_turns(stage, colour, size, shape) for colour in colours for size in (13, 20, 34)]
        self._flakes = [
            _Flake(
                turns=sets[int(random.integers(len(sets)))],
                x=random.random(),
                y=random.random(),
                pace=0.5 + random.random(),
                beat=random.random() * 6.28,
            )
            for _ in range(count)
        ]

    def draw(self, frame: Frame, time: float) -> None:
        """Draw them at a time in seconds."""
        width, height = self.size
        for flake in self._flakes:
            layer = flake.turns[int(time * 7 * flake.pace + flake.beat * 4) % len(flake.turns)]
            large = layer.size[0] / 40
            y = (flake.y * (height + 80) + time * (46 + 70 * large) * flake.pace) % (height + 80) - 50
            x = (flake.x * (width + 200) + time * 34 * large + 34 * math.sin(time * 1.2 + flake.beat)) % (
                width + 200
            ) - 100
            frame.draw(layer, x, y)


def _turns(stage: Stage, colour: str, size: float, shape: str) -> list[Layer]:
    """Eight steps of one tumble: turning, and seen more or less edge-on."""
    side = round(size * 1.5 * min(stage.width, stage.height) / 720) & ~1
    columns, rows = grid(side, side)
    x, y = (columns - side / 2 + 0.5) / side * 2.6, (rows - side / 2 + 0.5) / side * 2.6
    layers = []
    for step in range(8):
        angle, thin = step / 8 * 2 * math.pi, 0.35 + 0.65 * abs(math.cos(step / 8 * 2 * math.pi))
        u, v = x * math.cos(angle) + y * math.sin(angle), (-x * math.sin(angle) + y * math.cos(angle)) / thin
        reach, turn = np.hypot(u, v), np.arctan2(v, u)
        if shape == "petal":
            edge = 0.85 - 0.2 * np.abs(np.cos(turn * 0.5)) ** 6
        elif shape == "maple":
            edge = 0.42 + 0.5 * np.abs(np.cos(turn * 2.5)) ** 1.6
        else:
            edge = 1.0 * np.abs(np.cos(turn)) ** 0.9 * 0.75 + 0.28
        mask = smooth(0.08, -0.08, reach - edge)
        light = 0.78 + 0.34 * (1 - reach) + 0.2 * math.sin(angle)
        picture = np.clip(rgb(colour) * light[..., None], 0, 1)
        layers.append(to_layer(np.asarray(picture, np.float32), np.asarray(mask * 0.95, np.float32)))
    return layers


def bamboo(sky: Stops, near: tuple[str, str], light: str = "#fffbd0") -> Scene:
    """A bamboo grove in four depths that sway. `near`: colours of the farthest and the nearest stems."""

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
                result.draw(row, -MARGIN / 2 + sway - (time / stage.seconds - 0.5) * (6 + 16 * depth), 0)
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
        part = (slice(None), slice(max(0, round(x * board.unit) - reach), round(x * board.unit) + reach))
        _stem(board, alpha, part, (x, broad, lean, 120 + 70 * depth), colour)
    return _with_leaves(board, alpha, near, depth)


def _stem(
    board: Board,
    alpha: Pixels,
    part: tuple[slice, slice],
    form: tuple[float, float, float, float],
    colour: Pixels,
) -> None:
    """One stem, painted into its own columns. `form`: its place, breadth, lean, and the distance of its joints."""
    x, broad, lean, step = form
    down = board.y[part]
    across = (board.x[part] - x - lean * down / board.height - 7 * np.sin(down / 260 + x)) / broad * 2
    mask = smooth(1.06, 0.94, np.abs(across))
    joint = ((down + x * 3) / step) % 1
    ring = smooth(0.035, 0.0, np.minimum(joint, 1 - joint)) - 0.4 * smooth(0.10, 0.04, np.abs(joint - 0.06))
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
            long, angle = (30 + 60 * depth) * (0.6 + 0.7 * random.random()), random.normal(0.7, 0.55)
            dx, dy = math.cos(angle) * long, math.sin(angle) * long
            points = [
                (x, y),
                (x + dx * 0.4 - dy * 0.11, y + dy * 0.4 + dx * 0.11),
                (x + dx, y + dy),
                (x + dx * 0.45 + dy * 0.09, y + dy * 0.45 - dx * 0.09),
            ]
            tone = mix(rgb(near[0]) * 1.05, rgb(near[1]) * 1.25, depth * 0.8 * random.random() + 0.1)
            shapes.append((points, "#" + "".join(f"{min(255, int(value * 255)):02x}" for value in tone)))

    def leaves(ink: Pencil) -> None:
        for points, colour in shapes:
            ink.polygon(points, colour, 0.94)

    blur = (2.6, 1.4, 0.4, 1.8)[round(depth * 3)]
    mask = board.sketch(leaves, blur)
    board.picture = np.asarray(mix(board.picture, rgb("#dff0b0"), 0.24 * (1 - depth)), np.float32)
    return board.layer(np.maximum(alpha, mask))


def forest(palette: tuple[str, str, str, str], crowns: tuple[str, str, str], light: str, leaf: str = "leaf") -> Scene:
    """A path of light through tall trees. `palette`: sky, haze, ground and trunks; `crowns`: colours of the leaves."""

    def draw(stage: Stage) -> Shot:
        picture = gradient(((0, palette[0]), (0.6, palette[1]), (1, palette[2])), stage.width, stage.height)
        back = developed_layer(stage, glow(picture, 0.5, 0.42, 0.35, light, 0.75, 1.7))
        rows = [_trees(stage, palette, crowns, light, depth / 4) for depth in range(5)]
        rays = LightRays(stage, 0.34)
        falling = FallingLeaves(stage, crowns, 40, leaf)
        halo = plane_of(_halo(stage))
        dark = vignette(stage.width, stage.height, 0.34)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for depth, row in enumerate(rows):
                x = -MARGIN / 2 - (time / stage.seconds - 0.5) * (8 + 15 * depth) + 1.5 * math.sin(time + depth)
                result.draw(row, x, 0)
            result.lighten(halo, 0.8 + 0.2 * math.sin(time * 0.8))
            falling.draw(result, time)
            rays.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _halo(stage: Stage) -> Pixels:
    columns, rows = grid(stage.width, stage.height)
    away = np.hypot((columns / stage.width - 0.5) * 1.6, rows / stage.height - 0.42)
    return np.asarray(0.34 * np.exp(-((away / 0.24) ** 2)), np.float32)


def _trees(
    stage: Stage, palette: tuple[str, str, str, str], crowns: tuple[str, str, str], light: str, depth: float
) -> Layer:
    random, board = stage.random, Board(stage, palette[3], stage.width + MARGIN)
    trunks, tufts, litter = [], [], []
    colour = mix(rgb(palette[1]), rgb(palette[3]), 0.25 + 0.75 * depth)
    for _ in range(round(22 - 12 * depth)):
        x = random.random() * board.width
        if abs(x / board.width - 0.5) > 0.10 * depth + 0.04:
            trunks.append((x, (4 + 34 * depth**1.5) * (0.6 + 0.8 * random.random())))
    for _ in range(round(950 + 400 * depth)):
        x, y = random.random(), 0.02 + 0.44 * random.random() ** 1.5
        if y < 0.16 + 1.7 * abs(x - 0.5) + 0.12 * random.random():
            tone = mix(rgb(crowns[int(random.integers(3))]), rgb(palette[3]), 0.12 + 0.5 * random.random() * depth)
            tone = mix(tone, rgb(light), 0.35 * (1 - depth))
            tufts.append(
                (x * board.width, y * board.height, 4 + 10 * depth * random.random() + 4 * random.random(), _code(tone))
            )
    for _ in range(420):
        y = 0.76 + 0.03 * depth + 0.24 * random.random()
        tone = mix(rgb(crowns[int(random.integers(3))]), rgb(palette[3]), 0.3 + 0.6 * random.random())
        litter.append((random.random() * board.width, y * board.height, 3 + 7 * depth, _code(tone)))

    def draw(ink: Pencil) -> None:
        for x, broad in trunks:
            ink.polygon(
                [
                    (x - broad * 0.35, -5),
                    (x + broad * 0.35, -5),
                    (x + broad * 0.65, board.height + 5),
                    (x - broad * 0.65, board.height + 5),
                ],
                _code(colour),
            )
            ink.polygon(
                [
                    (x - broad * 0.35, -5),
                    (x - broad * 0.1, -5),
                    (x - broad * 0.25, board.height + 5),
                    (x - broad * 0.65, board.height + 5),
                ],
                _code(mix(colour, rgb(light), 0.18)),
            )
        for x, y, reach, code in tufts:
            ink.disc(x, y, reach * 1.25, code, 0.94, 0.8)
        for x, y, reach, code in litter:
            ink.disc(x, y, reach * 2.0, code, 0.85, 0.3)

    mask = board.sketch(draw, (2.6, 1.7, 1.0, 0.5, 1.6)[round(depth * 4)])
    return board.layer(mask)


def blossom(sky: Stops, flowers: tuple[str, str, str], bark: str = "#3a2420") -> Scene:
    """Branches in blossom that sway, and petals in the wind."""

    def draw(stage: Stage) -> Shot:
        back = developed_layer(stage, _soft_garden(stage, sky, flowers))
        branches = [_branch(stage, flowers, bark, side) for side in range(3)]
        petals = FallingLeaves(stage, flowers, 46, "petal")
        dark = vignette(stage.width, stage.height, 0.24)

        def frame(time: float) -> Frame:
            result = Frame(back)
            for index, branch in enumerate(branches):
                sway = math.sin(time * (0.9 + 0.2 * index) + index * 2)
                result.draw(branch, -MARGIN / 2 + sway * (5 + 4 * index), -6 + 4 * sway)
            petals.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _soft_garden(stage: Stage, sky: Stops, flowers: tuple[str, str, str]) -> Pixels:
    picture = glow(gradient(sky, stage.width, stage.height), 0.7, 0.2, 0.4, "#fff6e8", 0.4, 1.6)
    far = noise(stage.random, stage.width, stage.height, 5, 4, 0.55, 1.6)
    down = grid(stage.width, stage.height)[1] / stage.height
    mass = smooth(0.46, 0.62, far + 0.35 * (down - 0.55))
    return np.asarray(mix(picture, rgb(flowers[0]) * 0.92, (mass * 0.55)[..., None]), np.float32)


def _branch(stage: Stage, flowers: tuple[str, str, str], bark: str, side: int) -> Layer:
    random, board = stage.random, Board(stage, flowers[0], stage.width + MARGIN)
    width, height = board.width, board.height
    start, angle = (
        ((-20.0, height * 0.16), (width + 20, height * 0.06), (width + 20, height * 0.9))[side],
        (0.22, 2.75, 3.6)[side],
    )
    twigs: list[tuple[list[tuple[float, float]], float]] = []
    tips: list[tuple[float, float]] = []

    def grow(x: float, y: float, turn: float, long: float, thick: float, level: int) -> None:
        points = [(x, y)]
        for _ in range(9):
            turn += random.normal(0, 0.09)
            x, y = x + math.cos(turn) * long / 9, y + math.sin(turn) * long / 9
            points.append((x, y))
            if level and random.random() < 0.40:
                grow(
                    x, y, turn + random.choice((-1, 1)) * random.uniform(0.4, 0.9), long * 0.52, thick * 0.55, level - 1
                )
        twigs.append((points, thick))
        tips.extend(points[4:] if level else points[2:])

    grow(*start, angle, min(width * 0.62, 760), 22.0, 2)
    blooms = [
        (x + random.normal(0, 15), y + random.normal(0, 15), 10 + 11 * random.random(), int(random.integers(3)))
        for x, y in tips
        for _ in range(2)
    ]

    def draw(ink: Pencil) -> None:
        for points, thick in twigs:
            ink.line(points, bark, thick)
        for x, y, reach, tone in blooms:
            _flower(ink, x, y, reach, flowers[tone], random)

    return board.layer(board.sketch(draw, 0.5))


def _flower(ink: Pencil, x: float, y: float, reach: float, colour: str, random: Random) -> None:
    turn = random.random() * 6.28
    for petal in range(5):
        angle = turn + petal * 2 * math.pi / 5
        ink.disc(x + math.cos(angle) * reach * 0.55, y + math.sin(angle) * reach * 0.55, reach * 0.52, colour, 0.96)
    ink.disc(x, y, reach * 0.3, "#d9607c", 0.7)
    ink.disc(x, y, reach * 0.13, "#fff0b8", 0.95)


def _code(colour: Pixels) -> str:
    return "#" + "".join(f"{min(255, max(0, int(value * 255))):02x}" for value in colour)
