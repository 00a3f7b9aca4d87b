"""The placeholder against hashes of the format's own reference, and against what a reader sees in
it.
"""

from __future__ import annotations

import base64

import numpy as np
import pytest
from PIL import Image

from liuying.media.thumbhash import encode, thumbhash


def wavy(width: int, height: int) -> np.ndarray:
    rows, columns = np.mgrid[0:height, 0:width]
    planes = [
        127 + 100 * np.sin(columns / 9 + rows / 17),
        rows * 255 / height,
        columns * 255 / width,
        np.full((height, width), 255.0),
    ]
    return np.stack(planes, -1).clip(0, 255).astype(np.uint8)


# Made with an independent implementation of the format from the same pixels.
@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (100, 56, "dff7096c9c60ba8680a8757868777f8488f688"),
        (56, 100, "1f080a641a8007b8876a778678878f8478f888"),
    ],
)
def test_known_hashes(width: int, height: int, expected: str) -> None:
    assert encode(wavy(width, height)).hex() == expected


@pytest.mark.parametrize("colour", [(255, 0, 0), (0, 128, 255), (20, 20, 20), (255, 255, 255)])
def test_the_average_colour_can_be_read(colour: tuple[int, int, int]) -> None:
    hashed = base64.b64decode(thumbhash(Image.new("RGB", (64, 36), colour)))
    head = int.from_bytes(hashed[:3], "little")
    light, yellow, red = (head & 63) / 63, (head >> 6 & 63) / 31.5 - 1, (head >> 12 & 63) / 31.5 - 1
    blue = light - 2 / 3 * yellow
    first = (3 * light - blue + red) / 2
    assert [round(255 * value) for value in (first, first - red, blue)] == pytest.approx(
        colour, abs=12
    )


def test_transparency_is_kept() -> None:
    opaque = base64.b64decode(thumbhash(Image.new("RGBA", (40, 40), (10, 200, 10, 255))))
    clear = Image.new("RGBA", (40, 40), (10, 200, 10, 0))
    clear.paste((10, 200, 10, 255), (0, 0, 20, 40))
    half = base64.b64decode(thumbhash(clear))
    assert not opaque[2] & 0x80
    assert half[2] & 0x80
    assert half[5] & 15 == pytest.approx(7.5, abs=1)


def test_large_pictures_are_small_placeholders() -> None:
    assert len(base64.b64decode(thumbhash(Image.new("RGB", (3000, 2000), "teal")))) <= 25
