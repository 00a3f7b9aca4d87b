"""Cards of shared links: their size, their weight, and what stands on them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from liuying.media.card import HEIGHT, MAX_BYTES, WIDTH, Card, average_colour, draw_card
from liuying.media.thumbhash import thumbhash

LONG = "一个很长很长的标题，它说了很多，一行放不下，两行也放不下，三行还是放不下，" * 3


def png(colour: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (192, 192), colour).save(buffer, "PNG")
    return buffer.getvalue()


def drawn(card: Card) -> Image.Image:
    content = draw_card(card)
    assert len(content) <= MAX_BYTES
    picture = Image.open(io.BytesIO(content), formats=["JPEG"])
    assert picture.size == (WIDTH, HEIGHT)
    return picture.convert("RGB")


def ink(picture: Image.Image) -> int:
    """Pixels that are nearly white: letters."""
    return int((np.asarray(picture).min(axis=2) > 200).sum())


def test_letters_stand_on_the_ground() -> None:
    short, long = drawn(Card(title="雪", brand="站")), drawn(Card(title=LONG, brand="站"))
    assert 0 < ink(short) < ink(long)


@pytest.mark.parametrize("title", ["雪山", LONG, "a" * 200, "word " * 60, "🙂" * 20, "x"])
def test_every_title_fits(title: str) -> None:
    margin = np.asarray(drawn(Card(title=title, brand="站")))[:, -40:]
    assert margin.max() < 200


def test_the_icon_stands_before_the_brand() -> None:
    picture = drawn(Card(title="雪", brand="站", icon=png("#00ff00")))
    red, green, blue = picture.getpixel((104, 526))  # type: ignore[misc]
    assert green > 200 > max(red, blue)


def test_the_ground_takes_the_tint() -> None:
    red, _, blue = drawn(Card(title="雪", tint=(20, 40, 230))).getpixel((4, 4))  # type: ignore[misc]
    assert blue > 2 * red


def test_a_picture_of_noise_stays_within_the_limit() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (900, 1600, 3), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, "JPEG", quality=95)
    picture = drawn(Card(title="雪", picture=buffer.getvalue()))
    assert np.asarray(picture)[:80].std() > 20


def test_a_thumb_says_its_average_colour() -> None:
    picture = Image.new("RGB", (64, 36), (200, 60, 30))
    assert average_colour(thumbhash(picture)) == pytest.approx((200, 60, 30), abs=8)
    assert average_colour("?") == average_colour("")
