"""A record that turns."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import mix, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, turned, vignette


def record(table: tuple[str, str], label: tuple[str, str], accent: str) -> Scene:
    """A record player from above. `label`: ground and figure of the record's label."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage)
        x, y = board.width * 0.585, board.height * 0.545
        if stage.is_portrait:
            x, y = board.width * 0.5, board.height * 0.56
        radius = 440.0 if not stage.is_portrait else 330.0
        ramp = (board.x / board.width + board.y / board.height) / 2
        board.picture = np.asarray(mix(rgb(table[0]), rgb(table[1]), ramp[..., None]), np.float32)
        board.shadow(board.disc(x, y, radius), 28, 44, 30, 0.7)
        _vinyl(board, x, y, radius)
        disc, arm = board.layer(), _tone_arm(stage, x, y, radius)
        centre = _label(stage, radius * 0.345, label, accent)
        shine = [_shine(board, x, y, radius, turn) for turn in (0.0, 0.55)]
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(disc)
            # A record is never quite flat: its gloss swings with every turn of 1.8 s.
            swing = math.sin(time * 2 * math.pi / 1.8)
            result.lighten(shine[0], 0.72 + 0.28 * swing)
            result.lighten(shine[1], 0.45 - 0.40 * swing)
            left, top = x * board.unit - centre.size[0] / 2, y * board.unit - centre.size[1] / 2
            result.draw(turned(centre, -time * 200), left, top)
            result.draw(arm, 0, 1.3 * swing)
            result.shade(dark)
            return result

        return frame

    return draw


def _vinyl(board: Board, x: float, y: float, radius: float) -> None:
    away = np.hypot(board.x - x, board.y - y)
    groove = 0.5 + 0.5 * np.sin(away * 1.9) * np.sin(away * 0.31 + 1)
    bands = 1 - 0.55 * np.exp(-(((away / radius * 100) % 19 - 9.5) ** 2) / 0.5)
    grey = 0.055 + 0.030 * groove * bands
    picture = np.repeat(grey[..., None], 3, -1) * np.array([1.0, 1.0, 1.1], np.float32)
    board.fill(board.disc(x, y, radius), np.asarray(picture, np.float32))
    board.fill(np.asarray(smooth(3, 1, np.abs(away - radius + 5)), np.float32), "#3a3a40", 0.6)


def _shine(board: Board, x: float, y: float, radius: float, turn: float) -> Image.Image:
    angle = np.arctan2(board.y - y, board.x - x) + turn * 0.4
    away = np.hypot(board.x - x, board.y - y)
    cone = np.exp(-((np.sin(angle - 0.35) / 0.20) ** 2)) + 0.5 * np.exp(
        -((np.sin(angle - 0.62) / 0.07) ** 2)
    )
    lines = 0.65 + 0.35 * np.sin(away * 1.4)
    inside = board.disc(x, y, radius - 8) * smooth(radius * 0.34, radius * 0.40, away)
    return plane_of(np.asarray(cone * inside * lines * 0.30, np.float32))


def _label(stage: Stage, radius: float, colours: tuple[str, str], accent: str) -> Layer:
    size = round(radius * 2 * min(stage.width, stage.height) / 720 + 6) & ~1
    board = Board(stage, colours[0], size, size)
    middle = board.width / 2
    dx, dy = (board.x - middle) / radius, (board.y - middle) / radius
    away = np.hypot(dx, dy)
    wave = smooth(0.05, 0.02, np.abs(dy - 0.3 - 0.16 * np.sin(dx * 4.4)) - 0.06)
    board.fill(np.asarray(wave, np.float32), colours[1])
    board.fill(
        np.asarray(smooth(0.20, 0.18, np.hypot(dx - 0.28, dy + 0.42)), np.float32), colours[1]
    )
    board.fill(np.asarray(smooth(0.02, 0.01, np.abs(away - 0.9)), np.float32), accent)
    board.fill(np.asarray(smooth(0.012, 0.005, np.abs(away - 0.52)), np.float32), accent, 0.5)
    board.fill(board.disc(middle, middle, radius * 0.09), "#1a1016")
    board.picture = board.picture * (1.04 - 0.12 * away)[..., None]
    return board.layer(board.disc(middle, middle, radius))


def _tone_arm(stage: Stage, x: float, y: float, radius: float) -> Layer:
    board = Board(stage)
    foot = (x - radius * 1.12, y - radius * 0.86)
    head = (x - radius * 0.60, y + radius * 0.24)

    def shadow(ink: Pencil) -> None:
        ink.line([(foot[0] + 20, foot[1] + 26), (head[0] + 16, head[1] + 22)], "#000000", 22, 0.5)

    def arm(ink: Pencil) -> None:
        ink.disc(*foot, 78, "#23262c")
        ink.disc(foot[0] - 3, foot[1] - 4, 70, "#30343c")
        ink.disc(*foot, 48, "#565c66")
        ink.line([foot, head], "#9aa0a8", 19)
        ink.line([(foot[0] - 4, foot[1]), (head[0] - 4, head[1])], "#f4f6f8", 6)
        tip = (head[0] + 26, head[1] + 92)
        ink.line([head, tip], "#17191d", 42)
        ink.line([(head[0] - 8, head[1] + 6), (tip[0] - 10, tip[1])], "#3a3e46", 7)
        ink.disc(tip[0] + 2, tip[1] + 8, 11, "#ffcb52")
        ink.disc(*foot, 22, "#8a9099")

    soft = board.sketch(shadow, 10)
    solid = board.sketch(arm, 0.5)
    return board.layer(np.maximum(soft * 0.55, solid))
