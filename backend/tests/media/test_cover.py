"""Which picture is chosen, and how pictures are stored."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from liuying.kit.encryption import ImageEncryptor
from liuying.kit.object_keys import picture_key
from liuying.kit.object_store import ObjectStore, read_object
from liuying.media.animation import store_picture
from liuying.media.candidates import cover_moments, cover_size
from liuying.media.cover import (
    MAX_PICTURE_PIXELS,
    best_picture,
    encode_picture,
    open_picture,
    score,
)
from liuying.media.errors import PictureError
from tests.media.clips import h264, make_clip, picture
from tests.media.productions import made
from tests.memory_store import MemoryStore

RANDOM = np.random.default_rng(7)
DETAILED = np.kron(RANDOM.integers(20, 235, (45, 80)), np.ones((2, 2))).astype(np.float64)


@pytest.fixture
def encryptor() -> ImageEncryptor:
    return ImageEncryptor({1: bytes(16)}, 1)


def opened(encryptor: ImageEncryptor, objects: ObjectStore, url: str | None) -> Image.Image:
    assert url is not None
    key = picture_key(url.removeprefix("/enc/").removesuffix(".bin"))
    return Image.open(BytesIO(encryptor.open(read_object(objects, key))))


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.mark.parametrize(
    "worse",
    [
        np.zeros((90, 160)),
        np.full((90, 160), 255.0),
        np.full((90, 160), 128.0),
        DETAILED * 0.1,
        128 + DETAILED * 0.05,
    ],
    ids=["black", "white", "grey", "dark", "fog"],
)
def test_a_detailed_picture_scores_more(worse: np.ndarray) -> None:
    assert score(DETAILED) > score(worse)
    assert 0 <= score(worse) < score(DETAILED) <= 1


def test_the_picture_with_something_to_see_is_chosen(tmp_path: Path) -> None:
    form = "s=320x180:d=2:r=25"
    graph = f"color=black:{form}[a];testsrc2={form}[b];color=gray:{form}[c];[a][b][c]concat=n=3"
    clip = make_clip(tmp_path / "chapters.mp4", "-f", "lavfi", "-i", graph, *h264())
    chosen = made(clip, tmp_path / "work").cover_picture()
    assert chosen.size == (320, 180)
    first = make_clip(
        tmp_path / "first.png", "-i", str(clip), "-vf", "select=gte(t\\,2)", "-frames:v", "1"
    )
    wanted = np.asarray(Image.open(first).convert("RGB"), dtype=float)
    # The first of those that show something: not two seconds later.
    assert np.abs(np.asarray(chosen, dtype=float) - wanted).mean() < 6


def test_candidates_are_spread_over_the_film(tmp_path: Path) -> None:
    """One a key frame of ours, at most twelve; the first picture is one although it comes late."""
    clip = make_clip(
        tmp_path / "clip.mkv", *picture("160x90", 29), *h264(), "-vf", "setpts=PTS+0.3/TB"
    )
    production = made(clip, tmp_path / "work")
    assert [
        moment - production.plan.probe.timing.start for moment in cover_moments(production.plan)
    ] == [pytest.approx(moment) for moment in (0, 2, 6, 10, 14, 18, 22, 26)]
    assert len(list((tmp_path / "work").glob("cover*.bmp"))) == 8


def test_a_first_rung_that_is_kept_has_candidates_too(tmp_path: Path) -> None:
    clip = make_clip(tmp_path / "clip.mp4", *picture("160x90", 3), *h264(25), "-b:v", "60k")
    production = made(clip, tmp_path / "work")
    assert production.plan.rungs[0].is_copied
    assert production.cover_picture().size == (160, 90)


def test_where_nothing_was_decoded_there_is_no_cover(tmp_path: Path) -> None:
    assert best_picture([]) is None


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((1920, 1080), (720, 405)),
        ((1080, 1920), (720, 1280)),
        ((1000, 4000), (320, 1280)),
        ((640, 360), (640, 360)),
        ((10, 12), (10, 12)),
        ((8000, 2), (720, 1)),
    ],
)
def test_cover_sizes(size: tuple[int, int], expected: tuple[int, int]) -> None:
    assert cover_size(*size) == expected


def test_a_picture_is_stored_twice_sealed(encryptor: ImageEncryptor, store: MemoryStore) -> None:
    picture = Image.linear_gradient("L").resize((1440, 810)).convert("RGB")
    stored = encode_picture(picture, encryptor, store)
    assert (stored.width, stored.height, stored.type) == (720, 405, "image/avif;kid=1")
    avif, jpeg = opened(encryptor, store, stored.url), opened(encryptor, store, stored.jpeg)
    assert (avif.format, jpeg.format) == ("AVIF", "JPEG")
    assert avif.size == jpeg.size == (720, 405)
    wanted = np.asarray(picture.resize((720, 405)), dtype=float)
    for image in (avif, jpeg):
        assert np.abs(np.asarray(image.convert("RGB"), dtype=float) - wanted).mean() < 3


def test_a_small_picture_is_not_enlarged(encryptor: ImageEncryptor, store: MemoryStore) -> None:
    stored = encode_picture(Image.new("RGB", (97, 61), "teal"), encryptor, store, max_width=480)
    assert (stored.width, stored.height) == (97, 61)


def test_transparency_stays_in_avif_and_lies_on_white_in_jpeg(
    encryptor: ImageEncryptor, store: MemoryStore
) -> None:
    stored = encode_picture(Image.new("RGBA", (64, 64), (0, 0, 0, 0)), encryptor, store)
    assert opened(encryptor, store, stored.url).convert("RGBA").getpixel((32, 32))[3] == 0  # type: ignore[index]  # RGBA
    assert opened(encryptor, store, stored.jpeg).convert("L").getpixel((32, 32)) == pytest.approx(
        255, abs=2
    )


@pytest.mark.parametrize("mode", ["1", "L", "P", "CMYK", "I;16", "F", "LA"])
def test_every_mode_can_be_stored(encryptor: ImageEncryptor, store: MemoryStore, mode: str) -> None:
    assert encode_picture(Image.new(mode, (40, 30)), encryptor, store).width == 40


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a" + bytes(40), b"<svg/>", b"\xff\xd8\xff\xe0" + bytes(100)]
)
def test_what_is_no_picture_is_refused(content: bytes) -> None:
    with pytest.raises(PictureError):
        open_picture(content)


@pytest.mark.parametrize(
    ("size", "is_taken"),
    [((1, 1), False), ((23, 400), False), ((400, 23), False), ((24, 24), True)],
)
@pytest.mark.parametrize("form", ["PNG", "GIF", "WEBP"])
def test_what_is_too_small_to_show_anything_is_refused(
    encryptor: ImageEncryptor, store: MemoryStore, form: str, size: tuple[int, int], is_taken: bool
) -> None:
    buffer = BytesIO()
    Image.new("RGB", size).save(buffer, form)
    if is_taken:
        assert store_picture(buffer.getvalue(), encryptor, store, 1280).width == size[0]
        return
    with pytest.raises(PictureError, match=rf"^图片太小：{size[0]}×{size[1]}，每边至少 24 像素$"):
        store_picture(buffer.getvalue(), encryptor, store, 1280)
    assert not list(store.objects("enc/"))


def test_a_bomb_is_refused_undecoded() -> None:
    buffer = BytesIO()
    Image.new("1", (MAX_PICTURE_PIXELS // 6000 + 1, 6000)).save(buffer, "PNG")
    assert len(buffer.getvalue()) < 100_000
    with pytest.raises(PictureError):
        open_picture(buffer.getvalue())
