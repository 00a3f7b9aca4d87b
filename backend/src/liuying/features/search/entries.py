"""A video's entry in the word index."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Literal

import msgspec

Channel = Literal["words", "readings", "descriptions"]
CHANNELS: tuple[Channel, ...] = ("words", "readings", "descriptions")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """The tokens by which a video is found, separated by blanks."""

    video_id: int
    words: str
    readings: str
    descriptions: str = ""

    def tokens(self, channel: Channel) -> str:
        """The tokens of a channel."""
        tokens: str = getattr(self, channel)
        return tokens


def checksum(tokens: Iterable[str]) -> int:
    """An order-independent sum that distinguishes sets of tokens."""
    return sum(zlib.crc32(token.encode()) for token in tokens)
