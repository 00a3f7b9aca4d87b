"""Films as files: what the importer can pass through, with sound, joined from shots."""

from __future__ import annotations

import io
from pathlib import Path

import av
import pytest
from PIL import Image

from liuying_demo.render import Cut, Film, render
from liuying_demo.scenes.film import FRAME_RATE
from liuying_demo.scenes.repertoire import SCENES
from liuying_demo.sound import Mood

SIZE = (320, 180)


def film(*scenes: str, seconds: float, shot: float) -> Film:
    cuts = [Cut(SCENES[name], shot, number) for number, name in enumerate(scenes)]
    return Film(cuts=cuts, seconds=seconds, size=SIZE, mood=Mood(), seed=1, cover_at=0.4)


def test_a_second_of_film(tmp_path: Path) -> None:
    path, cover = render(film("vinyl", seconds=1.0, shot=1.0), tmp_path, "clip")
    with av.open(str(path)) as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        assert (video.codec_context.name, video.codec_context.profile) == ("h264", "High")
        assert (video.width, video.height, video.codec_context.pix_fmt) == (*SIZE, "yuv420p")
        assert float(video.average_rate or 0) == FRAME_RATE
        assert (audio.codec_context.name, audio.codec_context.sample_rate, audio.channels) == (
            "aac",
            48_000,
            2,
        )
        frames = list(container.decode(video))
    assert len(frames) == FRAME_RATE
    assert [float(frame.time or 0) for frame in frames] == pytest.approx(
        [index / FRAME_RATE for index in range(FRAME_RATE)], abs=1e-4
    )
    with Image.open(io.BytesIO(cover)) as picture:
        assert (picture.format, picture.size) == ("JPEG", SIZE)
    assert [entry.name for entry in tmp_path.iterdir()] == ["clip.mp4"], (
        "what was made on the way is gone"
    )


def test_shots_are_repeated_until_the_film_is_full(tmp_path: Path) -> None:
    path, _cover = render(film("vinyl", "sea-sail", seconds=5.0, shot=1.0), tmp_path, "long")
    with av.open(str(path)) as container:
        frames = [frame.to_ndarray(format="gray") for frame in container.decode(video=0)]
        assert (container.duration or 0) / 1_000_000 == pytest.approx(5.0, abs=0.1)
    assert len(frames) == 5 * FRAME_RATE
    # First shot, second shot, first shot again.
    assert abs(frames[0].astype(int) - frames[2 * FRAME_RATE].astype(int)).mean() < 1
    assert abs(frames[0].astype(int) - frames[FRAME_RATE].astype(int)).mean() > 10


def test_groups_are_closed_and_short(tmp_path: Path) -> None:
    path, _cover = render(film("vinyl", seconds=6.0, shot=6.0), tmp_path, "keys")
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        packets = [packet for packet in container.demux(stream) if packet.size]
        keys = [
            float((packet.pts or 0) * (stream.time_base or 0))
            for packet in packets
            if packet.is_keyframe
        ]
        assert all(packet.pts == packet.dts for packet in packets), (
            "pictures are in order: every group is closed"
        )
    assert keys == pytest.approx([0, 1, 3, 5])


def test_the_same_film_is_the_same_file(tmp_path: Path) -> None:
    made = film("equaliser", seconds=1.0, shot=1.0)
    first, _ = render(made, tmp_path, "first")
    second, _ = render(made, tmp_path, "second")
    # An interrupted import goes on by the content's hash.
    assert first.read_bytes() == second.read_bytes()
