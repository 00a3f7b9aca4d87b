"""The validator finds what it is there to find: each rule broken by hand in a published video."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from liuying.media.ladder import Rung
from liuying.media.package import package
from liuying.media.packaged import MediaPlaylist, read_playlist
from liuying.media.playlists import master_playlist, media_playlist
from liuying.media.segments import Segment
from liuying.media.transcode import FRAGMENTED
from liuying_seeding.segment_files import cut_into_segments
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


def test_a_file_for_every_segment_has_no_fault_either(folder: Path) -> None:
    for side in SIDES:
        cut_into_segments(folder / str(side))
    assert faults_of(folder / "v1.m3u8", (640, 360), 25) == []


def edit(name: str, pattern: str, replacement: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        changed = re.sub(pattern, replacement, text, count=1)
        assert changed != text
        (folder / name).write_text(changed)

    return change


def read(folder: Path, rung: str) -> tuple[MediaPlaylist, Path]:
    playlist = read_playlist((folder / rung / "index.m3u8").read_text())
    return playlist, folder / rung / playlist.init.name


def swap(folder: Path) -> None:
    """The first two segments of one rung in the other order."""
    playlist, path = read(folder, "360")
    content = path.read_bytes()
    one, other = playlist.segments[:2]
    first, second = content[one.offset : one.end], content[other.offset : other.end]
    path.write_bytes(content[: one.offset] + second + first + content[other.end :])
    text = (folder / "360" / "index.m3u8").read_text()
    text = text.replace(f"BYTERANGE:{one.size}@", f"BYTERANGE:{len(second)}@")
    changed = text.replace(f"BYTERANGE:{other.size}\n", f"BYTERANGE:{len(first)}\n")
    (folder / "360" / "index.m3u8").write_text(changed)


def repeat(folder: Path) -> None:
    """The last segment is the one before it again."""
    playlist, _ = read(folder, "360")
    one, last = playlist.segments[-2:]
    edit("360/index.m3u8", f"BYTERANGE:{last.size}\n", f"BYTERANGE:{one.size}@{one.offset}\n")(
        folder
    )


def recut(folder: Path) -> None:
    """One rung has no cut at 1 s, the other none at 2 s."""
    for rung, first in (("180", 0), ("360", 1)):
        playlist, path = read(folder, rung)
        segments = [
            Segment(duration, part.size or 0)
            for part, duration in zip(playlist.segments, playlist.durations, strict=True)
        ]
        joined = segments[first : first + 2]
        segments[first : first + 2] = [
            Segment(sum(one.duration for one in joined), sum(one.size for one in joined))
        ]
        text = media_playlist(path.name, playlist.init.size or 0, segments)
        (folder / rung / "index.m3u8").write_text(text)


def shift(track: int) -> Callable[[Path], object]:
    """Moves a track's second fragment by a tenth of a second."""

    def change(folder: Path) -> None:
        playlist, path = read(folder, "360")
        content = bytearray(path.read_bytes())
        second = playlist.segments[1]
        places = [
            found.start()
            for found in re.finditer(b"tfdt\x01", content)
            if found.start() >= second.offset
        ]
        at = places[track] + 8
        content[at : at + 8] = (int.from_bytes(content[at : at + 8]) + 1300).to_bytes(8)
        path.write_bytes(content)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit("360/index.m3u8", "EXTINF:2,", "EXTINF:2.1,"), "360: EXTINF"),
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
        (edit("360/iframes.m3u8", "BYTERANGE:1", "BYTERANGE:2"), "360, key frames: "),
        (edit("360/iframes.m3u8", "EXTINF:2,", "EXTINF:2.1,"), "360, key frames: "),
        (edit("360/iframes.m3u8", "#EXT-X-I-FRAMES-ONLY\n", ""), "I-FRAMES-ONLY"),
        (shift(0), "360: tfdt of track 1"),
        (shift(1), "360: tfdt of track 2"),
        (swap, "360: tfdt"),
        (repeat, "360: tfdt"),
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
