"""Work of hands: a pot on the wheel, ink on paper, threads on a loom."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying.demo.scenes.board import Board, Pencil
from liuying.demo.scenes.canvas import Pixels, Random, grid, mix, noise, resized, rgb, smooth, wrapping_noise
from liuying.demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, to_layer, vignette

SKIN_WIDTH = 512  # of a pot's surface once round


def pottery(wall: tuple[str, str], clay: str, stripes: tuple[str, ...], form: str = "vase") -> Scene:
    """A pot that turns on the wheel while its belly is shaped. `form`: vase, bowl or jar."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        x, foot = board.width / 2, board.height * 0.82
        ramp = np.hypot((board.x - x * 1.3) / board.width, (board.y - board.height * 0.32) / board.height)
        board.picture = np.asarray(mix(rgb(wall[0]), rgb(wall[1]), smooth(0, 0.75, ramp)[..., None]), np.float32)
        _shelf(board)
        _wheel(board, x, foot, clay)
        base = board.layer()
        pot = _Pot(stage, x * board.unit, foot * board.unit, clay, stripes, form)
        spin = [plane_of(_wheel_light(board, x, foot, turn)) for turn in np.linspace(0, math.pi, 10, endpoint=False)]
        dark = vignette(stage.width, stage.height, 0.46)

        def frame(time: float) -> Frame:
            result = Frame(base)
            result.lighten(spin[int(time * 14) % len(spin)], 0.7)
            pot.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _shelf(board: Board) -> None:
    """Finished pieces out of focus behind the wheel."""
    random, y = board.stage.random, board.height * 0.40
    pots = [
        (
            board.width * (index + 0.3 + 0.4 * random.random()) / 9,
            44 + 56 * random.random(),
            70 + 96 * random.random(),
            int(random.integers(4)),
        )
        for index in range(9)
    ]

    def draw(ink: Pencil) -> None:
        ink.line([(-20, y + 8), (board.width + 20, y + 8)], "#2c1a10", 20)
        for x, broad, tall, tone in pots:
            colour = ("#9a8f80", "#5f7f86", "#b8805a", "#d8cdb8")[tone]
            ink.polygon(
                [
                    (x - broad * 0.3, y),
                    (x - broad * 0.5, y - tall * 0.6),
                    (x - broad * 0.2, y - tall),
                    (x + broad * 0.2, y - tall),
                    (x + broad * 0.5, y - tall * 0.6),
                    (x + broad * 0.3, y),
                ],
                colour,
            )

    board.sketch(draw, 7)
    board.light(
        np.asarray(np.exp(-(((board.x - board.width * 0.8) / 260) ** 2) - ((board.y - 120) / 240) ** 2), np.float32),
        "#ffd9a0",
        0.4,
    )


def _wheel(board: Board, x: float, y: float, clay: str) -> None:
    board.shadow(board.disc(x, y + 34, 330, 4, 0.3), 0, 26, 22, 0.6)
    board.fill(board.disc(x, y + 26, 322, 1.5, 0.28), "#2a2320")
    board.fill(board.disc(x, y + 6, 322, 1.5, 0.28), "#6e625a")
    away = np.hypot(board.x - x, (board.y - y - 6) / 0.28)
    rings = 0.86 + 0.14 * np.sin(away / 5)
    board.fill(board.disc(x, y + 6, 314, 1.5, 0.28), np.asarray(rgb("#8a7c70") * rings[..., None], np.float32))
    board.fill(board.disc(x, y + 8, 190, 8, 0.26), clay, 0.55)


def _wheel_light(board: Board, x: float, y: float, turn: float) -> Pixels:
    angle = np.arctan2((board.y - y - 6) / 0.28, board.x - x) - turn
    away = np.hypot(board.x - x, (board.y - y - 6) / 0.28)
    ray = np.exp(-((np.sin(angle) / 0.16) ** 2))
    return np.asarray(ray * smooth(312, 300, away) * smooth(150, 200, away) * 0.24, np.float32)


class _Pot:
    """A surface of revolution whose skin passes by as it turns."""

    def __init__(self, stage: Stage, x: float, foot: float, clay: str, stripes: tuple[str, ...], form: str) -> None:
        unit = min(stage.width, stage.height) / 720
        self.height, self.width = round(470 * unit) & ~1, round(480 * unit) & ~1
        self.left, self.top = x - self.width / 2, foot - self.height + 22 * unit
        self.form, self.unit = form, unit
        self._columns, self._rows = grid(self.width, self.height)
        self._share = 1 - self._rows[:, 0] / (self.height - 1)  # 0 at the foot, 1 at the rim
        skin = _skin(stage.random, clay, stripes)
        layer = to_layer(skin)
        self._luma = np.asarray(layer.luma, np.int32).ravel()
        self._chroma = [np.asarray(plane).ravel() for plane in (layer.blue, layer.red)]

    def draw(self, frame: Frame, time: float) -> None:
        """The pot at a time in seconds: one turn in 2.2 s, its form swelling and narrowing slowly."""
        radius = _profile(self._share, self.form, 0.5 + 0.5 * math.sin(time * 0.55)) * self.width * 0.46
        across = (self._columns - self.width / 2 + 0.5) / radius[:, None]
        inside = np.clip(1 - across * across, 0, 1)
        angle = np.arcsin(np.clip(across, -1, 1))
        column = np.asarray(angle / (2 * math.pi) * SKIN_WIDTH - time / 2.2 * SKIN_WIDTH, np.int32) & (SKIN_WIDTH - 1)
        row = np.asarray(np.clip(self._rows / self.height * 256, 0, 255), np.int32)
        light = (
            0.30
            + 0.85 * np.clip(0.55 * across * -1 + 0.8 * np.sqrt(inside), 0, 1)
            + 0.5 * np.exp(-(((across + 0.42) / 0.10) ** 2))
        )
        luma = np.clip(self._luma[row * SKIN_WIDTH + column] * light, 0, 255)
        mask = np.clip((radius[:, None] - np.abs(self._columns - self.width / 2 + 0.5)), 0, 1)
        half = (row[::2, ::2] // 2) * (SKIN_WIDTH // 2) + column[::2, ::2] // 2
        alpha = plane_of(np.asarray(mask, np.float32))
        blue, red = (Image.fromarray(plane[half]) for plane in self._chroma)
        layer = Layer(
            Image.fromarray(np.asarray(luma, np.uint8)),
            blue,
            red,
            alpha,
            alpha.resize((self.width // 2, self.height // 2), Image.Resampling.BOX),
        )
        frame.draw(layer, round(self.left) & ~1, round(self.top) & ~1, whole=True)
        self._rim(frame, float(radius[0]))

    def _rim(self, frame: Frame, radius: float) -> None:
        side, high = round(radius * 2.1) & ~1, round(radius * 0.5) & ~1
        columns, rows = grid(side, high)
        away = np.hypot((columns - side / 2) / radius, (rows - high / 2) / (radius * 0.2))
        picture = mix(rgb("#1a100a"), rgb("#c8a888"), smooth(0.84, 0.92, away)[..., None])
        mouth = to_layer(np.asarray(picture, np.float32), np.asarray(smooth(1.03, 0.97, away), np.float32))
        frame.draw(mouth, self.left + self.width / 2 - side / 2, round(self.top) - high / 2)


def _profile(share: Pixels, form: str, swell: float) -> Pixels:
    if form == "bowl":
        return np.asarray(0.34 + 0.60 * smooth(0.0, 1.0, share) ** 0.8 + 0.06 * swell * np.sin(share * 3), np.float32)
    if form == "jar":
        return np.asarray(
            0.46
            + (0.40 + 0.08 * swell) * np.clip(np.sin(np.clip(share * 0.94 + 0.03, 0, 1) * math.pi), 0, 1) ** 0.7
            - 0.05 * share,
            np.float32,
        )
    return np.asarray(
        0.36 + (0.42 + 0.10 * swell) * np.exp(-(((share - 0.42) / 0.24) ** 2)) + 0.14 * smooth(0.82, 1.0, share),
        np.float32,
    )


def _skin(random: Random, clay: str, stripes: tuple[str, ...]) -> Pixels:
    """The painted surface, shape (256, 512, 3); its ends meet."""
    grain = wrapping_noise(random, SKIN_WIDTH, 8, 6, 0.55)[:256]
    lines = 0.94 + 0.06 * np.sin(np.arange(256) / 1.7)[:, None]
    picture = rgb(clay) * (0.84 + 0.34 * grain)[..., None] * lines[..., None]
    around = np.arange(SKIN_WIDTH)[None] / SKIN_WIDTH * 2 * math.pi
    down = np.arange(256)[:, None] / 256
    for index, colour in enumerate(stripes):
        place = 0.34 + 0.13 * index
        line = place + 0.028 * np.sin(around * (7 + 2 * index)) * (index % 2)
        band = smooth(0.045, 0.030, np.abs(down - line))
        leaf = 0.5 + 0.5 * np.sin(around * 16) * np.sin((down - place) * 60)
        picture = mix(picture, rgb(colour) * (0.85 + 0.3 * grain)[..., None], (band * (0.55 + 0.45 * leaf))[..., None])
    return np.clip(picture, 0, 1).astype(np.float32)


def ink_wash(paper: str, ink: str, seal: str = "#b8322a", sun: str | None = "#c8553a") -> Scene:
    """Mountains in ink on paper; mist drifts between them, a boat crosses, cranes fly."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage, paper)
        fibre = noise(stage.random, stage.width, stage.height, 90, 3, 0.6, 0.6)
        board.picture = board.picture * (0.955 + 0.075 * fibre)[..., None]
        if sun:
            board.fill(board.disc(board.width * 0.74, board.height * 0.24, 58, 3), sun, 0.82)
        base = board.layer()
        ranges = [_ink_range(stage, ink, depth) for depth in range(4)]
        mist = plane_of(_mist(stage))
        boat, cranes = _ink_boat(stage, ink), [_crane(stage, ink, beat) for beat in range(6)]
        stamp = _stamp(stage, seal)

        def frame(time: float) -> Frame:
            result = Frame(base)
            for depth, layer in enumerate(ranges):
                result.draw(layer, -(12 + 20 * depth) * time / stage.seconds, 0)
                part = mist.crop(
                    (
                        round(60 + 34 * time * (1 + depth * 0.3)) % 900,
                        0,
                        round(60 + 34 * time * (1 + depth * 0.3)) % 900 + stage.width,
                        stage.height,
                    )
                )
                result.luma.paste(238, (0, 0), part.point([value * (10 - 2 * depth) // 10 for value in range(256)]))
            for index in range(5):
                pose = cranes[int(time * 6 + index * 2) % 6]
                x = (0.12 + 0.055 * index) * stage.width + time * 32
                result.draw(pose, x, (0.20 + 0.03 * abs(index - 2)) * stage.height + 4 * math.sin(time * 2 + index))
            result.draw(boat, 0.30 * stage.width + 22 * time, 0.86 * stage.height + 1.5 * math.sin(time * 1.6))
            result.draw(stamp, stage.width * 0.9, stage.height * 0.78)
            return result

        return frame

    return draw


def _ink_range(stage: Stage, ink: str, depth: int) -> Layer:
    random, width, height = stage.random, stage.width + 100, stage.height
    coarse = resized(random.random((2, 5 + depth)).astype(np.float32), width, 2)[0]
    middle = resized(random.random((2, 22)).astype(np.float32), width, 2)[0]
    fine = resized(random.random((2, 120)).astype(np.float32), width, 2)[0]
    crest = height * (
        0.46 + 0.12 * depth - (0.42 - 0.05 * depth) * np.clip(coarse, 0, 1) ** 1.6 - 0.07 * middle - 0.016 * fine
    )
    columns, rows = grid(width, height)
    below = rows - crest[None]
    brush = noise(random, width, height, 12, 5, 0.6, 0.5)
    strokes = smooth(0.46, 0.62, brush + 0.16 * np.sin((columns * 0.5 + rows) / 9) * 0.4)
    strength = (0.26 + 0.20 * depth) * np.exp(-np.clip(below, 0, None) / (height * 0.30)) * (0.55 + 0.45 * strokes)
    strength += 0.32 * np.exp(-((below / 3.2) ** 2)) * (0.4 + 0.6 * fine[None]) * (0.5 + 0.17 * depth)
    alpha = np.clip(strength, 0, 0.96) * smooth(-1.5, 1.0, below)
    return to_layer(np.broadcast_to(rgb(ink), (height, width, 3)).astype(np.float32), np.asarray(alpha, np.float32))


def _mist(stage: Stage) -> Pixels:
    width = stage.width + 1000
    cloud = noise(stage.random, width, stage.height, 4, 5, 0.5, 1.4)
    down = grid(width, stage.height)[1] / stage.height
    return np.asarray(smooth(0.46, 0.68, cloud) * np.exp(-(((down - 0.62) / 0.17) ** 2)) * 0.8, np.float32)


def _ink_boat(stage: Stage, ink: str) -> Layer:
    board = Board(stage, ink, round(stage.height * 0.26) & ~1, round(stage.height * 0.13) & ~1)

    def draw(pen: Pencil) -> None:
        pen.polygon([(8, 52), (178, 50), (150, 74), (34, 76)], ink)
        pen.polygon([(58, 52), (66, 30), (112, 29), (122, 51)], ink, 0.85)
        pen.line([(140, 52), (143, 24)], ink, 8)
        pen.disc(144, 18, 7, ink)
        pen.polygon([(130, 16), (144, 4), (160, 15)], ink)
        pen.line([(150, 30), (178, 90)], ink, 2.5)
        pen.line([(20, 84), (160, 82)], ink, 2, 0.4)

    return board.layer(board.sketch(draw, 0.5))


def _crane(stage: Stage, ink: str, beat: int) -> Layer:
    board = Board(stage, ink, round(stage.height * 0.075) & ~1, round(stage.height * 0.06) & ~1)
    lift = 13 * math.cos(beat / 6 * 2 * math.pi)

    def draw(pen: Pencil) -> None:
        pen.line([(4, 24), (24, 22), (48, 15)], ink, 3.2)
        pen.line([(22, 22), (15, 22 - lift), (5, 20 - lift * 1.4)], ink, 4.6)
        pen.line([(27, 21), (30, 20 - lift), (24, 17 - lift * 1.5)], ink, 4.6)

    return board.layer(board.sketch(draw, 0.4))


def _stamp(stage: Stage, seal: str) -> Layer:
    board = Board(stage, seal, round(stage.height * 0.08) & ~1, round(stage.height * 0.08) & ~1)
    side = board.width

    def draw(pen: Pencil) -> None:
        pen.polygon([(4, 4), (side - 4, 4), (side - 4, side - 4), (4, side - 4)], seal)

    mask = board.sketch(draw, 0.6)
    # A play mark cut out of the seal, with a wave below it: the site's emblem.
    mark = (np.abs(board.y - side * 0.42) < (side * 0.72 - board.x) * 0.55) * (board.x > side * 0.34)
    wave = np.abs(board.y - side * 0.80 - 2.5 * np.sin(board.x / 5)) < 2
    worn = smooth(0.30, 0.42, noise(stage.random, board.x.shape[1], board.x.shape[0], 12, 3))
    return board.layer(np.asarray(mask * (1 - np.clip(mark + wave, 0, 1)) * (0.45 + 0.55 * worn) * 0.92, np.float32))


def loom(warp: tuple[str, ...], frame_colour: str = "#5a3a22") -> Scene:
    """Threads on a loom: the cloth grows from below, the shuttle flies from side to side."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        _threads(board, warp)
        threads = board.layer()
        cloth, edge = _cloth(stage, warp), _shuttle(stage, frame_colour)
        beam = _beam(stage, frame_colour)
        dark = vignette(stage.width, stage.height, 0.4)

        def frame(time: float) -> Frame:
            result = Frame(threads)
            pass_time = 0.9
            rows = stage.height * (0.56 - 0.26 * min(1, time / max(stage.seconds, 6)))
            result.draw(cloth, 0, rows)
            share = (time / pass_time) % 2
            x = (share if share < 1 else 2 - share) ** 1.0
            eased = x * x * (3 - 2 * x)
            result.draw(edge, eased * (stage.width + edge.size[0]) - edge.size[0], rows - edge.size[1] * 0.9)
            push = max(0.0, math.sin(time / pass_time * math.pi) ** 8)
            result.draw(beam, 0, rows - stage.height * (0.30 - 0.10 * push))
            result.shade(dark)
            return result

        return frame

    return draw


def _threads(board: Board, warp: tuple[str, ...]) -> None:
    place = (board.x / 9) % 1
    number = np.asarray(board.x / 9, np.int32)
    colours = np.stack([rgb(code) for code in warp])
    stripe = colours[(number // 6) % len(warp)]
    light = np.sqrt(np.clip(1 - ((place - 0.5) / 0.42) ** 2, 0, 1))
    picture = stripe * (0.34 + 0.8 * light)[..., None] * (np.abs(place - 0.5) < 0.42)[..., None]
    board.picture = np.asarray(picture * (0.45 + 0.55 * smooth(0, board.height * 0.8, board.y))[..., None], np.float32)


def _cloth(stage: Stage, warp: tuple[str, ...]) -> Layer:
    board = Board(stage, warp[0], stage.width, stage.height)
    across, down = np.asarray(board.x / 9, np.int32), np.asarray(board.y / 9, np.int32)
    colours = np.stack([rgb(code) for code in warp])
    diamond = (np.abs((across % 24) - 12) + np.abs((down % 24) - 12)) // 4
    over = (across + down) % 2 == 0
    stripe = colours[(across // 6) % len(warp)]
    weft = colours[(diamond + 1) % len(warp)]
    u, v = (board.x / 9) % 1 - 0.5, (board.y / 9) % 1 - 0.5
    light = np.where(over, 1 - 1.3 * u * u - 0.5 * v * v, 1 - 1.3 * v * v - 0.5 * u * u)
    picture = np.where(over[..., None], stripe * 0.8, weft) * (0.3 + 0.78 * light)[..., None]
    board.picture = np.asarray(np.clip(picture, 0, 1), np.float32)
    return board.layer(np.ones_like(board.x))


def _shuttle(stage: Stage, colour: str) -> Layer:
    board = Board(stage, colour, round(stage.height * 0.36) & ~1, round(stage.height * 0.10) & ~1)
    width, height = board.width, board.height
    x, y = (board.x / width - 0.5) * 2, (board.y / height - 0.5) * 2
    body = smooth(0.05, -0.02, np.abs(y) - 0.72 * (1 - np.abs(x) ** 2.4))
    hollow = smooth(0.03, -0.03, np.hypot(x / 0.5, y / 0.34) - 1)
    light = 1.25 - 0.5 * (y + 0.5)
    grain = 0.9 + 0.14 * np.sin(y * 18 + 2 * np.sin(x * 5))
    picture = rgb("#b98048") * (light * grain)[..., None]
    thread = rgb("#e8d8b0") * (0.65 + 0.35 * np.sin(x * 90))[..., None]
    picture = mix(picture, thread * (1 - 0.5 * np.abs(y[..., None])), hollow[..., None])
    board.picture = np.asarray(np.clip(picture, 0, 1), np.float32)
    return board.layer(np.asarray(body, np.float32))


def _beam(stage: Stage, colour: str) -> Layer:
    board = Board(stage, colour, stage.width, round(stage.height * 0.17) & ~1)
    height = board.height
    rail = np.maximum(smooth(24, 21, board.y), smooth(height - 24, height - 21, board.y))
    teeth = (np.abs((board.x / 9) % 1) < 0.2) * 0.85
    grain = 0.8 + 0.3 * noise(stage.random, stage.width, board.x.shape[0], 8, 4, 0.6, 0.2)
    round_off = 1.2 - 0.6 * np.abs((board.y % (height - 24)) / 24 - 0.4)
    board.picture = np.asarray(
        np.clip(rgb(colour) * (grain * np.clip(round_off, 0.4, 1.3))[..., None], 0, 1), np.float32
    )
    return board.layer(np.asarray(np.maximum(rail, teeth), np.float32))
