"""Threads on a loom."""

from __future__ import annotations

import math

import numpy as np

from liuying_demo.scenes.board import Board
from liuying_demo.scenes.canvas import mix, noise, rgb, smooth
from liuying_demo.scenes.film import Frame, Layer, Scene, Shot, Stage, vignette


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
            result.draw(
                edge, eased * (stage.width + edge.size[0]) - edge.size[0], rows - edge.size[1] * 0.9
            )
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
    board.picture = np.asarray(
        picture * (0.45 + 0.55 * smooth(0, board.height * 0.8, board.y))[..., None], np.float32
    )


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
