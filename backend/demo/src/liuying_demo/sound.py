"""Ambient music made of sines: slow chords, plucked notes, an echo, and rain, waves or a beat under
them.
"""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

SAMPLE_RATE = 48_000
PENTATONIC = (0, 2, 4, 7, 9)
# Chords as steps of the scale that never clash; each progression is heard in turn.
PROGRESSIONS = (
    ((0, 2, 3), (3, 5, 6), (1, 3, 5), (2, 4, 6)),
    ((0, 3, 5), (1, 3, 6), (2, 5, 7), (1, 4, 6)),
    ((2, 4, 5), (0, 3, 4), (3, 5, 7), (1, 3, 4)),
)

Samples = npt.NDArray[np.float32]
Texture = Literal["none", "rain", "waves", "wind", "beat", "crackle"]
Voice = Literal["bell", "pluck", "flute", "keys"]

# Loudness of a voice's harmonics, and how fast a note of it fades (per second).
VOICES: dict[Voice, tuple[tuple[tuple[float, float], ...], float]] = {
    "bell": (((1, 1.0), (2.76, 0.35), (5.4, 0.12)), 2.4),
    "pluck": (((1, 1.0), (2, 0.5), (3, 0.28), (4, 0.14)), 4.5),
    "flute": (((1, 1.0), (2, 0.12), (3, 0.05)), 1.6),
    "keys": (((1, 1.0), (2, 0.42), (3, 0.16), (5, 0.06)), 2.0),
}


@dataclass(frozen=True, kw_only=True)
class Mood:
    """How a clip sounds.

    Attributes:
        root: Frequency of the lowest note in hertz.
        beat: Seconds between two places where a note may sound.
        density: Share of those places that hold one.
        voice: Of the notes.
        texture: What lies under them.
        pad: Loudness of the chords.
    """

    root: float = 130.8
    beat: float = 0.4
    density: float = 0.55
    voice: Voice = "pluck"
    texture: Texture = "none"
    pad: float = 1.0


def ambient(mood: Mood, seconds: float, seed: int) -> bytes:
    """A piece of music as a WAV file, 48 kHz stereo, the same for the same seed.

    Args:
        seconds: Its exact length.
    """
    random = np.random.default_rng([seed, 7])
    length = round(seconds * SAMPLE_RATE)
    progression = PROGRESSIONS[int(random.integers(len(PROGRESSIONS)))]
    chord_seconds = mood.beat * 8
    dry = np.zeros((length, 2), np.float32)
    _add_chords(dry, mood, progression, chord_seconds)
    _add_notes(dry, mood, progression, chord_seconds, random)
    _add_echo(dry, mood.beat * 0.75)
    _add_texture(dry, mood, random)
    return _as_wav(_finished(dry))


def _frequency(mood: Mood, step: int) -> float:
    octave, degree = divmod(step, len(PENTATONIC))
    return float(mood.root * 2 ** (octave + PENTATONIC[degree] / 12))


def _add_chords(
    target: Samples, mood: Mood, progression: tuple[tuple[int, int, int], ...], chord_seconds: float
) -> None:
    """Three swelling tones at a time; the two sides are out of tune by a hair, which makes them
    wide.
    """
    span = round((chord_seconds + 0.9) * SAMPLE_RATE)
    time = np.arange(span, dtype=np.float32) / SAMPLE_RATE
    swell = (
        np.minimum(time / 0.7, 1)
        * np.minimum((chord_seconds + 0.9 - time) / 0.9, 1)
        * 0.11
        * mood.pad
    )
    for number in range(int(len(target) / SAMPLE_RATE / chord_seconds) + 1):
        start = round(number * chord_seconds * SAMPLE_RATE)
        room = min(span, len(target) - start)
        if room <= 0:
            break
        for step in progression[number % len(progression)]:
            tone = 2 * np.pi * _frequency(mood, step) * time[:room]
            for side, detune in enumerate((0.9985, 1.0015)):
                sound = np.sin(tone * detune) + 0.3 * np.sin(tone * 2 * detune + side)
                target[start : start + room, side] += sound * swell[:room]


def _add_notes(
    target: Samples,
    mood: Mood,
    progression: tuple[tuple[int, int, int], ...],
    chord_seconds: float,
    random: np.random.Generator,
) -> None:
    known: dict[int, Samples] = {}
    step = 7
    for place in range(int(len(target) / SAMPLE_RATE / mood.beat)):
        if random.random() > mood.density:
            continue
        moment = place * mood.beat
        chord = progression[int(moment / chord_seconds) % len(progression)]
        if random.random() < 0.45:
            step = int(chord[int(random.integers(3))]) + 5
        else:
            step = int(np.clip(step + random.integers(-2, 3), 4, 13))
        if step not in known:
            known[step] = _note(mood, step)
        start = round(moment * SAMPLE_RATE)
        sound = known[step][: len(target) - start] * np.float32(0.5 + 0.5 * random.random())
        pan = 0.3 + 0.4 * random.random()
        target[start : start + len(sound), 0] += sound * np.float32(1 - pan)
        target[start : start + len(sound), 1] += sound * np.float32(pan)


def _note(mood: Mood, step: int) -> Samples:
    harmonics, fading = VOICES[mood.voice]
    time = np.arange(round(min(2.2, 6 / fading) * SAMPLE_RATE), dtype=np.float32) / SAMPLE_RATE
    attack = 0.09 if mood.voice == "flute" else 0.006
    shape = (
        np.minimum(time / attack, 1)
        * np.exp(-time * fading)
        * np.minimum((time[-1] - time) / 0.05, 1)
    )
    tone = 2 * np.pi * _frequency(mood, step) * time
    sound = sum(
        loudness * np.sin(tone * order) * np.exp(-time * order * 0.7)
        for order, loudness in harmonics
    )
    return np.asarray(sound * shape * 0.42, np.float32)


def _add_echo(target: Samples, seconds: float) -> None:
    delay = max(1, round(seconds * SAMPLE_RATE))
    for loudness, times in ((0.34, 1), (0.16, 2), (0.08, 3)):
        if delay * times < len(target):
            # The sides change at every echo.
            part = target[: len(target) - delay * times, :: -1 if times % 2 else 1]
            target[delay * times :] += part * np.float32(loudness)


def _add_texture(target: Samples, mood: Mood, random: np.random.Generator) -> None:
    length = len(target)
    if mood.texture == "none":
        return
    if mood.texture == "beat":
        _add_beat(target, mood)
        return
    if mood.texture == "crackle":
        for start in random.integers(0, max(1, length - 200), length // 3800):
            target[start : start + 60] += (np.hanning(60) * 0.05 * random.random())[:, None].astype(
                np.float32
            )
        return
    smoothing = {"rain": 5, "waves": 30, "wind": 90}[mood.texture]
    hiss = random.standard_normal((length + smoothing, 2)).astype(np.float32)
    total = np.cumsum(hiss, axis=0, dtype=np.float64)
    soft = ((total[smoothing:] - total[:-smoothing]) / np.sqrt(smoothing)).astype(np.float32)
    time = np.arange(length, dtype=np.float32) / SAMPLE_RATE
    pace, low, loud = {
        "rain": (0.3, 0.8, 0.035),
        "waves": (1.15, 0.25, 0.075),
        "wind": (0.7, 0.35, 0.07),
    }[mood.texture]
    swell = low + (1 - low) * (0.5 + 0.5 * np.sin(time * pace * 2 + 0.4)) ** 1.5
    target += soft * (swell * loud)[:, None]


def _add_beat(target: Samples, mood: Mood) -> None:
    time = np.arange(round(0.3 * SAMPLE_RATE), dtype=np.float32) / SAMPLE_RATE
    kick = np.sin(2 * np.pi * (46 * time + 9 * (1 - np.exp(-time * 28)))) * np.exp(-time * 11) * 0.5
    tick_time = time[: SAMPLE_RATE // 16]
    tick = np.sin(2 * np.pi * 5400 * tick_time) * np.exp(-tick_time * 120) * 0.05
    for place in range(int(len(target) / SAMPLE_RATE / mood.beat)):
        sound = kick if place % 2 == 0 else tick
        start = round(place * mood.beat * SAMPLE_RATE)
        target[start : start + len(sound)] += sound[: len(target) - start, None].astype(np.float32)


def _finished(dry: Samples) -> npt.NDArray[np.int16]:
    """Even loudness, gentle limits, no click at the ends."""
    level = float(np.sqrt(np.mean(dry**2))) or 1.0
    loud = np.tanh(dry * np.float32(0.13 / level) * 1.3) * 0.86
    ramp = min(len(loud) // 4, round(0.5 * SAMPLE_RATE))
    quick = min(ramp, round(0.02 * SAMPLE_RATE))
    if ramp:
        loud[:quick] *= np.linspace(0, 1, quick, dtype=np.float32)[:, None]
        loud[-ramp:] *= np.linspace(1, 0, ramp, dtype=np.float32)[:, None]
    return np.asarray(loud * 32_767, np.int16)


def _as_wav(samples: npt.NDArray[np.int16]) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(samples.tobytes())
    return buffer.getvalue()
