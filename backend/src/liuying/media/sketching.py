"""Looking at a rendition for its fingerprint.

The key frames are decoded in this process: for some thirty small pictures of a file that we made,
starting the transcoder costs more than decoding them. All that is looked at closer is decoded by
the transcoder.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import av
import av.error
import numpy as np
from av.video.reformatter import VideoReformatter

from liuying.media import fingerprint
from liuying.media.errors import UndecodableError
from liuying.media.fingerprint import Fingerprint, Floats, Pictures, Sketch

# Seconds from one key frame that is looked at to the next: closely, and at most at a glance, so
# that no part that can be recognized lies between two; and how many there are at a glance at least.
KEY_FRAMES_S, GLANCE_S, GLANCES = 2.0, 6.0, 5
# Key frames come a little early or late.
EARLY_S = 0.25
# In the job's folder.
PICTURES_NAME, TIMES_NAME = "fingerprint.grey", "fingerprint.times"

# Runs the transcoder in a folder with arguments.
Run = Callable[[list[str]], object]


def glance_at_rendition(rendition: Path, length: float) -> Sketch:
    """Look at few of a rendition's key frames: enough to tell most films from those taken down.

    Args:
        rendition: The file.
        length: Seconds that it lasts.

    Raises:
        UndecodableError: It cannot be read.
    """
    return fingerprint.sketch_of(*_key_frames(rendition, glance_seconds(length)))


def glance_seconds(length: float) -> float:
    """Seconds from one key frame to the next of those that are looked at, at a glance."""
    return min(GLANCE_S, max(KEY_FRAMES_S, length / GLANCES))


def sketch_rendition(run: Run, folder: Path, rendition: Path) -> Sketch:
    """Look at a rendition's key frames, or closer where they are too few.

    Args:
        run: Runs the transcoder in the folder.
        folder: Where it leaves pictures for a moment.
        rendition: The file.

    Raises:
        MediaError: It cannot be read.
    """
    found = _key_frames(rendition, KEY_FRAMES_S)
    rate = fingerprint.denser_rate(found[1])
    seen = found if rate is None else _pictures(run, folder, rendition, rate)
    return fingerprint.sketch_of(*seen)


def fingerprint_rendition(run: Run, folder: Path, rendition: Path) -> Fingerprint:
    """Look at all of a rendition. Arguments and errors as in `sketch_rendition`."""
    pictures, _ = _pictures(run, folder, rendition, fingerprint.TAKEN_RATE)
    return fingerprint.fingerprint_of(pictures)


def _key_frames(rendition: Path, seconds: float) -> tuple[Pictures, Floats]:
    """The key frames, as `read_pictures` gives pictures.

    Args:
        rendition: The file.
        seconds: From one of them to the next at least; those between are not decoded.

    Raises:
        UndecodableError: The file cannot be read.
    """
    side = fingerprint.SIDE
    pictures, times = [], []
    # One for all pictures: each new one makes its tables again.
    scale = VideoReformatter().reformat
    try:
        with av.open(f"file:{rendition.absolute()}") as container:
            stream = container.streams.video[0]
            stream.codec_context.skip_frame = "NONKEY"
            # Threads would each wait for pictures that are skipped.
            stream.codec_context.thread_count = 1
            tick = float(stream.time_base or 0)
            begin = -math.inf
            for packet in container.demux(stream):
                # The last packet is empty and brings what the decoder still holds.
                if packet.size:
                    if not packet.is_keyframe:
                        continue
                    moment = (packet.pts or 0) * tick
                    if moment < begin + seconds - EARLY_S:
                        continue
                    begin = moment
                for frame in packet.decode():
                    small = scale(frame, side, side, "gray", interpolation="AREA")
                    pictures.append(small.to_ndarray())
                    times.append(frame.time or 0.0)
    except (av.error.FFmpegError, IndexError) as error:
        raise UndecodableError("h264") from error
    shape = (len(pictures), side, side)
    return np.array(pictures, np.uint8).reshape(shape), np.array(times, np.float64)


def _pictures(run: Run, folder: Path, rendition: Path, rate: int) -> tuple[Pictures, Floats]:
    run(fingerprint.picture_arguments(rendition, PICTURES_NAME, TIMES_NAME, rate))
    pictures, times = folder / PICTURES_NAME, folder / TIMES_NAME
    try:
        return fingerprint.read_pictures(pictures, times)
    finally:
        pictures.unlink(missing_ok=True)
        times.unlink(missing_ok=True)
