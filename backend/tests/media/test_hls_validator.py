"""The validator finds what it is there to find: each rule broken by hand in a published video."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from liuying.media.package import master_playlist, package
from liuying.media.plan import Rung
from liuying.media.transcode import FRAGMENTED
from tests.media.clips import make_clip, picture, tone
from tests.media.hls_validator import faults_of

SIDES = {360: (640, 360), 180: (320, 180)}


@pytest.fixture(scope="module")
def whole(clips: Path) -> Path:
    """Two rungs of 4.4 s with key frames at 0, 1, 2 and 4 s, and their master."""
    folder = clips / "valid"
    renditions = []
    for side, (width, height) in SIDES.items():
        keys = [
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-g",
            "600",
            "-force_key_frames",
            "0,0.999,1.999,3.999",
        ]
        form = [
            *keys,
            "-vf",
            f"scale={width}:{height}",
            "-pix_fmt",
            "yuv420p",
            "-c:a",
            "aac",
            "-movflags",
            FRAGMENTED,
        ]
        made = make_clip(clips / f"valid{side}.mp4", *picture(seconds=4.4), *tone(4.4), *form)
        rung = Rung(
            label=f"{side}P",
            width=width,
            height=height,
            max_bits=800_000,
            rate=None,
            is_copied=False,
        )
        renditions.append(package(made, rung, folder / str(side)))
    (folder / "v1.m3u8").write_text(master_playlist(renditions))
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def test_what_is_right_has_no_fault(folder: Path) -> None:
    assert faults_of(folder / "v1.m3u8", (640, 360), 25) == []


def edit(name: str, pattern: str, replacement: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        changed = re.sub(pattern, replacement, text, count=1)
        assert changed != text
        (folder / name).write_text(changed)

    return change


def swap(one: str, other: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        first, second = (folder / one).read_bytes(), (folder / other).read_bytes()
        (folder / one).write_bytes(second)
        (folder / other).write_bytes(first)

    return change


def recut(folder: Path) -> None:
    """One rung has no cut at 1 s, the other none at 2 s."""
    for rung, first, seconds in (("180", 1, (1, 1)), ("360", 2, (1, 2))):
        names = [f"s{number:05}.m4s" for number in (first, first + 1)]
        playlist = folder / rung / "index.m3u8"
        lines = [f"#EXTINF:{one:.5f},\n{name}\n" for one, name in zip(seconds, names, strict=True)]
        text = playlist.read_text().replace(
            "".join(lines), f"#EXTINF:{sum(seconds):.5f},\n{names[1]}\n"
        )
        playlist.write_text(text.replace("DURATION:2\n", "DURATION:3\n"))
        parts = [(folder / rung / name).read_bytes() for name in names]
        (folder / rung / names[1]).write_bytes(b"".join(parts))


def shift(track: int) -> Callable[[Path], object]:
    """Moves a track's second fragment by a tenth of a second."""

    def change(folder: Path) -> None:
        path = folder / "360" / "s00002.m4s"
        content = bytearray(path.read_bytes())
        places = [found.start() for found in re.finditer(b"tfdt\x01", content)]
        at = places[track] + 8
        content[at : at + 8] = (int.from_bytes(content[at : at + 8]) + 1300).to_bytes(8)
        path.write_bytes(content)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit("360/index.m3u8", "EXTINF:2.0", "EXTINF:2.1"), "360: EXTINF"),
        (edit("360/index.m3u8", "TARGETDURATION:2", "TARGETDURATION:1"), "360: TARGETDURATION"),
        (edit("360/index.m3u8", "#EXT-X-ENDLIST\n", ""), "no complete VOD"),
        (edit("v1.m3u8", r"([:,])BANDWIDTH=\d", r"\1BANDWIDTH=9"), ": BANDWIDTH"),
        (edit("v1.m3u8", r"AVERAGE-BANDWIDTH=\d", "AVERAGE-BANDWIDTH=9"), "AVERAGE-BANDWIDTH"),
        (edit("v1.m3u8", r"avc1\.......,", "avc1.640028,"), "CODECS"),
        (edit("v1.m3u8", ",mp4a.40.2", ""), "CODECS"),
        (edit("v1.m3u8", "FRAME-RATE=25.000", "FRAME-RATE=25.100"), "FRAME-RATE"),
        (edit("v1.m3u8", "RESOLUTION=320x180", "RESOLUTION=320x182"), "RESOLUTION"),
        (edit("v1.m3u8", r"#EXT-X-I-FRAME-STREAM-INF.*\n", ""), "not one playlist of key frames"),
        (edit("v1.m3u8", r"(I-FRAME.*?):BANDWIDTH=\d", r"\1:BANDWIDTH=9"), "key frames: BANDWIDTH"),
        (edit("360/iframes.m3u8", "BYTERANGE:1", "BYTERANGE:2"), "360, key frames: s00001.m4s"),
        (edit("360/iframes.m3u8", "EXTINF:2.0", "EXTINF:2.1"), "360, key frames: s00003.m4s"),
        (edit("360/iframes.m3u8", "#EXT-X-I-FRAMES-ONLY\n", ""), "I-FRAMES-ONLY"),
        (shift(0), "360: tfdt of track 1"),
        (shift(1), "360: tfdt of track 2"),
        (swap("360/s00001.m4s", "360/s00002.m4s"), "360: tfdt"),
        (recut, "360 is cut at [1.0]"),
    ],
)
def test_a_broken_rule_is_found(
    folder: Path, change: Callable[[Path], object], message: str
) -> None:
    change(folder)
    assert message in "\n".join(faults_of(folder / "v1.m3u8", (640, 360), 25))


def test_a_rung_above_the_source_is_found(folder: Path) -> None:
    assert faults_of(folder / "v1.m3u8", (480, 270), 12) == [
        "180: 25.000 pictures a second, the source has 12",
        "360: (640, 360) is larger than the source",
        "360: 25.000 pictures a second, the source has 12",
    ]
