"""A file for every segment becomes one file, the one that it was cut from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from liuying.media.ladder import Rung
from liuying.media.package import package
from liuying.media.packaged import Part, PlaylistError, stored_playlist
from liuying.media.repacking import moved_master, repack
from liuying.media.transcode import FRAGMENTED
from liuying_seeding.segment_files import cut_into_segments
from tests.media.clips import make_clip, picture, tone

RUNG = Rung(label="360P", width=640, height=360, max_bits=800_000, rate=None, is_copied=False)


class Folder:
    """Reads a rendition in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, part: Part) -> Iterable[bytes]:
        yield (self.folder / part.name).read_bytes()[part.offset : part.end]


@pytest.fixture(scope="module")
def source(clips: Path) -> Path:
    keys = ["-force_key_frames", "0,0.999,1.999,2.5,3.999", "-g", "600"]
    form = ["-c:v", "libx264", "-preset", "ultrafast", *keys, "-pix_fmt", "yuv420p", "-c:a", "aac"]
    clip = [*picture(seconds=4.4), *tone(4.4), *form, "-movflags", FRAGMENTED]
    return make_clip(clips / "repacked.mp4", *clip)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("is_cut", [True, False])
def test_it_is_what_it_was_before_it_was_cut(source: Path, tmp_path: Path, *, is_cut: bool) -> None:
    package(source, RUNG, tmp_path / "360")
    whole = contents(tmp_path / "360")
    if is_cut:
        cut_into_segments(tmp_path / "360")
        assert len(contents(tmp_path / "360")) == 2 + 1 + 4
    read = Folder(tmp_path / "360")
    repack(read, stored_playlist(read), tmp_path / "360-2", {})
    assert contents(tmp_path / "360-2") == whole


def test_a_segment_that_is_cut_off_is_refused(source: Path, tmp_path: Path) -> None:
    package(source, RUNG, tmp_path / "360")
    cut_into_segments(tmp_path / "360")
    segment = tmp_path / "360" / "s00002.m4s"
    segment.write_bytes(segment.read_bytes()[:-1])
    read = Folder(tmp_path / "360")
    with pytest.raises(PlaylistError):
        repack(read, stored_playlist(read), tmp_path / "360-2", {})


def test_a_master_playlist_leads_to_the_new_folders() -> None:
    text = (
        '#EXT-X-MEDIA:TYPE=AUDIO,NAME="360/a",URI="sound-1/index.m3u8"\n'
        "#EXT-X-STREAM-INF:BANDWIDTH=360\n360/index.m3u8\n540/index.m3u8\n"
        '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="360/iframes.m3u8"\n'
    )
    moved = moved_master(text, {"360": "360-2", "sound-1": "sound-1-2"})
    assert moved == (
        '#EXT-X-MEDIA:TYPE=AUDIO,NAME="360/a",URI="sound-1-2/index.m3u8"\n'
        "#EXT-X-STREAM-INF:BANDWIDTH=360\n360-2/index.m3u8\n540/index.m3u8\n"
        '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="360-2/iframes.m3u8"\n'
    )
    beside = '#EXT-X-MEDIA:URI="../sound-1/index.m3u8"\nindex.m3u8\n'
    assert moved_master(beside, {"sound-1": "sound-1-2"}) == beside.replace(
        "sound-1/", "sound-1-2/"
    )
