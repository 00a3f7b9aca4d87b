"""Under the surface: shoals in beams of light, jellyfish, coral."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from liuying_demo.scenes.board import Board, Pencil
from liuying_demo.scenes.canvas import Pixels, Stops, gradient, grid, mix, resized, rgb, smooth
from liuying_demo.scenes.film import (
    Frame,
    Layer,
    Scene,
    Shot,
    Stage,
    developed_layer,
    plain_layer,
    plane_of,
    to_layer,
    vignette,
    wrapped,
)


class SunBeams:
    """Beams from a point above the frame that flicker as the surface moves."""

    def __init__(self, stage: Stage, strength: float = 0.5) -> None:
        columns, rows = grid(stage.width, stage.height)
        angle = np.arctan2(columns - 0.42 * stage.width, rows + 0.35 * stage.height)
        self._place = np.asarray(np.clip((angle + 1.25) / 2.5, 0, 0.999) * 1023, np.int32)
        self._fall = np.asarray((1 - rows / stage.height) ** 1.35 * 256 * strength, np.int32)
        self._rays = [
            resized(stage.random.random((2, cells)).astype(np.float32), 1024, 2)[0]
            for cells in (60, 42)
        ]

    def draw(self, frame: Frame, time: float) -> None:
        """Add them at a time in seconds."""
        first = np.roll(self._rays[0], round(time * 14))
        second = np.roll(self._rays[1], -round(time * 19))
        light = np.asarray(smooth(0.25, 0.85, first * second * 2) * 255, np.int32)
        beams = (light[self._place] * self._fall) >> 8
        frame.lighten(Image.fromarray(np.asarray(beams, np.uint8)))


class Bubbles:
    """Columns of bubbles that rise."""

    def __init__(self, stage: Stage, count: int = 34) -> None:
        random = stage.random
        self._size = (stage.width, stage.height)
        kinds = [_bubble(round(side * stage.height / 720) & ~1) for side in (8, 14, 22)]
        self._all = [(kinds[int(random.integers(3))], *random.random(3)) for _ in range(count)]

    def draw(self, frame: Frame, time: float) -> None:
        """Draw them at a time in seconds."""
        width, height = self._size
        for layer, x, y, beat in self._all:
            up = (y * (height + 60) - time * (60 + 5 * layer.size[0])) % (height + 60) - 30
            frame.draw(layer, x * width + 8 * math.sin(time * 3 + beat * 9), up)


def _bubble(side: int) -> Layer:
    side = max(side, 6)
    columns, rows = grid(side, side)
    x, y = (columns + 0.5) / side * 2 - 1, (rows + 0.5) / side * 2 - 1
    away = np.hypot(x, y)
    alpha = smooth(1.0, 0.9, away) * (0.12 + 0.55 * smooth(0.55, 0.92, away)) + 0.8 * np.exp(
        -(((x + 0.35) ** 2 + (y + 0.4) ** 2) / 0.03)
    )
    return plain_layer(rgb("#e8fbff"), np.clip(alpha, 0, 1).astype(np.float32))


def shoal(water: Stops, fish: tuple[str, str], floor: tuple[str, str], count: int = 190) -> Scene:
    """A shoal that winds through beams of light above the sea bed."""

    def draw(stage: Stage) -> Shot:
        random = stage.random
        back = developed_layer(stage, gradient(water, stage.width, stage.height))
        beams, bubbles = SunBeams(stage), Bubbles(stage)
        bed = [_reef(stage, floor[near], near) for near in range(2)]
        kinds = [
            [_fish(stage, fish[tone], size, beat) for beat in range(4)]
            for tone in range(2)
            for size in (13, 18, 25)
        ]
        swimmers = [
            (
                kinds[int(random.integers(len(kinds)))],
                *random.normal(0, 1, 2),
                random.random() * 6.28,
            )
            for _ in range(count)
        ]
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(back)
            beams.draw(result, time)
            for number, (poses, a, b, beat) in enumerate(swimmers):
                pose = poses[int(time * 8 + beat * 3) % 4]
                x, y = _school(time, a, b, number)
                result.draw(pose, x * stage.width - pose.size[0] / 2, y * stage.height, whole=True)
            for near, layer in enumerate(bed):
                result.draw(layer, -(10 + 26 * near) * time / stage.seconds, 0)
            bubbles.draw(result, time)
            result.shade(dark)
            return result

        return frame

    return draw


def _school(time: float, a: float, b: float, number: int) -> tuple[float, float]:
    """Where a fish of the shoal is: the shoal swims to the right in a long wave."""
    middle = 0.40 + 0.032 * time
    x = middle + 0.15 * a + 0.012 * math.sin(time * 2 + number)
    y = (
        0.44
        + 0.10 * math.sin(x * 7 - time * 0.9)
        + 0.085 * b
        - 0.012 * a * a
        + 0.008 * math.sin(time * 3 + number * 1.7)
    )
    return x, y


def _fish(stage: Stage, colour: str, size: float, beat: int) -> Layer:
    unit = size * min(stage.width, stage.height) / 720
    width, height = max(8, round(unit * 2.6)) & ~1, max(6, round(unit * 1.3)) & ~1
    columns, rows = grid(width, height)
    x, y = (columns + 0.5) / width * 2 - 1, (rows + 0.5) / height * 2 - 1
    bend = 0.22 * math.sin(beat / 4 * 2 * math.pi) * np.clip(-x, 0, 1) ** 2 * 2
    y = y - bend
    body = smooth(1.15, 0.85, np.hypot((x - 0.18) / 0.78, y / 0.55))
    tail = smooth(0.12, -0.05, np.abs(y) - np.clip(-0.45 - x, 0, 1) * 1.3) * (x < -0.42)
    mask = np.maximum(body, tail)
    light = mix(1.25, 0.5, smooth(-0.6, 0.5, y))
    picture = np.clip(rgb(colour) * light[..., None], 0, 1)
    picture = mix(
        picture, rgb("#06121c"), smooth(0.16, 0.08, np.hypot(x - 0.66, (y + 0.1) * 0.6))[..., None]
    )
    return to_layer(np.asarray(picture, np.float32), np.asarray(mask * 0.95, np.float32))


def _reef(stage: Stage, colour: str, near: int) -> Layer:
    random, board = stage.random, Board(stage, colour, stage.width + 60)
    width, height = board.width, board.height
    base = height * (0.90 + 0.05 * near)
    coarse = resized(random.random((2, 12)).astype(np.float32), board.x.shape[1], 2)[0]
    crest = base - (0.12 - 0.03 * near) * height * (coarse - 0.4)
    ground = np.asarray(np.clip((board.y - crest[None]) / 1.5, 0, 1), np.float32)
    branches: list[tuple[list[tuple[float, float]], float]] = []

    def coral(x: float, y: float, angle: float, long: float, thick: float) -> None:
        end = (x + math.cos(angle) * long, y + math.sin(angle) * long)
        branches.append(([(x, y), end], thick))
        if long > 9:
            for turn in (-0.42, 0.38):
                coral(*end, angle + turn + random.normal(0, 0.12), long * 0.74, thick * 0.74)

    for _ in range(9 + 3 * near):
        x = random.random() * width
        coral(
            x,
            base + 10,
            -math.pi / 2 + random.normal(0, 0.1),
            26 + 22 * random.random() + 8 * near,
            12 + 4 * near,
        )

    def draw(ink: Pencil) -> None:
        for points, thick in branches:
            ink.line(points, colour, thick)

    mask = board.sketch(draw, 1.2 * near)
    shade = mix(rgb(colour) * 1.5, rgb(colour) * 0.7, smooth(base - 90, height, board.y)[..., None])
    board.picture = np.asarray(np.clip(shade, 0, 1), np.float32)
    return board.layer(np.maximum(ground, mask))


def jellyfish(water: Stops, bells: tuple[str, str, str], count: int = 7) -> Scene:
    """Glowing jellyfish that pulse and rise in the dark."""

    def draw(stage: Stage) -> Shot:
        random = stage.random
        back = developed_layer(stage, gradient(water, stage.width, stage.height))
        dust = plane_of(_dust(stage))
        flock = []
        for index in range(count):
            size = (0.10 + 0.22 * (index / count) ** 1.5) * min(stage.width, stage.height) * 1.25
            poses = [_bell(size, bells[index % 3], step / 16) for step in range(16)]
            flock.append((poses, *random.random(3), size))
        dark = vignette(stage.width, stage.height, 0.36)

        def frame(time: float) -> Frame:
            result = Frame(back)
            result.lighten(wrapped(dust, time * 9, time * 21, stage.width, stage.height), 0.5)
            for poses, x, y, beat, size in flock:
                phase = time * 0.62 + beat * 5
                pose = poses[int(phase * 16) % 16]
                span = stage.height + pose.size[1]
                up = (
                    y * span - time * (20 + size * 0.12) - 9 * math.sin(phase * 6.28)
                ) % span - pose.size[1]
                sway = 26 * math.sin(time * 0.5 + beat * 7)
                result.draw(
                    pose, (0.04 + 0.92 * x) * stage.width - pose.size[0] / 2 + sway, up, 0.9
                )
            result.shade(dark)
            return result

        return frame

    return draw


def _dust(stage: Stage) -> Pixels:
    field = stage.random.random((stage.height + 40, stage.width + 40)).astype(np.float32)
    return np.asarray((field > 0.9988) * (0.3 + 0.7 * stage.random.random(field.shape)), np.float32)


def _bell(size: float, colour: str, phase: float) -> Layer:
    """A jellyfish at a phase of its beat, from 0 to 1."""
    width, height = round(size * 1.5) & ~1, round(size * 2.5) & ~1
    columns, rows = grid(width, height)
    x, y = (columns / width - 0.5) * 1.5, rows / height * 2.5
    squeeze = 0.5 + 0.5 * math.cos(phase * 2 * math.pi)
    broad, tall = 0.40 + 0.11 * squeeze, 0.66 - 0.10 * squeeze
    dome = np.hypot(x / broad, (y - 0.82) / tall)
    skirt = 0.80 + 0.045 * np.cos(x / broad * 11)
    bell = smooth(1.03, 0.97, dome) * smooth(skirt + 0.03, skirt - 0.03, y)
    rim, veins = smooth(0.72, 1.0, dome), 0.5 + 0.5 * np.cos(np.arctan2(x, 1.15 - y) * 16)
    heart = np.exp(-((x / 0.17) ** 2) - ((y - 0.56) / 0.13) ** 2)
    light = bell * (0.22 + 0.55 * rim + 0.14 * veins) + bell * heart * 0.6
    arms = np.zeros_like(x)
    for index in range(9):
        share = index / 8 - 0.5
        wave = (
            0.055
            * np.sin(y * (5 + index % 3) - phase * 6.28 + index * 1.3)
            * np.clip(y - 0.75, 0, 2)
        )
        centre = share * broad * 1.5 * (1 - 0.16 * np.clip(y - 0.8, 0, 2)) + wave
        long = 1.35 + 0.8 * abs(math.sin(index * 2.2))
        thick = (0.010 if index % 2 else 0.026) * (1.1 - 0.4 * np.clip(y - 0.8, 0, 2))
        arms += (
            np.exp(-(((x - centre) / thick) ** 2))
            * smooth(0.72, 0.82, y)
            * smooth(0.8 + long, 0.8 + long * 0.3, y)
            * 0.55
        )
    halo = 0.16 * np.exp(-(((x / 0.5) ** 2) + ((y - 0.7) / 0.55) ** 2))
    alpha = np.clip(light + arms + halo, 0, 0.96)
    picture = mix(
        rgb(colour), rgb("#ffffff"), np.clip(bell * (heart * 0.6 + rim * 0.3), 0, 1)[..., None]
    )
    return to_layer(np.asarray(picture, np.float32), np.asarray(alpha, np.float32))
