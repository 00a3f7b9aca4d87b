"""Sharing on the wire (docs/product.md#sharing)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from liuying.core.playback.schemas import AudioTrackView, SourceView, SubtitleView
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import PLAIN_PATTERN


class ShareLink(msgspec.Struct, frozen=True):
    """A visitor's link of a video. `url` is a path of this site; `ip_count` is the number of
    networks that visited it.
    """

    id: str
    url: str
    ip_count: int
    is_unlocked: bool


class SharedVideo(msgspec.Struct, frozen=True):
    """The locked video that a link is wanted of."""

    id: Annotated[int, msgspec.Meta(ge=0, le=MAX_ID)]


class ShareState(msgspec.Struct, frozen=True):
    """What anybody may know of a link."""

    ip_count: int
    video_id: int


class ShareVisit(msgspec.Struct, frozen=True):
    """A visit through a link, with the `id` from its address."""

    id: Annotated[str, msgspec.Meta(max_length=64, pattern=PLAIN_PATTERN)]


class VisitCount(msgspec.Struct, frozen=True):
    """Number of networks that visited a link, including this one if it counts."""

    ip_count: int


class UnlockedVideos(msgspec.Struct, frozen=True):
    """A visitor's shared videos: the unlocked ones, and each one's count (at most 200, newest
    first).
    """

    ids: list[int]
    counts: dict[str, int]


class UnlockedPlay(msgspec.Struct, frozen=True, kw_only=True):
    """How an unlocked video plays: as on the player page, with addresses that expire at
    `expires_at`.
    """

    video_path: str = msgspec.field(name="videopath")
    sources: list[SourceView]
    audio_tracks: list[AudioTrackView]
    subtitles: list[SubtitleView]
    storyboard: str | None
    expires_at: str
