"""Portraits of the demo's artists: a figure against an evening sky, each with its own colours, hair
and hat.
"""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying_demo.scenes.board import Board
from liuying_demo.scenes.canvas import mix, rgb, smooth
from liuying_demo.scenes.film import Frame, Stage

SIDE = 320
SKIES = (
    ("#22305e", "#e88a6a", "#ffd9a0"),
    ("#12324a", "#3f8f8a", "#cfe8c0"),
    ("#3a1f4e", "#b8578a", "#ffc0a8"),
    ("#1d2a3c", "#5f7fa8", "#e4dcc8"),
    ("#4a2418", "#d07a3a", "#ffdf9a"),
    ("#173a2c", "#5f9a5a", "#e8efb0"),
    ("#20203e", "#6a6ab8", "#f0c8e0"),
    ("#3c1a22", "#c04a52", "#ffc48a"),
)
SKINS = ("#f0c8a4", "#e6b48c", "#d89f78", "#f4d4b8")
HAIRS = ("#1c1618", "#2c1d18", "#3a2a22", "#5a3a26", "#141a24", "#6e6a70")
CLOTHES = ("#24405e", "#7a2f38", "#3a5a44", "#c9b48a", "#2a2a34", "#8a5a3a", "#5a4a7a", "#c46a4a")


def portrait(seed: int) -> Image.Image:
    """A square portrait, the same for the same seed."""
    random = np.random.default_rng(seed)
    board = Board(Stage(SIDE, SIDE, 1, random))
    sky = SKIES[seed % len(SKIES)]
    down = board.y / 720
    upper = mix(rgb(sky[0]), rgb(sky[1]), smooth(0.0, 0.62, down)[..., None])
    board.picture = np.asarray(
        mix(upper, rgb(sky[2]), smooth(0.55, 1.0, down)[..., None]), np.float32
    )
    sun_x = 520 if seed % 2 else 200
    board.light(board.disc(sun_x, 300, 130, 120), sky[2], 0.5)
    skin, hair = SKINS[seed // 8 % 4], HAIRS[seed // 32 % 6]
    clothes, style = CLOTHES[seed // 192 % 8], seed // 1536 % 5
    _figure(board, skin, hair, clothes, style, -1.0 if seed % 2 else 1.0)
    return Frame(board.layer()).to_image()


def _figure(board: Board, skin: str, hair: str, clothes: str, style: int, lit: float) -> None:
    side = np.clip((board.x - 360) / 260 * -lit, -1, 1)
    shade = (1.0 + 0.16 * side)[..., None]

    def painted(colour: str, gain: float = 1.0) -> np.ndarray:
        return np.asarray(np.clip(rgb(colour) * shade * gain, 0, 1), np.float32)

    long_hair = style in (0, 3)
    if long_hair:
        back = np.asarray(
            smooth(1.03, 0.98, np.hypot((board.x - 360) / 168, (board.y - 360) / 250)), np.float32
        )
        board.fill(back, painted(hair, 0.8))
    slope = 560 + 90 * (np.abs(board.x - 360) / 275) ** 2
    shoulders = smooth(281, 269, np.abs(board.x - 360)) * smooth(slope - 3, slope + 3, board.y)
    board.fill(np.asarray(shoulders, np.float32), painted(clothes))
    neck = smooth(66, 60, np.abs(board.x - 360)) * (board.y > 420) * (board.y < 610)
    board.fill(np.asarray(neck, np.float32), painted(skin, 0.82))
    collar = board.disc(360, 575, 76, 2, 0.55)
    board.fill(collar, painted(skin, 0.86))
    face = np.asarray(
        smooth(1.02, 0.985, np.hypot((board.x - 360) / 122, (board.y - 340) / 156)), np.float32
    )
    board.shadow(face, 0, 26, 16, 0.35)
    board.fill(face, painted(skin))
    _features(board, skin, lit)
    _hair(board, painted(hair), hair, style)


def _features(board: Board, skin: str, lit: float) -> None:
    for x in (312, 408):
        board.fill(
            np.asarray(
                smooth(1.1, 0.9, np.hypot((board.x - x) / 15, (board.y - 352) / 8)), np.float32
            ),
            "#2a1c1a",
            0.9,
        )
        brow = smooth(5, 2, np.abs(board.y - 318 - ((board.x - x) / 26) ** 2 * 6)) * smooth(
            26, 20, np.abs(board.x - x)
        )
        board.fill(np.asarray(brow, np.float32), "#2a1c1a", 0.75)
        cheek = np.exp(
            -(((board.x - 360 - (x - 360) * 1.35) / 34) ** 2) - ((board.y - 400) / 26) ** 2
        )
        board.fill(np.asarray(cheek, np.float32), "#e0705c", 0.25)
    nose = (
        np.exp(-(((board.x - 360 - 7 * lit) / 9) ** 2))
        * smooth(345, 385, board.y)
        * smooth(402, 394, board.y)
    )
    board.fill(np.asarray(nose, np.float32), np.asarray(rgb(skin) * 0.72, np.float32), 0.6)
    smile = smooth(
        4.5, 1.5, np.abs(board.y - 432 - 9 * (1 - ((board.x - 360) / 34) ** 2))
    ) * smooth(36, 32, np.abs(board.x - 360))
    board.fill(np.asarray(smile, np.float32), "#a04a40", 0.85)


def _hair(board: Board, paint: np.ndarray, hair: str, style: int) -> None:
    away = np.hypot((board.x - 360) / 138, (board.y - 322) / 168)
    fringe = (
        268
        + 34 * math.sin(style * 2.1) * ((board.x - 360) / 130)
        + 30 * ((board.x - 360) / 110) ** 2
    )
    cap = smooth(1.03, 0.985, away) * smooth(fringe + 8, fringe - 8, board.y)
    board.fill(np.asarray(cap, np.float32), paint)
    if style == 1:
        bun = board.disc(360, 150, 56)
        board.fill(bun, paint)
    if style == 2:
        brim = smooth(1.03, 0.97, np.hypot((board.x - 360) / 212, (board.y - 252) / 40))
        crown = smooth(1.03, 0.98, np.hypot((board.x - 360) / 136, (board.y - 236) / 118)) * (
            board.y < 256
        )
        board.fill(np.asarray(np.maximum(brim, crown), np.float32), "#c8a878")
        band = crown * (board.y > 214) * (board.y < 246)
        board.fill(np.asarray(band, np.float32), "#5a3a2c")
    if style == 4:
        for x in (312, 408):
            ring = smooth(5, 2.5, np.abs(np.hypot(board.x - x, board.y - 354) - 36))
            board.fill(np.asarray(ring, np.float32), "#20202a")
        bridge = smooth(4, 2, np.abs(board.y - 350)) * (np.abs(board.x - 360) < 14)
        board.fill(np.asarray(bridge, np.float32), "#20202a")
    shine = np.exp(-(((away - 0.8) / 0.07) ** 2)) * smooth(fringe, fringe - 60, board.y)
    board.light(np.asarray(shine, np.float32), hair, 0.5)
