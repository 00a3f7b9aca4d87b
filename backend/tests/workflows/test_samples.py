"""Every real clip plays upright in its proportions; every hostile one is refused (issue's
acceptance).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from liuying.installation.services import Services
from liuying.media.errors import (
    AbsurdTimestampsError,
    EmptyFileError,
    MediaError,
    NotVideoError,
    TruncatedError,
)
from liuying.media.package import join
from liuying.media.probe import probe
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.media.av_offset import first_picture, sound_shift
from tests.media.clips import FAST
from tests.media.hls_validator import MAX_AV_OFFSET_S, faults_of, first_shown
from tests.workflows.published import file_of, play, renditions_of, row_of, visible_files

SAMPLES = Path(
    os.environ.get("LIUYING_SAMPLES") or Path(__file__).resolve().parents[4] / "shared" / "samples"
)
pytestmark = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="no sample clips: set LIUYING_SAMPLES to their folder"
)

# File → size of the picture as it is to be seen, seconds, whether it has sound, rungs.
CLIPS = {
    "phone_vertical_1080x1916_h264.ts": (
        (1080, 1916),
        3.43,
        False,
        ["360P", "540P", "720P", "1080P"],
    ),
    "butterfly_720p_stereo.mp4": ((1280, 720), 7.54, True, ["360P", "540P", "720P"]),
    "bee_720p_stereo.mp4": ((1280, 720), 4.04, True, ["360P", "540P", "720P"]),
    "flower_540p_cc0.mp4": ((960, 540), 5.0, True, ["360P", "540P"]),
    "vp8_vorbis_mono.webm": ((480, 360), 3.0, True, ["360P"]),
    "bbb_1080p60_aac51.mp4": ((1920, 1080), 2.0, True, ["360P", "540P", "720P", "1080P"]),
    "bbb_720p_aac51.mp4": ((1280, 720), 5.28, True, ["360P", "540P", "720P"]),
    "square_642_vp9_noaudio.webm": ((642, 642), 3.0, False, ["360P", "540P", "642P"]),
    "rotated90_720p.mp4": ((720, 1280), 4.97, True, ["360P", "540P", "720P"]),
    "hdr10_1080p_vfr_hevc.mp4": ((1920, 1080), 1.02, True, ["360P", "540P", "720P", "1080P"]),
    "fake_aux_tracks_10x12.mp4": ((10, 12), 0.2, False, ["10P"]),
    "nasa_multistream_subs.mp4": ((480, 270), 13.0, True, ["270P"]),
    "iphone_rotated_568x320_audiofirst.mov": ((320, 568), 4.0, True, ["320P"]),
}
# The long one is cut where their format allows it: a transport stream may end after any packet.
CUTS = {"phone_vertical_1080x1916_h264.ts": 188 * 10_000}
HOSTILE: dict[str, type[MediaError]] = {
    "empty.mp4": EmptyFileError,
    "text.mp4": NotVideoError,
    "gap_3h_50frames.mp4": AbsurdTimestampsError,
    "truncated_50pct.mp4": TruncatedError,
    "gif_65535.gif": NotVideoError,
}


def test_no_sample_is_forgotten() -> None:
    found = {path.name for path in SAMPLES.iterdir() if path.is_file() and path.suffix != ".md"}
    assert found == set(CLIPS)
    assert {path.name for path in (SAMPLES / "hostile").iterdir()} == set(HOSTILE)


def cut(name: str, folder: Path) -> Path:
    """The clip, or its beginning."""
    if name not in CUTS:
        return SAMPLES / name
    (folder / name).write_bytes((SAMPLES / name).read_bytes()[: CUTS[name]])
    return folder / name


@pytest.mark.parametrize("name", sorted(CLIPS))
def test_it_plays_upright_in_its_proportions(services: Services, tmp_path: Path, name: str) -> None:
    (width, height), seconds, has_sound, labels = CLIPS[name]
    source = cut(name, tmp_path)
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
    assert played.duration == pytest.approx(seconds, abs=0.15)
    assert (played.loudness is not None) is has_sound
    if probed.video.is_hdr:
        assert played.colours == (1, 1, 1, 1)
    if has_sound:
        join(lambda name: (low.parent / name).read_bytes(), tmp_path / "low.mp4")
        picture_shift = first_shown(low) - first_picture(source, probed.video.index)
        offset = picture_shift - sound_shift(source, tmp_path / "low.mp4")
        assert abs(offset) < MAX_AV_OFFSET_S


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_it_is_refused(services: Services, name: str) -> None:
    with pytest.raises(HOSTILE[name]) as refusal:
        import_file(services, SAMPLES / "hostile" / name, VideoMeta(), settings=FAST)
    assert "\n" not in refusal.value.message
    assert visible_files(services) == []
