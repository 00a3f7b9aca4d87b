"""Every odd clip plays upright in its proportions; every hostile one is refused."""

from __future__ import annotations

from pathlib import Path

import m3u8  # type: ignore[import-untyped]  # the package ships no types
import pytest

from liuying.installation.services import Services
from liuying.media.errors import (
    AbsurdTimestampsError,
    EmptyFileError,
    MediaError,
    NotVideoError,
    TruncatedError,
)
from liuying.media.ladder import is_held
from liuying.media.probe import probe
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.media.av_offset import first_picture, sound_shift
from tests.media.clips import FAST
from tests.media.hls_validator import MAX_AV_OFFSET_S, faults_of, first_shown, track_spans
from tests.workflows.odd_clips import HOSTILE_CLIPS, ODD_CLIPS
from tests.workflows.published import (
    file_of,
    media_playlists,
    play,
    renditions_of,
    row_of,
    visible_files,
)

# What a clip shows: its picture's size as it is to be seen, seconds, whether it has sound, rungs.
Shown = tuple[tuple[int, int], float, bool, list[str]]
CLIPS: dict[str, Shown] = {
    "phone_upright_height_1916.ts": ((1080, 1916), 2.0, False, ["360P", "540P", "720P", "1080P"]),
    "plain_720p.mp4": ((1280, 720), 2.0, True, ["360P", "540P", "720P"]),
    "plain_540p.mp4": ((960, 540), 2.0, True, ["360P", "540P"]),
    "vp8_vorbis_mono.webm": ((480, 360), 2.0, True, ["360P"]),
    "sixty_pictures_and_six_channels.mp4": (
        (1920, 1080),
        2.0,
        True,
        ["360P", "540P", "720P", "1080P"],
    ),
    "square_642_vp9.webm": ((642, 642), 2.0, False, ["360P", "540P", "642P"]),
    "turned_720p.mp4": ((720, 1280), 2.0, True, ["360P", "540P", "720P"]),
    "turned_sound_first.mov": ((320, 568), 2.0, True, ["320P"]),
    "hdr10_uneven.mp4": ((1920, 1080), 1.0, False, ["360P", "540P", "720P", "1080P"]),
    "tiny_10x12.mp4": ((10, 12), 2.0, False, ["10P"]),
    "many_streams.mp4": ((480, 270), 2.0, True, ["270P"]),
    "sound_ends_early.mp4": ((640, 360), 6.0, True, ["360P"]),
    "sound_goes_on.mp4": ((640, 360), 6.0, True, ["360P"]),
    "sound_goes_on_kept.mp4": ((640, 360), 6.0, True, ["360P"]),
    "picture_comes_late.mp4": ((640, 360), 6.0, True, ["360P"]),
    "picture_comes_late_kept.mp4": ((640, 360), 6.0, True, ["360P"]),
    "cut_without_encoding.mp4": ((640, 360), 4.7, True, ["360P"]),
}
HOSTILE: dict[str, type[MediaError]] = {
    "empty.mp4": EmptyFileError,
    "text.mp4": NotVideoError,
    "gap_of_three_hours.mp4": AbsurdTimestampsError,
    "half_of_it.mp4": TruncatedError,
    "gif_65535.gif": NotVideoError,
}


def test_every_clip_is_tried() -> None:
    assert set(CLIPS) == set(ODD_CLIPS)
    assert set(HOSTILE) == set(HOSTILE_CLIPS)


@pytest.mark.parametrize("name", sorted(CLIPS))
def test_it_plays_upright_in_its_proportions(services: Services, tmp_path: Path, name: str) -> None:
    (width, height), seconds, has_sound, labels = CLIPS[name]
    source = ODD_CLIPS[name](tmp_path / name)
    result = import_file(services, source, VideoMeta(), settings=FAST)
    row = row_of(services, result.video_id)
    assert (row.state, row.width, row.height) == ("complete", width, height)
    assert row.duration / 1000 == pytest.approx(seconds, abs=0.05)
    probed = probe(source)
    assert faults_of(file_of(services, row.playlist), (width, height), probed.timing.rate) == []
    found = renditions_of(services, result.key)
    assert [one.label for one in found] == labels
    for one in found:
        assert one.width / one.height == pytest.approx(width / height, rel=0.01)
        assert ("mp4a" in one.codecs) is has_sound
    # Each rung has as many pictures at the same moments (see the validator): one is played.
    low = file_of(services, found[0].path)
    played = play(low)
    assert (played.width, played.height) == (found[0].width, found[0].height)
    still = 0.0 if is_held(probed.timing) else probed.timing.tail  # the last picture is there once
    assert played.duration == pytest.approx(seconds - still, abs=0.15)
    assert (played.loudness is not None) is has_sound
    if probed.video.is_hdr:
        assert played.colours == (1, 1, 1, 1)
    if has_sound:
        pictures, sound = media_playlists(low)
        (heard,) = sound.parent.glob("*.mp4")
        lead = probed.timing.lead  # the first picture is shown from the beginning on
        picture_shift = first_shown(pictures) + lead - first_picture(source, probed.video.index)
        offset = picture_shift - sound_shift(source, heard)
        assert abs(offset) < MAX_AV_OFFSET_S


WITH_SOUND = sorted(name for name, (_, _, has_sound, _) in CLIPS.items() if has_sound)


@pytest.mark.parametrize("name", WITH_SOUND)
def test_picture_and_sound_fill_the_length_that_is_said(
    services: Services, tmp_path: Path, name: str
) -> None:
    """A player that has pictures left and no sound for them never comes to the end; one that has
    sound left tells another length than the playlist.
    """
    source = ODD_CLIPS[name](tmp_path / name)
    result = import_file(services, source, VideoMeta(), settings=FAST)
    said = row_of(services, result.video_id).duration / 1000
    for one in renditions_of(services, result.key):
        playlists = media_playlists(file_of(services, one.path))
        for playlist in playlists:
            promised = sum(segment.duration for segment in m3u8.load(str(playlist)).segments)
            assert promised == pytest.approx(said, abs=0.05)
        pictures, sound = map(track_spans, playlists)
        assert pictures["video"] == pytest.approx((0.0, said), abs=0.05)
        assert sound["audio"] == pytest.approx((0.0, said), abs=0.05)


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_it_is_refused(services: Services, tmp_path: Path, name: str) -> None:
    source = HOSTILE_CLIPS[name](tmp_path / name)
    with pytest.raises(HOSTILE[name]) as refusal:
        import_file(services, source, VideoMeta(), settings=FAST)
    assert "\n" not in refusal.value.message
    assert visible_files(services) == []
