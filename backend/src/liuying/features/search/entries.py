"""What the word index holds of a video."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Literal

import msgspec

Channel = Literal["words", "readings"]
CHANNELS: tuple[Channel, ...] = ("words", "readings")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """What a video is found by: tokens separated by blanks."""

    video_id: int
    words: str
    readings: str

    def tokens(self, channel: Channel) -> str:
        """The tokens of a channel."""
        return self.words if channel == "words" else self.readings


def checksum(tokens: Iterable[str]) -> int:
    """A sum that tells sets of tokens apart, in any order."""
    return sum(zlib.crc32(token.encode()) for token in tokens)
