"""What a fingerprint keeps of pictures, and what of a film is compared with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from liuying.media.fingerprint import (
    SIDE,
    TAKEN_RATE,
    Fingerprint,
    Pictures,
    Sketch,
    denser_rate,
    fingerprint_of,
    read_pictures,
    sketch_of,
)
from liuying.media.fingerprint_matching import Match, find_match, may_match

SECONDS = 40
KEY_FRAMES_S, GLANCE_S = 2, 6


def scene(random: np.random.Generator, count: int) -> Pictures:
    """A drawn view over which the camera moves."""
    coarse = Image.fromarray(random.integers(0, 256, (14, 14), np.uint8))
    view = np.asarray(coarse.resize((2 * SIDE, 2 * SIDE), Image.Resampling.BICUBIC))
    begin, end = random.integers(0, SIDE, (2, 2))
    ways = np.linspace(begin, end, count).round().astype(int)
    return np.stack([view[y : y + SIDE, x : x + SIDE] for x, y in ways])


def film(seed: int, seconds: int = SECONDS) -> Pictures:
    """Scenes of 4 s, `TAKEN_RATE` pictures a second."""
    random = np.random.default_rng(seed)
    return np.concatenate([scene(random, 4 * TAKEN_RATE) for _ in range(seconds // 4)])


def sketched(pictures: Pictures, rate: float = TAKEN_RATE, seconds: float = KEY_FRAMES_S) -> Sketch:
    """Of a film's key frames."""
    keys = slice(None, None, round(seconds * rate))
    return sketch_of(pictures[keys], np.arange(len(pictures))[keys] / rate)


def redrawn(change: Callable[[Image.Image], Image.Image]) -> Callable[[Pictures], Pictures]:
    def change_all(pictures: Pictures) -> Pictures:
        changed = (change(Image.fromarray(one)).resize((SIDE, SIDE)) for one in pictures)
        return np.stack([np.asarray(one) for one in changed])

    return change_all


def bordered(picture: Image.Image) -> Image.Image:
    whole = Image.new("L", (SIDE + 20, SIDE + 20), 16)
    whole.paste(picture, (10, 10))
    return whole


def with_logo(picture: Image.Image) -> Image.Image:
    changed = picture.copy()
    changed.paste(235, (SIDE - 22, 4, SIDE - 4, 16))
    return changed


CHANGES: dict[str, Callable[[Pictures], Pictures]] = {
    "as it is": lambda pictures: pictures,
    "smaller": redrawn(lambda one: one.resize((40, 40))),
    "cropped": redrawn(lambda one: one.crop((5, 5, SIDE - 5, SIDE - 5))),
    "with a border": redrawn(bordered),
    "with a logo": redrawn(with_logo),
    "mirrored": lambda pictures: pictures[:, :, ::-1],
    "darker": lambda pictures: (pictures * 0.7).astype(np.uint8),
    "noisy": lambda pictures: np.clip(
        pictures + np.random.default_rng(1).normal(0, 6, pictures.shape), 0, 255
    ).astype(np.uint8),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_film_is_known_however_it_was_changed(change: Callable[[Pictures], Pictures]) -> None:
    match = find_match(sketched(change(film(1))), fingerprint_of(film(1)))
    assert match is not None
    assert match.share > 0.8
    assert may_match(sketched(change(film(1)), seconds=GLANCE_S), fingerprint_of(film(1)))


@pytest.mark.parametrize("speed", [0.95, 1.05])
def test_a_film_is_known_at_another_speed(speed: float) -> None:
    assert find_match(sketched(film(1), TAKEN_RATE * speed), fingerprint_of(film(1))) is not None
    assert may_match(sketched(film(1), TAKEN_RATE * speed, GLANCE_S), fingerprint_of(film(1)))


def test_what_was_added_is_not_named() -> None:
    longer = np.concatenate([film(2, 32), film(1)])
    match = find_match(sketched(longer), fingerprint_of(film(1)))
    assert match is not None
    [(begin, end)] = match.spans
    assert 32 <= begin < 36
    assert 66 < end <= 72


def framed(pictures: Pictures) -> Pictures:
    """With black bars at the sides, as a portrait film in a landscape one."""
    whole = np.full_like(pictures, 16)
    whole[:, :, 20:-20] = redrawn(lambda one: one.resize((SIDE - 40, SIDE)))(pictures)[:, :, 20:-20]
    return whole


def test_another_border_in_front_hides_no_film() -> None:
    taken = fingerprint_of(framed(film(1)))
    with_intro = np.concatenate([film(2, 32), framed(film(1))])
    match = find_match(sketched(with_intro), taken)
    assert match is not None
    assert match.spans[0][0] >= 32
    # The other way round: what was taken down has an intro, and comes back without.
    assert find_match(sketched(framed(film(1))), fingerprint_of(with_intro)) is not None
    assert find_match(sketched(np.concatenate([film(2, 32), framed(film(3))])), taken) is None


def test_half_a_film_is_known_as_a_whole_one() -> None:
    match = find_match(sketched(film(1)[: len(film(1)) // 2]), fingerprint_of(film(1)))
    assert match == Match(((0.0, 18.0),), 1.0)


@pytest.mark.parametrize(
    "shared",
    [
        np.full((15 * TAKEN_RATE, SIDE, SIDE), 16, np.uint8),
        np.repeat(scene(np.random.default_rng(9), 1), 10 * TAKEN_RATE, axis=0),
        film(9, 16),
    ],
    ids=["black", "a title card", "an intro"],
)
def test_what_two_films_begin_with_alike_is_not_enough(shared: Pictures) -> None:
    one, other = (np.concatenate([shared, film(seed)]) for seed in (1, 2))
    assert find_match(sketched(one), fingerprint_of(other)) is None
    assert find_match(sketched(one), fingerprint_of(one)) is not None


def test_other_films_are_not_known() -> None:
    taken = [fingerprint_of(film(seed)) for seed in range(12)]
    for seed in range(100, 112):
        seen, glance = sketched(film(seed)), sketched(film(seed), seconds=GLANCE_S)
        assert [find_match(seen, one) for one in taken] == [None] * len(taken)
        assert [may_match(glance, one) for one in taken] == [False] * len(taken)


def test_a_short_film_within_a_long_one_is_seen_at_a_glance() -> None:
    for seconds in (8, 12, 20):
        taken = film(1, seconds)
        longer = np.concatenate([film(2, 120), taken, film(3, 120)])
        assert may_match(sketched(longer, seconds=GLANCE_S), fingerprint_of(taken))
        assert find_match(sketched(longer), fingerprint_of(taken)) is not None or seconds < 12


@pytest.mark.parametrize(
    "pictures",
    [
        np.zeros((0, SIDE, SIDE), np.uint8),
        np.full((80, SIDE, SIDE), 128, np.uint8),
        np.broadcast_to(np.arange(SIDE, dtype=np.uint8), (80, SIDE, SIDE)),
    ],
    ids=["nothing", "grey", "a gradient"],
)
def test_pictures_that_say_nothing_are_like_no_film(pictures: Pictures) -> None:
    assert find_match(sketched(pictures), fingerprint_of(pictures)) is None
    assert find_match(sketched(film(1)), fingerprint_of(pictures)) is None


def test_a_fingerprint_is_read_as_it_was_stored() -> None:
    taken = fingerprint_of(film(1, 8))
    stored = taken.to_bytes()
    assert len(stored) == 1 + 4 * 8 * TAKEN_RATE * 8
    assert (Fingerprint.from_bytes(stored).hashes == taken.hashes).all()


@pytest.mark.parametrize("stored", [b"", b"\x00" * 33, b"\x01" + b"\x00" * 9])
def test_what_is_no_fingerprint_is_an_error(stored: bytes) -> None:
    with pytest.raises(ValueError, match=r"fingerprint|buffer|reshape"):
        Fingerprint.from_bytes(stored)


@pytest.mark.parametrize(
    ("times", "rate"),
    [
        (np.arange(30) * 2.0, None),
        (np.arange(30) * 10.0, 1),
        (np.arange(10) * 2.0, 1),
        (np.arange(4) * 2.0, TAKEN_RATE),
        (np.zeros(0), TAKEN_RATE),
    ],
)
def test_too_few_key_frames_are_made_up_for(times: np.ndarray, rate: int | None) -> None:
    assert denser_rate(times) == rate


def test_moments_are_read_from_the_transcoder_s_list(tmp_path: Path) -> None:
    pictures, times = tmp_path / "pictures", tmp_path / "times"
    pictures.write_bytes(bytes(2 * SIDE * SIDE))
    # A picture more than was written: the transcoder was ended.
    times.write_text(
        "#software: x\n#tb 0: 1/12800\n#dimensions 0: 96x96\n"
        "0, 0, 0, 512, 9216, 0xaa\n0, 25600, 25600, 512, 9216, 0xbb\n"
        "0, 51200, 51200, 512, 9216, 0xbb\n"
    )
    read, moments = read_pictures(pictures, times)
    assert read.shape == (2, SIDE, SIDE)
    assert moments.tolist() == [0.0, 2.0]
