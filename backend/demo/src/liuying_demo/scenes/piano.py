"""Piano keys in lamplight."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board
from liuying_demo.scenes.canvas import Pixels, Random, mix, rgb, smooth
from liuying_demo.scenes.film import Frame, Scene, Shot, Stage, plane_of, vignette


def piano(light: str, felt: str = "#a02a2a") -> Scene:
    """Piano keys in lamplight; some are pressed one after another and glow."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage, "#0b0709")
        turn = -0.28
        u = (board.x - board.width / 2) * math.cos(turn) + (board.y - board.height / 2) * math.sin(
            turn
        )
        v = -(board.x - board.width / 2) * math.sin(turn) + (board.y - board.height / 2) * math.cos(
            turn
        )
        warm = np.exp(-(((u - 120) / 430) ** 2) - ((v - 60) / 420) ** 2)
        _white_keys(board, u, v, warm, light)
        _black_keys(board, u, v, warm)
        board.fill(np.asarray(smooth(-196, -200, v), np.float32), "#160b0d")
        board.fill(np.asarray(smooth(7, 4, np.abs(v + 200)), np.float32), felt)
        _lamps(board, stage.random, light)
        base = board.layer()
        keys = np.floor(u / 100)
        presses = [plane_of(_pressed(keys, u, v, index)) for index in range(-5, 6)]
        order = stage.random.permutation(11)
        dark = vignette(stage.width, stage.height, 0.42)

        def frame(time: float) -> Frame:
            result = Frame(base)
            result.zoom(1.05, 0.5 + 0.35 * math.sin(time * 0.5), 0.5)
            for voice in range(3):
                beat = time / (0.42 * (1 + voice)) + voice * 0.37
                index, since = int(order[(int(beat) * (3 + 2 * voice)) % 11]), beat % 1
                result.lighten(presses[index], 0.85 * math.exp(-since * 3) * min(1, since * 14))
            result.shade(dark)
            return result

        return frame

    return draw


def _white_keys(board: Board, u: Pixels, v: Pixels, warm: Pixels, light: str) -> None:
    place = (u / 100) % 1
    key = smooth(0.015, 0.035, place) * smooth(0.985, 0.965, place)
    body = key * smooth(-200, -196, v) * smooth(342, 338, v)
    ivory = mix(
        rgb("#4a3c38"), mix(rgb("#f4ead8"), rgb(light), 0.25), (0.12 + 0.95 * warm)[..., None]
    )
    round_off = (0.86 + 0.16 * smooth(0.05, 0.3, place) - 0.14 * smooth(0.75, 0.98, place)) * (
        0.72 + 0.28 * smooth(-200, 0, v)
    )
    board.fill(np.asarray(body, np.float32), np.asarray(ivory * round_off[..., None], np.float32))
    front = key * smooth(338, 342, v) * smooth(392, 388, v)
    board.fill(np.asarray(front, np.float32), np.asarray(ivory * 0.5, np.float32))


def _black_keys(board: Board, u: Pixels, v: Pixels, warm: Pixels) -> None:
    number, place = np.floor((u + 50) / 100), ((u + 50) / 100) % 1
    there = ~np.isin(np.mod(number, 7), (2, 6))
    body = (
        smooth(0.20, 0.23, place)
        * smooth(0.80, 0.77, place)
        * there
        * (v > -205)
        * smooth(122, 118, v)
    )
    body = np.asarray(body, np.float32)
    board.shadow(body, 12, 14, 8, 0.6)
    top = smooth(0.25, 0.29, place) * smooth(0.75, 0.71, place) * smooth(104, 98, v)
    edge = smooth(0.30, 0.26, np.abs(place - 0.36) * 8) * top
    colour = mix(rgb("#0b090b"), rgb("#332c30"), (top * (0.4 + 0.6 * warm))[..., None])
    colour = mix(colour, rgb("#8a7a74"), (edge * 0.5 * warm)[..., None])
    board.fill(body, np.asarray(colour, np.float32))


def _pressed(keys: Pixels, u: Pixels, v: Pixels, index: int) -> Pixels:
    spread = np.exp(-(((u / 100 - index - 0.5) / 0.9) ** 2)) * 0.12
    inside = (keys == index) * smooth(330, 200, np.abs(v - 90)) * 0.22
    return np.asarray((inside + spread) * smooth(-200, -120, v) * smooth(345, 335, v), np.float32)


def _lamps(board: Board, random: Random, colour: str) -> None:
    for _ in range(22):
        x, y, radius = (
            random.random() * board.width,
            random.random() ** 1.6 * 210,
            9 + 32 * random.random(),
        )
        board.light(
            board.disc(x, y, radius, 2 + radius * 0.1), colour, 0.08 + 0.22 * random.random()
        )
