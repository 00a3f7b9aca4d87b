"""Fragmented files and playlists: cut, measured, described."""

from __future__ import annotations

import re
import subprocess
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import av
import av.error
import pytest

from liuying.media.boxes import BoxError, Fragment, read_fragmented
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.ladder import Rung
from liuying.media.package import group, key_frames, package
from liuying.media.packaged import MediaPlaylist, Part, join, read_playlist
from liuying.media.playlists import Rendition, master_playlist, media_playlist
from liuying.media.segments import Segment, peak_bits, target_duration
from liuying.media.transcode import FRAGMENTED
from liuying_seeding.segment_files import cut_into_segments
from tests.media.clips import make_clip, picture, tone

RUNG = Rung(label="360P", width=640, height=360, max_bits=800_000, rate=None, is_copied=False)


@pytest.fixture(scope="module")
def fragmented(clips: Path) -> Path:
    """4.4 s with key frames at 0, 1, 2 and 4 s."""
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
    arguments = [*picture(seconds=4.4), *tone(4.4), *keys, "-pix_fmt", "yuv420p", "-c:a", "aac"]
    return make_clip(clips / "fragmented.mp4", *arguments, "-movflags", FRAGMENTED)


def fragments(*durations: float) -> list[Fragment]:
    made, start = [], 0.0
    for number, duration in enumerate(durations):
        made.append(
            Fragment(
                offset=number * 100,
                size=100,
                start=start,
                duration=duration,
                pictures=25,
                key_size=40,
            )
        )
        start += duration
    return made


def test_the_structure_is_read(fragmented: Path) -> None:
    content = read_fragmented(fragmented)
    assert [round(one.start, 2) for one in content.fragments] == [0, 1, 2, 4]
    assert [round(one.duration, 2) for one in content.fragments] == [1, 1, 2, 0.4]
    assert [one.pictures for one in content.fragments] == [25, 25, 50, 10]
    assert re.fullmatch(r"avc1\.[0-9a-f]{6},mp4a\.40\.2", content.codecs)
    assert (
        content.init_bytes + sum(one.size for one in content.fragments) == fragmented.stat().st_size
    )


def test_a_plain_file_is_not_fragmented(plain_clip: Path) -> None:
    with pytest.raises(BoxError):
        read_fragmented(plain_clip)


def playlist_in(folder: Path) -> MediaPlaylist:
    return read_playlist((folder / "index.m3u8").read_text())


def bytes_of(folder: Path, part: Part) -> bytes:
    return (folder / part.name).read_bytes()[part.offset : part.end]


def test_a_package_is_one_file(fragmented: Path, tmp_path: Path) -> None:
    folder = tmp_path / "360"
    rendition = package(fragmented, RUNG, folder)
    names = sorted(path.name for path in folder.iterdir())
    assert names[1:] == ["iframes.m3u8", "index.m3u8"]
    assert re.fullmatch(r"[0-9a-f]{6}\.mp4", names[0])
    assert (folder / names[0]).read_bytes() == fragmented.read_bytes()
    # Everything is named, nothing twice.
    assert playlist_in(folder).parts == [Part(names[0], 0, fragmented.stat().st_size)]
    assert playlist_in(folder).is_one_file
    assert rendition.frame_rate == pytest.approx(25)
    assert rendition.duration == pytest.approx(4.4)


def test_a_name_follows_from_the_content(fragmented: Path, tmp_path: Path) -> None:
    for name in ("one", "again"):
        package(fragmented, RUNG, tmp_path / name)
    other = tmp_path / "other.mp4"
    other.write_bytes(fragmented.read_bytes()[:-1] + b"!")
    package(other, RUNG, tmp_path / "different")
    one, again, different = (
        playlist_in(tmp_path / name).init.name for name in ("one", "again", "different")
    )
    assert one == again != different


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_package_loses_no_byte(fragmented: Path, tmp_path: Path, *, is_cut: bool) -> None:
    folder = tmp_path / "360"
    package(fragmented, RUNG, folder)
    if is_cut:
        cut_into_segments(folder)
    assert playlist_in(folder).is_one_file is not is_cut
    join(lambda part: [bytes_of(folder, part)], tmp_path / "whole.mp4")
    assert (tmp_path / "whole.mp4").read_bytes() == fragmented.read_bytes()


def test_a_package_decodes_from_every_segment(fragmented: Path, tmp_path: Path) -> None:
    folder = tmp_path / "360"
    package(fragmented, RUNG, folder)
    playlist = playlist_in(folder)
    assert len(playlist.segments) == 4
    for segment in playlist.segments:
        alone = tmp_path / "alone.mp4"
        alone.write_bytes(bytes_of(folder, playlist.init) + bytes_of(folder, segment))
        command = [
            ffmpeg_binary(),
            "-v",
            "error",
            "-i",
            str(alone),
            "-map",
            "0:v",
            "-f",
            "null",
            "-",
        ]
        assert subprocess.run(command, capture_output=True, check=True, timeout=60).stderr == b""


def test_the_playlist_says_what_the_segments_last(fragmented: Path, tmp_path: Path) -> None:
    package(fragmented, RUNG, tmp_path / "360")
    lines = (tmp_path / "360" / "index.m3u8").read_text().splitlines()
    assert lines[0] == "#EXTM3U"
    assert lines[-1] == "#EXT-X-ENDLIST"
    assert [float(line[8:-1]) for line in lines if line.startswith("#EXTINF:")] == pytest.approx(
        [1, 1, 2, 0.4]
    )
    assert "#EXT-X-TARGETDURATION:2" in lines
    assert playlist_in(tmp_path / "360").durations == pytest.approx([1, 1, 2, 0.4])


def test_each_key_frame_is_a_part_that_decodes_alone(fragmented: Path, tmp_path: Path) -> None:
    package(fragmented, RUNG, tmp_path / "360")
    text = (tmp_path / "360" / "iframes.m3u8").read_text()
    assert "#EXT-X-I-FRAMES-ONLY\n" in text
    parts = re.findall(r"#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)\n", text)
    assert [float(part[0]) for part in parts] == pytest.approx([1, 1, 2, 0.4])
    playlist = playlist_in(tmp_path / "360")
    init = bytes_of(tmp_path / "360", playlist.init)
    for (_, size, offset, name), segment in zip(parts, playlist.segments, strict=True):
        assert (name, int(offset)) == (segment.name, segment.offset)
        assert 0 < int(size) < (segment.size or 0) / 2
        part = bytes_of(tmp_path / "360", Part(name, int(offset), int(size)))
        assert pictures_of(init + part) == [True]
        assert pictures_of(init + part[:-200]) != [True]  # nothing is there that it does not need


def pictures_of(content: bytes) -> list[bool]:
    """Of each picture that a decoder finds whole, whether it is a key frame."""
    with av.open(BytesIO(content), mode="r") as container:
        stream = container.streams.video[0]
        stream.codec_context.options = {"err_detect": "explode"}
        with suppress(av.error.InvalidDataError, EOFError):
            return [
                frame.key_frame for packet in container.demux(stream) for frame in packet.decode()
            ]
    return []


def test_key_frames_within_one_segment_keep_their_places() -> None:
    keys = key_frames(fragments(*[0.5] * 4))
    assert [(one.offset, one.size, one.duration) for one in keys] == [
        *((0, 40, 0.5), (100, 40, 0.5), (200, 40, 0.5), (300, 40, 0.5)),
    ]


def test_a_playlist_says_no_more_than_it_must() -> None:
    text = media_playlist("abc123.mp4", 800, [Segment(1.001, 9), Segment(2, 40)])
    assert text.splitlines()[6:] == [
        '#EXT-X-MAP:URI="abc123.mp4",BYTERANGE="800@0"',
        *("#EXTINF:1.001,", "#EXT-X-BYTERANGE:9@800", "abc123.mp4"),
        *("#EXTINF:2,", "#EXT-X-BYTERANGE:40", "abc123.mp4"),
        "#EXT-X-ENDLIST",
    ]


@pytest.mark.parametrize(
    ("durations", "expected"),
    [
        ((1, 1, 2, 2), [1, 1, 2, 2]),
        ((0.5,) * 10, [1, 1, 2, 1]),
        ((3, 3, 1), [3, 3, 1]),
        ((1, 1, 2, 0.1), [1, 1, 2.1]),
        ((0.1,), [0.1]),
    ],
)
def test_grouping(durations: tuple[float, ...], expected: list[float]) -> None:
    grouped = [sum(one.duration for one in members) for members in group(fragments(*durations))]
    assert grouped == pytest.approx(expected)


def test_the_peak_is_that_of_runs_of_segments() -> None:
    # Target 2 s: runs of 1 to 3 s count, so the first second counts alone and the last half second
    # does not.
    segments = [Segment(1, 100_000), Segment(2, 300_000), Segment(0.5, 1_000_000)]
    assert target_duration(segments) == 2
    assert peak_bits(segments) == round(1_300_000 * 8 / 2.5)


def test_a_very_short_video_has_a_peak() -> None:
    assert peak_bits([Segment(0.2, 1000)]) == 40_000


@pytest.mark.parametrize(("durations", "expected"), [((0.2,), 1), ((1.4, 2.4), 2), ((2.5, 1), 3)])
def test_the_target_duration_is_no_less_than_any_rounded_segment(
    durations: tuple[float, ...], expected: int
) -> None:
    assert target_duration([Segment(duration, 1) for duration in durations]) == expected
    assert f"#EXT-X-TARGETDURATION:{expected}\n" in media_playlist(
        "a.mp4", 1, [Segment(duration, 1) for duration in durations]
    )


def test_the_master_lists_the_lowest_first_with_all_attributes() -> None:
    low = Rendition(
        label="360P",
        folder="360",
        width=640,
        height=360,
        peak_bits=900_000,
        mean_bits=700_000,
        key_peak_bits=90_000,
        key_mean_bits=80_000,
        codecs="avc1.64001e,mp4a.40.2",
        frame_rate=30000 / 1001,
        duration=10,
        pictures=300,
    )
    high = Rendition(
        label="720P",
        folder="720",
        width=1280,
        height=720,
        peak_bits=2_900_000,
        mean_bits=2_500_000,
        key_peak_bits=290_000,
        key_mean_bits=280_000,
        codecs="avc1.64001f,mp4a.40.2",
        frame_rate=30,
        duration=10,
        pictures=300,
    )
    assert master_playlist([high, low]) == (
        "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        '#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=700000,CODECS="avc1.64001e,mp4a.40.2",'
        "RESOLUTION=640x360,FRAME-RATE=29.970\n360/index.m3u8\n"
        '#EXT-X-STREAM-INF:BANDWIDTH=2900000,AVERAGE-BANDWIDTH=2500000,CODECS="avc1.64001f,mp4a.40.2",'
        "RESOLUTION=1280x720,FRAME-RATE=30.000\n720/index.m3u8\n"
        '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,AVERAGE-BANDWIDTH=80000,CODECS="avc1.64001e",'
        'RESOLUTION=640x360,URI="360/iframes.m3u8"\n'
        '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=290000,AVERAGE-BANDWIDTH=280000,CODECS="avc1.64001f",'
        'RESOLUTION=1280x720,URI="720/iframes.m3u8"\n'
    )
