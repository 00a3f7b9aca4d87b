"""A pot on the wheel."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Pixels, Random, grid, mix, rgb, smooth, wrapping_noise
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, to_layer, vignette

SKIN_WIDTH = 512  # of a pot's surface once round


def pottery(
    wall: tuple[str, str], clay: str, stripes: tuple[str, ...], form: str = "vase"
) -> Scene:
    """A pot that turns on the wheel while its belly is shaped. `form`: vase, bowl or jar."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        x, foot = board.width / 2, board.height * 0.82
        ramp = np.hypot(
            (board.x - x * 1.3) / board.width, (board.y - board.height * 0.32) / board.height
        )
        board.picture = np.asarray(
            mix(rgb(wall[0]), rgb(wall[1]), smooth(0, 0.75, ramp)[..., None]), np.float32
        )
        _shelf(board)
        _wheel(board, x, foot, clay)
        base = board.layer()
        pot = _Pot(stage, x * board.unit, foot * board.unit, clay, stripes, form)
        spin = [
            plane_of(_wheel_light(board, x, foot, turn))
            for turn in np.linspace(0, math.pi, 10, endpoint=False)
        ]
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
        np.asarray(
            np.exp(-(((board.x - board.width * 0.8) / 260) ** 2) - ((board.y - 120) / 240) ** 2),
            np.float32,
        ),
        "#ffd9a0",
        0.4,
    )


def _wheel(board: Board, x: float, y: float, clay: str) -> None:
    board.shadow(board.disc(x, y + 34, 330, 4, 0.3), 0, 26, 22, 0.6)
    board.fill(board.disc(x, y + 26, 322, 1.5, 0.28), "#2a2320")
    board.fill(board.disc(x, y + 6, 322, 1.5, 0.28), "#6e625a")
    away = np.hypot(board.x - x, (board.y - y - 6) / 0.28)
    rings = 0.86 + 0.14 * np.sin(away / 5)
    board.fill(
        board.disc(x, y + 6, 314, 1.5, 0.28),
        np.asarray(rgb("#8a7c70") * rings[..., None], np.float32),
    )
    board.fill(board.disc(x, y + 8, 190, 8, 0.26), clay, 0.55)


def _wheel_light(board: Board, x: float, y: float, turn: float) -> Pixels:
    angle = np.arctan2((board.y - y - 6) / 0.28, board.x - x) - turn
    away = np.hypot(board.x - x, (board.y - y - 6) / 0.28)
    ray = np.exp(-((np.sin(angle) / 0.16) ** 2))
    return np.asarray(ray * smooth(312, 300, away) * smooth(150, 200, away) * 0.24, np.float32)


class _Pot:
    """A surface of revolution whose skin passes by as it turns."""

    def __init__(
        self, stage: Stage, x: float, foot: float, clay: str, stripes: tuple[str, ...], form: str
    ) -> None:
        unit = min(stage.width, stage.height) / 720
        self.height, self.width = round(470 * unit) & ~1, round(480 * unit) & ~1
        self.left, self.top = x - self.width / 2, foot - self.height + 22 * unit
        self.form, self.clay = form, clay
        self._columns, self._rows = grid(self.width, self.height)
        self._share = 1 - self._rows[:, 0] / (self.height - 1)  # 0 at the foot, 1 at the rim
        skin = _skin(stage.random, clay, stripes)
        layer = to_layer(skin)
        self._luma = np.asarray(layer.luma, np.int32).ravel()
        self._chroma = [np.asarray(plane).ravel() for plane in (layer.blue, layer.red)]

    def draw(self, frame: Frame, time: float) -> None:
        """The pot at a time in seconds: one turn in 2.2 s, its form swelling and narrowing
        slowly.
        """
        radius = (
            _profile(self._share, self.form, 0.5 + 0.5 * math.sin(time * 0.55)) * self.width * 0.46
        )
        across = (self._columns - self.width / 2 + 0.5) / radius[:, None]
        inside = np.clip(1 - across * across, 0, 1)
        angle = np.arcsin(np.clip(across, -1, 1))
        column = np.asarray(
            angle / (2 * math.pi) * SKIN_WIDTH - time / 2.2 * SKIN_WIDTH, np.int32
        ) & (SKIN_WIDTH - 1)
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
        frame.draw(
            self._foot(float(radius[-1])), self.left, self.top + self.height - 1 - radius[-1] * 0.2
        )
        frame.draw(layer, round(self.left) & ~1, round(self.top) & ~1, whole=True)
        self._rim(frame, float(radius[0]))

    def _foot(self, radius: float) -> Layer:
        """The round edge on which it stands."""
        high = round(radius * 0.42) & ~1
        columns, rows = grid(self.width, high)
        across = (columns - self.width / 2 + 0.5) / radius
        away = np.hypot(across, (rows - high / 2) / (radius * 0.2))
        light = 0.30 + 0.85 * np.clip(
            -0.55 * across + 0.8 * np.sqrt(np.clip(1 - across * across, 0, 1)), 0, 1
        )
        colour = np.clip(rgb(self.clay) * (light * 0.82)[..., None], 0, 1)
        return to_layer(
            np.asarray(colour, np.float32), np.asarray(smooth(1.03, 0.97, away), np.float32)
        )

    def _rim(self, frame: Frame, radius: float) -> None:
        side, high = round(radius * 2.1) & ~1, round(radius * 0.5) & ~1
        columns, rows = grid(side, high)
        away = np.hypot((columns - side / 2) / radius, (rows - high / 2) / (radius * 0.2))
        picture = mix(rgb("#1a100a"), rgb("#c8a888"), smooth(0.84, 0.92, away)[..., None])
        mouth = to_layer(
            np.asarray(picture, np.float32), np.asarray(smooth(1.03, 0.97, away), np.float32)
        )
        frame.draw(mouth, self.left + self.width / 2 - side / 2, round(self.top) - high / 2)


def _profile(share: Pixels, form: str, swell: float) -> Pixels:
    if form == "bowl":
        return np.asarray(
            0.34 + 0.60 * smooth(0.0, 1.0, share) ** 0.8 + 0.06 * swell * np.sin(share * 3),
            np.float32,
        )
    if form == "jar":
        return np.asarray(
            0.46
            + (0.40 + 0.08 * swell)
            * np.clip(np.sin(np.clip(share * 0.94 + 0.03, 0, 1) * math.pi), 0, 1) ** 0.7
            - 0.05 * share,
            np.float32,
        )
    return np.asarray(
        0.36
        + (0.42 + 0.10 * swell) * np.exp(-(((share - 0.42) / 0.24) ** 2))
        + 0.14 * smooth(0.82, 1.0, share),
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
        picture = mix(
            picture,
            rgb(colour) * (0.85 + 0.3 * grain)[..., None],
            (band * (0.55 + 0.45 * leaf))[..., None],
        )
    return np.clip(picture, 0, 1).astype(np.float32)
