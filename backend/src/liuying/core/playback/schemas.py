"""What a player can choose from, on the wire (docs/product.md#playback)."""

from __future__ import annotations

from typing import Literal

import msgspec


class SourceView(msgspec.Struct, frozen=True, kw_only=True):
    """One way to play. `label` is 自动 for the master playlist, `720P` for a rendition.

    `height` is the short side in pixels, 0 for the master playlist; `bandwidth` is in bits per
    second, 0 if unknown.
    """

    type: Literal["application/vnd.apple.mpegurl", "video/mp4"]
    url: str
    label: str
    height: int = 0
    bandwidth: int = 0


class AudioTrackView(msgspec.Struct, frozen=True, kw_only=True):
    """One of several audio tracks. `lang` is a BCP 47 tag of its own among the video's, in the
    master playlist too; `url` is its playlist.
    """

    lang: str
    label: str
    url: str
    is_default: bool


class SubtitleView(msgspec.Struct, frozen=True):
    """A WebVTT track. `lang` is a BCP 47 tag."""

    lang: str
    label: str
    url: str
