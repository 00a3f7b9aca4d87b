"""How far picture and sound of a published video have moved against each other, measured on what is
heard.
"""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
from av.audio.resampler import AudioResampler

RATE = 8000


def sound_shift(source: Path, published: Path) -> float:
    """How much later the published sound is, in seconds from the files' starts.

    Args:
        source: Its best matching sound stream counts.
        published: A rendition, put together.
    """
    with av.open(str(source)) as container:
        streams = len(container.streams.audio)
    heard = _sound(published, 0)
    found = [_best_lag(_sound(source, number), heard) for number in range(streams)]
    return max(found)[1] / RATE


def first_picture(source: Path, index: int) -> float:
    """When a stream's first picture is shown, in seconds from the file's start."""
    with av.open(str(source)) as container:
        start = (container.start_time or 0) / av.time_base
        stream = next(one for one in container.streams.video if one.index == index)
        # Pictures come in the order in which they are shown.
        return (next(container.decode(stream)).time or 0.0) - start


def _sound(path: Path, number: int) -> np.ndarray:
    """One channel in its place from the file's start."""
    resampler = AudioResampler(format="flt", layout="mono", rate=RATE)
    with av.open(str(path)) as container:
        stream = container.streams.audio[number]
        start = (container.start_time or 0) / av.time_base
        first, parts = None, []
        for frame in container.decode(stream):
            first = (frame.time or 0.0) - start if first is None else first
            parts += [part.to_ndarray()[0] for part in resampler.resample(frame)]
    parts += [part.to_ndarray()[0] for part in resampler.resample(None)]
    lead = round((first or 0.0) * RATE)
    sound = np.concatenate(parts)
    return np.concatenate([np.zeros(lead, np.float32), sound]) if lead >= 0 else sound[-lead:]


def _best_lag(one: np.ndarray, other: np.ndarray) -> tuple[float, int]:
    """How alike two sounds are at best, and by how many samples the other is later then."""
    size = 1 << (len(one) + len(other)).bit_length()
    product = np.fft.irfft(np.conj(np.fft.rfft(one, size)) * np.fft.rfft(other, size), size)
    lag = int(np.argmax(product))
    return float(product[lag]), lag if lag < size // 2 else lag - size
