"""The demo's music: exact length, audible, different, the same for the same seed."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest

from liuying_demo.sound import SAMPLE_RATE, Mood, Texture, ambient


def samples(content: bytes) -> np.ndarray:
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (
            2,
            2,
            SAMPLE_RATE,
        )
        return np.frombuffer(file.readframes(file.getnframes()), np.int16).reshape(-1, 2)


@pytest.mark.parametrize("texture", ["none", "rain", "waves", "wind", "beat", "crackle"])
def test_a_piece_is_audible_and_never_clips(texture: Texture) -> None:
    piece = samples(ambient(Mood(texture=texture), 3.0, 4))
    assert len(piece) == 3 * SAMPLE_RATE
    level = np.sqrt(np.mean((piece / 32768.0) ** 2))
    assert 0.05 < level < 0.4
    assert np.abs(piece.astype(int)).max() < 32_000
    # Both ends are silent: joining or repeating a piece does not click.
    assert np.abs(piece[:5]).max() < 400
    assert np.abs(piece[-5:]).max() < 400


def test_music_is_tones_rather_than_noise() -> None:
    piece = samples(ambient(Mood(), 4.0, 4))[:, 0].astype(float)
    spectrum = np.abs(np.fft.rfft(piece * np.hanning(len(piece)))) ** 2
    strongest = np.sort(spectrum)[::-1][: len(spectrum) // 100].sum()
    assert strongest / spectrum.sum() > 0.95


def test_chance_comes_from_the_seed() -> None:
    assert ambient(Mood(), 2.0, 1) == ambient(Mood(), 2.0, 1)
    assert ambient(Mood(), 2.0, 1) != ambient(Mood(), 2.0, 2)
