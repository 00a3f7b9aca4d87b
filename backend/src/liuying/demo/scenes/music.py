"""Things that make music: a record that turns, piano keys that are played, bars that follow a beat."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying.demo.scenes.board import Board, Pencil
from liuying.demo.scenes.canvas import Pixels, Random, grid, mix, rgb, smooth
from liuying.demo.scenes.film import Frame, Layer, Scene, Shot, Stage, plane_of, to_layer, turned, vignette


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
    cone = np.exp(-((np.sin(angle - 0.35) / 0.20) ** 2)) + 0.5 * np.exp(-((np.sin(angle - 0.62) / 0.07) ** 2))
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
    board.fill(np.asarray(smooth(0.20, 0.18, np.hypot(dx - 0.28, dy + 0.42)), np.float32), colours[1])
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


def piano(light: str, felt: str = "#a02a2a") -> Scene:
    """Piano keys in lamplight; some are pressed one after another and glow."""

    def draw(stage: Stage) -> Shot:
        board = Board(stage, "#0b0709")
        turn = -0.28
        u = (board.x - board.width / 2) * math.cos(turn) + (board.y - board.height / 2) * math.sin(turn)
        v = -(board.x - board.width / 2) * math.sin(turn) + (board.y - board.height / 2) * math.cos(turn)
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
    ivory = mix(rgb("#4a3c38"), mix(rgb("#f4ead8"), rgb(light), 0.25), (0.12 + 0.95 * warm)[..., None])
    round_off = (0.86 + 0.16 * smooth(0.05, 0.3, place) - 0.14 * smooth(0.75, 0.98, place)) * (
        0.72 + 0.28 * smooth(-200, 0, v)
    )
    board.fill(np.asarray(body, np.float32), np.asarray(ivory * round_off[..., None], np.float32))
    front = key * smooth(338, 342, v) * smooth(392, 388, v)
    board.fill(np.asarray(front, np.float32), np.asarray(ivory * 0.5, np.float32))


def _black_keys(board: Board, u: Pixels, v: Pixels, warm: Pixels) -> None:
    number, place = np.floor((u + 50) / 100), ((u + 50) / 100) % 1
    there = ~np.isin(np.mod(number, 7), (2, 6))
    body = smooth(0.20, 0.23, place) * smooth(0.80, 0.77, place) * there * (v > -205) * smooth(122, 118, v)
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
        x, y, radius = random.random() * board.width, random.random() ** 1.6 * 210, 9 + 32 * random.random()
        board.light(board.disc(x, y, radius, 2 + radius * 0.1), colour, 0.08 + 0.22 * random.random())


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
            np.asarray(np.exp(-(((away - 255) / 12) ** 2)) * 0.55 + np.exp(-((away / 330) ** 2)) * 0.16, np.float32)
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
    dance = 0.5 + 0.5 * math.sin(time * 3.1 + float(phase[0])) * math.sin(time * 5.3 + float(phase[1]))
    return min(1.0, 0.08 + middle * (0.30 + 0.45 * dance + 0.28 * beat * (0.5 + 0.5 * math.sin(float(phase[2])))))


def _pillar(stage: Stage, colours: tuple[str, str], place: float, room: float) -> tuple[Layer, Layer]:
    """A bar at its full height, and its mirror image."""
    width, height = max(4, round(room * 0.62)) & ~1, round(stage.height * 0.6) & ~1
    columns, rows = grid(width, height)
    colour = mix(rgb(colours[0]), rgb(colours[1]), np.clip(0.25 * place + rows / height, 0, 1)[..., None])
    gloss = 1.0 + 0.35 * np.exp(-(((columns / width - 0.3) / 0.2) ** 2))
    cells = smooth(0.10, 0.2, (rows / height * 34) % 1)
    side = smooth(width / 2 + 0.5, width / 2 - 1, np.abs(columns - width / 2 + 0.5))
    solid = to_layer(np.clip(colour * gloss[..., None], 0, 1).astype(np.float32), np.asarray(cells * side, np.float32))
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
