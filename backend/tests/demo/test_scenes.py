"""Every scene: it draws, it moves at once, and chance comes from the seed alone."""

from __future__ import annotations

import numpy as np
import pytest

from liuying_demo.scenes.canvas import gradient, rgb, wrapping_noise
from liuying_demo.scenes.film import Frame, Stage, plain_layer, shifted, to_layer, trimmed, wrapped
from liuying_demo.scenes.repertoire import SCENES

SMALL = (320, 180)


def stage(size: tuple[int, int] = SMALL, seed: int = 3) -> Stage:
    return Stage(*size, 7.0, np.random.default_rng(seed))


def luma(frame: Frame) -> np.ndarray:
    return np.asarray(frame.luma, np.float32)


@pytest.mark.parametrize("name", sorted(SCENES))
def test_a_scene_moves_within_a_second(name: str) -> None:
    shot = SCENES[name](stage())
    first, later = shot(0.0), shot(0.8)
    assert first.size == SMALL
    assert len(first.to_bytes()) == SMALL[0] * SMALL[1] * 3 // 2
    assert float(luma(first).std()) > 6, "nothing to see"
    assert float(np.abs(luma(first) - luma(later)).mean()) > 0.15, "nothing moves"


@pytest.mark.parametrize(
    "name", ["sea-sail", "city-night", "peak", "ramen", "night-meteors", "equaliser", "cat-snow"]
)
def test_the_same_seed_draws_the_same_pictures(name: str) -> None:
    first, again = SCENES[name](stage()), SCENES[name](stage())
    assert first(1.2).to_bytes() == again(1.2).to_bytes()
    # A frame depends on its time, not on the frames before it.
    first(3.0)
    assert first(1.2).to_bytes() == again(1.2).to_bytes()


@pytest.mark.parametrize(
    "name", ["aurora-lake", "lantern-rise", "ocean-jelly", "rain-street", "blossom-white", "ramen"]
)
def test_a_scene_stands_upright_too(name: str) -> None:
    frame = SCENES[name](stage((180, 320)))(1.0)
    assert frame.to_image().size == (180, 320)


def test_colours_survive_the_planes() -> None:
    picture = np.broadcast_to(rgb("#c86432"), (20, 20, 3)).astype(np.float32)
    image = Frame(to_layer(picture)).to_image()
    assert np.abs(np.asarray(image.getpixel((10, 10))) - (0xC8, 0x64, 0x32)).max() <= 3


def test_a_limited_range_is_handed_on() -> None:
    white = Frame(to_layer(np.ones((4, 4, 3), np.float32))).to_bytes()
    black = Frame(to_layer(np.zeros((4, 4, 3), np.float32))).to_bytes()
    assert (white[0], black[0]) == (235, 16)
    assert white[16:] == black[16:] == bytes([128]) * 8


def test_a_layer_moves_by_fractions_of_a_pixel() -> None:
    ramp = to_layer(
        np.broadcast_to(np.linspace(0, 1, 64)[None, :, None], (8, 64, 3)).astype(np.float32)
    ).luma
    whole, half = (
        np.asarray(shifted(ramp, -4, 0, 32, 8), float),
        np.asarray(shifted(ramp, -4.5, 0, 32, 8), float),
    )
    assert np.abs(half - whole - 255 / 63 / 2).max() <= 1.0


def test_a_trimmed_layer_draws_the_same() -> None:
    mask = np.zeros((40, 60), np.float32)
    mask[11:25, 17:41] = 1
    layer, ground = plain_layer(rgb("#ffffff"), mask), to_layer(np.zeros((40, 60, 3), np.float32))
    first, second = Frame(ground), Frame(ground)
    first.draw(layer, 3.5, 2.25)
    second.draw(trimmed(layer), 3.5, 2.25)
    assert trimmed(layer).size[0] < 60
    assert first.to_bytes() == second.to_bytes()


def test_a_wrapped_plane_repeats() -> None:
    plane = to_layer(np.random.default_rng(1).random((50, 70, 3)).astype(np.float32)).luma
    window = wrapped(plane, 40, 30, 60, 40)
    assert window.tobytes() == wrapped(plane, 40 + 70, 30 - 50, 60, 40).tobytes()
    assert window.getpixel((0, 0)) == plane.getpixel((40, 30))
    assert window.getpixel((35, 25)) == plane.getpixel((5, 5))


def test_wrapping_noise_has_no_seam() -> None:
    field = wrapping_noise(np.random.default_rng(2), 256, 4, 5)
    inner = np.abs(np.diff(field, axis=1)).max()
    assert np.abs(field[:, 0] - field[:, -1]).max() <= inner * 1.5


def test_a_gradient_meets_its_stops() -> None:
    picture = gradient(((0, "#000000"), (0.5, "#808080"), (1, "#ffffff")), 4, 101)
    assert picture[0, 0, 0] == 0
    assert picture[50, 0, 0] == pytest.approx(128 / 255, abs=1e-3)
    assert picture[100, 0, 0] == 1
