"""Parts of pictures that become covers."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from liuying.media.candidates import COVER_WIDTH
from liuying.media.chosen_cover import Crop, cover_of, cropped
from liuying.media.errors import PictureError

SHARES = st.floats(0.1, 1)


@given(width=st.integers(640, 3000), height=st.integers(640, 3000), wide=SHARES, high=SHARES)
def test_a_part_has_the_size_that_was_asked_for(
    width: int, height: int, wide: float, high: float
) -> None:
    picture = Image.new("L", (width, height))
    part = cropped(picture, Crop(1 - wide, 1 - high, wide, high))
    assert part.width == pytest.approx(wide * width, abs=1)
    assert part.height == pytest.approx(high * height, abs=1)


@pytest.mark.parametrize(
    "crop",
    [Crop(0.5, 0, 0.6, 1), Crop(0, 0.5, 1, 0.6), Crop(0, 0, 0.1, 1), Crop(0, 0, 1, 0.1)],
)
def test_a_part_outside_or_too_small_is_refused(crop: Crop) -> None:
    with pytest.raises(PictureError):
        cropped(Image.new("RGB", (600, 600)), crop)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "CMYK"])
def test_a_cover_is_no_wider_than_covers_are(mode: str) -> None:
    made = Image.open(io.BytesIO(cover_of(Image.new(mode, (2000, 1000)), None)))
    assert (made.format, made.size) == ("PNG", (COVER_WIDTH, COVER_WIDTH // 2))


def test_transparency_is_kept() -> None:
    picture = Image.new("RGBA", (300, 300), (255, 0, 0, 0))
    made = Image.open(io.BytesIO(cover_of(picture, Crop(0, 0, 0.5, 0.5))))
    assert (made.mode, made.size) == ("RGBA", (150, 150))
