"""What files are, and which are refused before anything is decoded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from liuying.media.errors import (
    EmptyFileError,
    NotVideoError,
    NoVideoStreamError,
    TooManyPixelsError,
    TooManyStreamsError,
    TruncatedError,
    UnreadableError,
)
from liuying.media.packet_pass import holds_idr
from liuying.media.probe import probe
from tests.media.clips import h264, make_clip, picture, tone


def test_a_plain_clip(plain_clip: Path) -> None:
    found = probe(plain_clip)
    video = found.video
    assert (video.codec, video.width, video.height, video.pixel_format) == (
        "h264",
        640,
        360,
        "yuv420p",
    )
    assert (video.is_rotated, video.is_hdr, video.is_full_range, video.is_interlaced) == (
        False,
    ) * 4
    assert video.has_closed_gops
    assert found.audio_index == 1
    assert found.timing.pictures == 75
    assert found.timing.duration == pytest.approx(3)
    assert found.timing.key_times == pytest.approx((0, 2))


def test_a_rotation_turns_the_size(plain_clip: Path, tmp_path: Path) -> None:
    turned = make_clip(
        tmp_path / "turned.mp4", "-display_rotation", "90", "-i", str(plain_clip), "-c", "copy"
    )
    video = probe(turned).video
    assert (video.width, video.height, video.is_rotated) == (360, 640, True)


def test_pixels_that_are_not_square_widen_the_picture(plain_clip: Path, tmp_path: Path) -> None:
    wide = make_clip(tmp_path / "wide.mp4", "-i", str(plain_clip), "-vf", "setsar=4/3", *h264())
    video = probe(wide).video
    assert (video.width, video.height, video.has_square_pixels) == (853, 360, False)


def test_full_range_and_interlacing_are_seen(tmp_path: Path) -> None:
    full = make_clip(tmp_path / "full.mp4", *picture(seconds=0.5), *h264(), "-pix_fmt", "yuvj420p")
    fields = make_clip(
        tmp_path / "fields.mp4",
        *picture(seconds=0.5),
        *h264(),
        "-flags",
        "+ildct+ilme",
        "-x264opts",
        "tff=1",
    )
    assert probe(full).video.is_full_range
    assert probe(fields).video.is_interlaced


def test_hdr_is_seen(tmp_path: Path) -> None:
    colours = "color_trc=smpte2084:color_primaries=bt2020:colorspace=bt2020nc"
    tags = f"format=yuv420p10le,setparams={colours}"
    clip = make_clip(tmp_path / "hdr.mp4", *picture(seconds=0.4), "-vf", tags, "-c:v", "libx264")
    assert probe(clip).video.is_hdr


def test_the_largest_picture_wins_and_what_the_file_calls_its_default(tmp_path: Path) -> None:
    clip = make_clip(
        tmp_path / "many.mkv",
        *picture("320x180", 1),
        *tone(1),
        *tone(1),
        *picture("640x360", 1),
        *("-map", "0", "-map", "1", "-map", "2", "-map", "3", *h264()),
        *("-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=chi"),
        *("-disposition:a:0", "0", "-disposition:a:1", "default"),
    )
    found = probe(clip)
    assert (found.video.index, found.video.width, found.audio_index) == (3, 640, 2)


def test_a_cover_picture_is_not_the_film(plain_clip: Path, tmp_path: Path) -> None:
    cover = make_clip(
        tmp_path / "cover.png", *picture("1280x720", 0.04), "-frames:v", "1", "-update", "1"
    )
    inputs = ["-i", str(cover), "-i", str(plain_clip), "-map", "0:v", "-map", "1", "-c", "copy"]
    found = probe(make_clip(tmp_path / "with.mp4", *inputs, "-disposition:v:0", "attached_pic"))
    assert (found.video.codec, found.video.width) == ("h264", 640)


def test_music_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoVideoStreamError):
        probe(make_clip(tmp_path / "music.mp4", *tone(), "-c:a", "aac"))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    with pytest.raises(EmptyFileError):
        probe(tmp_path / "empty.mp4")


@pytest.mark.parametrize(
    "content", [b"words " * 500, bytes(5000), os.urandom(5000), b"\x00\x00\x00\x18ftypmp42"]
)
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.mp4"
    path.write_bytes(content)
    with pytest.raises((NotVideoError, NoVideoStreamError)):
        probe(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.mp4", tmp_path):
        with pytest.raises((UnreadableError, NotVideoError)):
            probe(path)


@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("form", ["mp4", "mkv"])
def test_a_truncated_file_is_refused(tmp_path: Path, share: float, form: str) -> None:
    options = ["-movflags", "+faststart"] if form == "mp4" else []
    whole = make_clip(
        tmp_path / f"whole.{form}", *picture("160x90", 30), *tone(30), *h264(), *options
    )
    content = whole.read_bytes()
    cut = tmp_path / f"cut.{form}"
    cut.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(TruncatedError):
        probe(cut)


def test_a_picture_that_is_too_large_is_refused_undecoded(tmp_path: Path) -> None:
    clip = make_clip(tmp_path / "huge.mp4", *picture("8000x4502", 0.04), *h264())
    with pytest.raises(TooManyPixelsError, match="8000×4502"):
        probe(clip)


def test_too_many_streams_are_refused(tmp_path: Path) -> None:
    maps = [argument for _ in range(33) for argument in ("-map", "0")]
    clip = make_clip(tmp_path / "many.mp4", *picture("32x32", 0.2), *maps, *h264())
    with pytest.raises((TooManyStreamsError, NotVideoError)):
        probe(clip)


def test_names_that_look_like_options_and_addresses_are_names(
    plain_clip: Path, tmp_path: Path
) -> None:
    for name in ("-i.mp4", "http:x.mp4", "a%03d.mp4", "concat:a|b.mp4", "新 片'\".mp4"):
        path = tmp_path / name
        path.write_bytes(plain_clip.read_bytes())
        assert probe(path).video.width == 640


def test_closed_gops_are_told_from_open_ones(tmp_path: Path) -> None:
    opened = make_clip(
        tmp_path / "open.mp4",
        *picture(seconds=2),
        *("-c:v", "libx264", "-pix_fmt", "yuv420p", "-x264opts", "keyint=12:open-gop=1:bframes=3"),
    )
    found = probe(opened)
    assert len(found.timing.key_times) > 1
    assert not found.video.has_closed_gops


@pytest.mark.parametrize(
    ("packet", "is_length_prefixed", "expected"),
    [
        (b"\x00\x00\x00\x02\x09\xf0\x00\x00\x00\x03\x65\x88\x80", True, True),
        (b"\x00\x00\x00\x03\x41\x88\x80", True, False),
        (b"\x00\x00\x00\x01\x09\xf0\x00\x00\x01\x65\x88", False, True),
        (b"\x00\x00\x01\x41\x88", False, False),
        (b"", True, False),
        (b"\xff\xff\xff\xff", True, False),
    ],
)
def test_idr_units(packet: bytes, is_length_prefixed: bool, expected: bool) -> None:
    assert holds_idr(packet, is_length_prefixed=is_length_prefixed) is expected
