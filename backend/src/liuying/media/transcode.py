"""The transcoder's command lines: pure functions of a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from liuying.media.audio_tracks import AudioTrack
from liuying.media.candidates import chosen_pictures
from liuying.media.chunks import CUT_TOLERANCE_S, Chunk
from liuying.media.encoder_arguments import encoder_arguments
from liuying.media.ffmpeg import MAX_ERROR_RATE, input_arguments
from liuying.media.filter_graph import filtered
from liuying.media.ladder import Rung
from liuying.media.plan import AUDIO_BITS, Plan
from liuying.media.segment_times import SEGMENT_SECONDS

FRAGMENTED = (
    "+frag_keyframe+delay_moov+default_base_moof+negative_cts_offsets+skip_sidx+skip_trailer"
)
# A file of sound has no key frames to cut it at: about as long as the shortest segments.
SOUND_FRAGMENTS = "+delay_moov+default_base_moof+negative_cts_offsets+skip_sidx+skip_trailer"
SOUND_FRAGMENT_US = round(SEGMENT_SECONDS[0] * 1_000_000)
# Key frames are sought by rounded times: slightly later is still before the next picture.
KEY_SLACK_S = 0.0005
# One thread decodes H.264 as fast as another encodes a picture of a quarter of the size, and uses
# less CPU than several threads.
ONE_DECODER_RATIO = 4.0
# The times in a chunk are those of the whole film, to the tick.
WHOLE_CLOCK = ("-movie_timescale", "90000", "-video_track_timescale", "90000")
SOUND_NAME = "sound.mp4"
# The candidates for the cover, uncompressed: encoding would cost more than everything else about
# them.
PICTURE_PATTERN, PICTURE_NAME = "cover%02d.bmp", re.compile(r"cover[0-9]{2,3}\.bmp")
PICTURES_OUTPUT = (
    *(
        "-map",
        "[cover]",
        "-fps_mode",
        "passthrough",
        "-c:v",
        "bmp",
        "-f",
        "image2",
        f"file:{PICTURE_PATTERN}",
    ),
)


def rung_file(rung: Rung) -> str:
    """The name of a rendition's fragmented file in the job folder."""
    return f"{rung.name}.mp4"


def track_file(track: AudioTrack) -> str:
    """The name of an audio track's fragmented file in the job folder."""
    return f"{track.name}.mp4"


def first_arguments(plan: Plan, source: Path, gain: float) -> list[str]:
    """The rendition that is published first, with its sound; encoded alone so that it is ready
    early.

    Candidates for the cover are extracted with it.

    Args:
        gain: Gain of the sound in decibels.
    """
    rung, choice, video = plan.first, chosen_pictures(plan), f"0:{plan.probe.video.index}"
    if plan.is_source_first:
        # The other renditions decode all pictures later: key frames are enough here.
        arguments = [
            *_errors_among_keys(plan),
            *input_arguments(source, before=("-skip_frame", "nokey")),
        ]
    else:
        arguments = input_arguments(source, before=_decoders(plan, [rung]))
    if rung.is_copied:
        arguments += filtered(plan, [], choice=choice)
        if not plan.is_source_first:
            # Also decoded, and discarded: this detects a damaged file although its stream is kept.
            arguments += ["-map", video, "-f", "null", "-"]
        arguments += ["-map", video, "-c:v", "copy", *_held(plan)]
    else:
        arguments += [
            *filtered(plan, [rung], choice=choice),
            "-map",
            "[v0]",
            *encoder_arguments(plan, rung),
            *_held(plan),
        ]
    if plan.sound_index is not None:
        arguments += ["-map", f"0:{plan.sound_index}", *_sound(plan, gain)]
    return [*arguments, *_output(rung), *PICTURES_OUTPUT, *_same_clock(plan)]


def ladder_arguments(
    plan: Plan, source: Path, rungs: Sequence[Rung], sound: Path | None
) -> list[str]:
    """The other renditions, from one decoding.

    Args:
        plan: The plan.
        source: The file.
        rungs: Which ones.
        sound: The first rendition's file, whose sound is used again; None for a silent video.
    """
    encoded = [rung for rung in rungs if not rung.is_copied]
    arguments = input_arguments(source, before=_decoders(plan, encoded))
    if sound is not None:
        arguments += ["-i", f"file:{sound.absolute()}"]
    if encoded:
        arguments += filtered(plan, encoded)
    for rung in rungs:
        if rung.is_copied:
            arguments += ["-map", f"0:{plan.probe.video.index}", "-c:v", "copy"]
        else:
            arguments += ["-map", f"[v{encoded.index(rung)}]", *encoder_arguments(plan, rung)]
        arguments += _held(plan)
        if sound is not None:
            arguments += ["-map", "1:a:0", "-c:a", "copy"]
        arguments += _output(rung)
    if sound is not None:
        arguments += _discarded(plan.sound_index)
    return [*arguments, *_same_clock(plan)]


def _discarded(index: int | None) -> list[str]:
    """Reads a stream for its clock alone: it begins with the earliest of the streams that are read,
    which may be the sound.
    """
    return ["-map", f"0:{index}", "-c", "copy", "-f", "null", "-"]


def _same_clock(plan: Plan) -> list[str]:
    """Where the audio tracks are made by other runs, all runs read all streams."""
    return [argument for track in plan.tracks for argument in _discarded(track.index)]


def _errors_among_keys(plan: Plan) -> tuple[str, str]:
    """Tolerates as many damaged pictures as elsewhere, although only the key frames count among
    the good ones.
    """
    if plan.accepts_damage:
        return ("-max_error_rate", "1")
    damaged = MAX_ERROR_RATE * plan.probe.timing.pictures
    return ("-max_error_rate", f"{damaged / (len(plan.probe.timing.key_times) + damaged):.5f}")


def sound_arguments(plan: Plan, source: Path, gain: float) -> list[str]:
    """Only the sound, as `first_arguments` makes it.

    Args:
        gain: Gain in decibels.
    """
    chosen = ("-map", f"0:{plan.sound_index}", *_sound(plan, gain))
    return [*input_arguments(source), *chosen, *_bare(), "-f", "mp4", f"file:{SOUND_NAME}"]


def track_arguments(plan: Plan, source: Path, track: AudioTrack, gain: float) -> list[str]:
    """One of several audio tracks, in fragments.

    Args:
        gain: Gain in decibels.
    """
    arguments = input_arguments(source)
    arguments += ["-map", f"0:{track.index}", *_sound(plan, gain), *_bare()]
    arguments += ["-movflags", SOUND_FRAGMENTS, "-frag_duration", str(SOUND_FRAGMENT_US)]
    arguments += ["-f", "mp4", f"file:{track_file(track)}", *_discarded(plan.probe.video.index)]
    others = [one for one in plan.tracks if one != track]
    return [*arguments, *(part for one in others for part in _discarded(one.index))]


def chunk_arguments(plan: Plan, source: Path, rungs: Sequence[Rung], chunk: Chunk) -> list[str]:
    """The pictures of one chunk on the whole film's clock, from one decoding; candidates for the
    cover come with the first rendition.

    Args:
        plan: The plan.
        source: The file.
        rungs: Which ones; none of them copied.
        chunk: Which part.
    """
    seek = (
        ()
        if chunk.start is None
        else ("-noaccurate_seek", "-ss", f"{chunk.start.seek + KEY_SLACK_S:.6f}")
    )
    # The film's clock continues; otherwise each chunk would begin at 0 and be rounded differently.
    before = (*_decoders(plan, rungs), *seek)
    arguments = ["-copyts", "-start_at_zero", *input_arguments(source, before=before)]
    choice = chosen_pictures(plan, chunk) if plan.rungs[0] in rungs else ""
    arguments += filtered(plan, rungs, chunk, choice)
    keys = ",".join(["0", *(f"{key - CUT_TOLERANCE_S:.6f}" for key in chunk.keys)])
    for number, rung in enumerate(rungs):
        arguments += [
            "-map",
            f"[v{number}]",
            *encoder_arguments(plan, rung, keys),
            *_bare(),
            *WHOLE_CLOCK,
        ]
        arguments += ["-f", "mp4", f"file:{rung_file(rung)}"]
    return [*arguments, *(PICTURES_OUTPUT if choice else ())]


def progressive_arguments(
    rung: Path, start: float, name: str, sound: Path | None = None
) -> list[str]:
    """A progressive MP4 from a finished rendition, without encoding.

    Args:
        rung: A rendition's fragmented file.
        start: When its first picture is shown, in seconds.
        name: File in the job folder.
        sound: The fragmented file of its sound; None if the rendition contains it, or is silent.
    """
    beside = () if sound is None else ("-i", f"file:{sound.absolute()}")
    mapped = ("-map", "0") if sound is None else ("-map", "0", "-map", "1")
    # The demuxer shifts the pictures of our fragmented files by their decoding delay, but not the
    # sound: shifted back.
    setts = f"setts=pts=PTS-STARTPTS+{start:.5f}/TB:dts=DTS-STARTPTS+{start:.5f}/TB"
    return [
        *("-i", f"file:{rung.absolute()}", *beside, *mapped, "-c", "copy", "-bsf:v", setts),
        *(*_bare(), "-movflags", "+faststart", f"file:{name}"),
    ]


def _held(plan: Plan) -> list[str]:
    """Shows the first picture from the film's beginning and the last one to its end.

    Only a stream's times change, encoded or copied. A fragmented file stores only the last
    duration; the others are the distances between pictures.
    """
    timing = plan.probe.timing
    if not (timing.lead or timing.tail):
        return []
    shown, decoded = "PTS", "DTS"
    if timing.lead:
        begin = f"{timing.start:.5f}/TB"
        shown, decoded = f"if(N\\,PTS\\,{begin})", f"if(N\\,DTS\\,DTS-PTS+{begin})"
    # The muxer counts decoding times from the first picture.
    left = f"max(DURATION\\,{timing.end:.5f}/TB-DTS-STARTPTS+STARTDTS)"
    return ["-bsf:v", f"setts=pts={shown}:dts={decoded}:duration={left}"]


def _decoders(plan: Plan, rungs: Sequence[Rung]) -> tuple[str, ...]:
    """Number of threads that decode for renditions, each of which is encoded by one thread."""
    video, rate = plan.probe.video, plan.probe.timing.rate
    largest = max(
        (rung.width * rung.height * (rung.rate or rate) for rung in rungs if not rung.is_copied),
        default=0.0,
    )
    is_one_enough = (
        video.codec == "h264" and video.width * video.height * rate <= ONE_DECODER_RATIO * largest
    )
    return ("-threads", "1") if is_one_enough else ()


def _sound(plan: Plan, gain: float) -> list[str]:
    """Stereo AAC from the film's beginning to its end, padded with silence.

    A player that has pictures but no sound left waits for sound for ever.
    """
    timing = plan.probe.timing
    steps = ["aresample=async=1:first_pts=0", *([f"volume={gain:.1f}dB"] if gain else [])]
    steps += [f"apad=whole_dur={timing.end:.3f}"]
    if not (timing.has_jumps or timing.is_frozen):  # Otherwise the end is not known as precisely.
        steps += [f"atrim=end={timing.end:.3f}"]
    filters = ",".join(steps)
    return ["-c:a", "aac", "-b:a", str(AUDIO_BITS), "-ac", "2", "-ar", "48000", "-af", filters]


def _bare() -> list[str]:
    # No metadata of the source is published: no location, no device, no titles.
    return ["-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact"]


def _output(rung: Rung) -> list[str]:
    return [*_bare(), "-movflags", FRAGMENTED, "-f", "mp4", f"file:{rung_file(rung)}"]
