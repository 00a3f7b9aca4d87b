"""Which audio tracks are published, what they are called, and which one plays first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from av.audio.stream import AudioStream
from av.stream import Disposition

from liuying.media.audio_tracks import MAX_AUDIO_TRACKS, AudioTrack, choose_tracks
from liuying.media.chunk_run import fingerprint
from liuying.media.plan import make_plan
from liuying.media.playlists import (
    Rendition,
    Sound,
    beside_sounds,
    master_of_one,
    master_playlist,
)
from liuying.media.probe import probe
from liuying.media.streams import choose_audio
from liuying.media.transcode import PICTURES_OUTPUT, first_arguments, ladder_arguments
from tests.media.clips import h264, make_clip, picture, tone
from tests.media.facts import probe_of


def stream(
    index: int,
    language: str | None = None,
    title: str = "",
    flags: Disposition = Disposition(0),  # noqa: B008 - a constant
    **more: Any,
) -> AudioStream:
    """A stream of sound as a file describes it."""
    said = SimpleNamespace(
        index=index,
        language=language,
        metadata={"title": title} | more,
        disposition=flags,
        codec_context=SimpleNamespace(channels=2, rate=48_000),
    )
    return cast(AudioStream, said)


def named(*streams: AudioStream) -> list[tuple[str, str]]:
    return [(one.lang, one.label) for one in choose_tracks(streams).tracks]


def test_one_track_is_no_choice() -> None:
    chosen = choose_tracks([stream(1, "chi")])
    assert (chosen.default, chosen.tracks, chosen.indices) == (1, (), [1])
    assert choose_tracks([]).default is None


def test_tracks_are_called_by_code_and_title() -> None:
    assert named(
        stream(1, "chi", "国语"),
        stream(2, "chi", "粤语 5.1"),
        stream(3, "eng"),
        stream(4, "jpn", "日语原声"),
        stream(5, None, "Cantonese DTS"),
        stream(6, "eng", "Director's commentary"),
        stream(7, None, "原声"),
        stream(8, "yue"),
    ) == [
        ("zh", "国语"),
        ("yue", "粤语"),
        ("en", "英语"),
        ("ja", "日语原声"),
        ("yue-x-2", "粤语 2"),
        ("en-x-c", "英语评论音轨"),
        ("und", "原声"),
        ("yue-x-3", "粤语 3"),
    ]


def test_what_is_unknown_is_numbered() -> None:
    assert named(stream(1, "und"), stream(2), stream(3, "tlh", "中英双语")) == [
        ("und", "音轨 1"),
        ("und-x-2", "音轨 2"),
        ("und-x-3", "音轨 3"),
    ]


def test_flags_and_the_names_of_handlers_count_too() -> None:
    tracks = [
        stream(1, "eng", flags=Disposition.comment),
        stream(2, "eng", flags=Disposition.visual_impaired),
        stream(3, "jpn", flags=Disposition.original),
        stream(4, "und", handler_name="國語配音"),
    ]
    assert named(*tracks) == [
        ("en-x-c", "英语评论音轨"),
        ("en-x-d", "英语口述影像"),
        ("ja", "日语原声"),
        ("zh", "国语"),
    ]


DEFAULT = Disposition.default


@pytest.mark.parametrize(
    ("tracks", "default"),
    [
        ([stream(1, "eng"), stream(2, "jpn", flags=DEFAULT)], 2),
        # Matroska calls every track a default unless told otherwise.
        ([stream(1, "eng", flags=DEFAULT), stream(2, "chi", flags=DEFAULT)], 2),
        ([stream(1, "eng"), stream(2, "chi")], 2),
        ([stream(1, "eng"), stream(2, "jpn")], 1),
        ([stream(1, "eng", "commentary", DEFAULT), stream(2, "jpn", flags=DEFAULT)], 2),
    ],
)
def test_the_files_default_plays_first(tracks: list[AudioStream], default: int) -> None:
    chosen = choose_tracks(tracks)
    assert chosen.default == default
    assert [one.index for one in chosen.tracks if one.is_default] == [default]


def test_there_is_a_limit_and_the_default_is_within() -> None:
    many = [stream(index, "eng") for index in range(1, 12)]
    many.append(stream(12, "chi", flags=DEFAULT))
    chosen = choose_tracks(many)
    assert len(chosen.tracks) == MAX_AUDIO_TRACKS
    assert chosen.left_out == 4
    assert [one.index for one in chosen.tracks] == [1, 2, 3, 4, 5, 6, 7, 12]
    assert [one.number for one in chosen.tracks] == list(range(1, 9))
    assert chosen.tracks[-1].is_default


def test_what_cannot_be_decoded_is_no_track() -> None:
    broken = stream(1, "chi")
    cast(Any, broken).codec_context = None
    assert choose_tracks([broken, stream(2, "eng")]).tracks == ()
    assert choose_audio([broken]) is None


def test_the_film_lasts_as_long_as_its_longest_track(tmp_path: Path) -> None:
    clip = make_clip(
        tmp_path / "two.mkv",
        *picture(seconds=2),
        *tone(1),
        *tone(2.5),
        *("-map", "0", "-map", "1", "-map", "2", *h264()),
    )
    found = probe(clip)
    assert [one.label for one in found.audio_tracks] == ["音轨 1", "音轨 2"]
    assert found.timing.duration == pytest.approx(2.5, abs=0.05)


RENDITION = Rendition(
    label="360P",
    folder="360",
    width=640,
    height=360,
    peak_bits=800_000,
    mean_bits=600_000,
    key_peak_bits=9000,
    key_mean_bits=8000,
    codecs="avc1.64001e",
    frame_rate=25.0,
    duration=10.0,
    pictures=250,
)


def sound(number: int, lang: str, label: str, **more: bool) -> Sound:
    track = AudioTrack(
        number=number,
        index=number,
        lang=lang,
        label=label,
        is_default=more.get("is_default", False),
        is_side=more.get("is_side", False),
    )
    return Sound(
        track=track, peak_bits=130_000 + number, mean_bits=128_000 + number, codecs="mp4a.40.2"
    )


SOUNDS = [
    sound(1, "en", "英语"),
    sound(2, "zh", "国语", is_default=True),
    sound(3, "zh-x-2", "国语 2"),
    sound(4, "en-x-d", "英语口述影像", is_side=True),
    sound(5, "und", "音轨 5"),
]


def test_the_master_playlist_names_the_tracks() -> None:
    text = master_playlist([beside_sounds(RENDITION, SOUNDS)], SOUNDS)
    lines = text.splitlines()
    media = 'TYPE=AUDIO,GROUP-ID="sound",NAME'
    assert [one for one in lines if one.startswith("#EXT-X-MEDIA")] == [
        f'#EXT-X-MEDIA:{media}="英语",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",'
        'URI="sound-1/index.m3u8"',
        f'#EXT-X-MEDIA:{media}="国语",LANGUAGE="zh",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",'
        'URI="sound-2/index.m3u8"',
        f'#EXT-X-MEDIA:{media}="国语 2",LANGUAGE="zh-x-2",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="2",'
        'URI="sound-3/index.m3u8"',
        f'#EXT-X-MEDIA:{media}="英语口述影像",LANGUAGE="en-x-d",DEFAULT=NO,AUTOSELECT=NO,'
        'CHARACTERISTICS="public.accessibility.describes-video",CHANNELS="2",'
        'URI="sound-4/index.m3u8"',
        f'#EXT-X-MEDIA:{media}="音轨 5",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="2",'
        'URI="sound-5/index.m3u8"',
    ]
    assert (
        "#EXT-X-STREAM-INF:BANDWIDTH=930005,AVERAGE-BANDWIDTH=728005,"
        'CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="sound"'
    ) in lines


def test_a_rendition_has_a_master_of_its_own() -> None:
    lines = master_of_one(beside_sounds(RENDITION, SOUNDS), SOUNDS).splitlines()
    assert 'URI="../sound-2/index.m3u8"' in "".join(lines)
    assert "index.m3u8" in lines
    assert lines[-1].endswith('URI="iframes.m3u8"')


def test_without_several_tracks_nothing_is_different() -> None:
    assert beside_sounds(RENDITION, []) is RENDITION
    text = master_playlist([RENDITION])
    assert "EXT-X-MEDIA" not in text
    assert "AUDIO=" not in text


# What a film of 10 s got before there were several tracks.
MUXED_SOUND = [
    *("-map", "0:1", "-c:a", "aac", "-b:a", "128000", "-ac", "2", "-ar", "48000", "-af"),
    "aresample=async=1:first_pts=0,volume=2.5dB,apad=whole_dur=10.000,atrim=end=10.000",
]
REMUXED_SOUND = ["-map", "1:a:0", "-c:a", "copy"]
FILE = [
    *("-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact"),
    "-movflags",
    "+frag_keyframe+delay_moov+default_base_moof+negative_cts_offsets+skip_sidx+skip_trailer",
    *("-f", "mp4"),
]


def test_the_commands_for_a_film_with_one_track_are_the_same_as_ever() -> None:
    plan = make_plan(probe_of(codec="vp9"))
    first = first_arguments(plan, Path("film.mp4"), 2.5)
    expected = [*MUXED_SOUND, *FILE, "file:360.mp4", *PICTURES_OUTPUT]
    assert first[-len(expected) :] == expected
    rest = ladder_arguments(plan, Path("film.mp4"), plan.rungs[1:], Path("360.mp4"))
    discarded = ["-map", "0:1", "-c", "copy", "-f", "null", "-"]
    expected = [*REMUXED_SOUND, *FILE, "file:720.mp4", *discarded]
    assert rest[-len(expected) :] == expected


def test_tracks_are_part_of_what_chunks_are_known_by() -> None:
    one = probe_of()
    several = msgspec.structs.replace(one, audio_tracks=tuple(each.track for each in SOUNDS))
    assert fingerprint(make_plan(one)) != fingerprint(make_plan(several))
