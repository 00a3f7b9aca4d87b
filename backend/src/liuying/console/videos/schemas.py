"""What the console's calls about videos take and answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from liuying.kit.identifiers import MAX_ID

PAGE = 50
MOST_AT_ONCE = 20_000
Number = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
LabelName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
ArtistName = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class VideoState(StrEnum):
    """Who sees a video: everybody; nobody, as an operator wants it; everybody at a time; nobody, as
    no rendition is ready; nobody, as it is in the bin.
    """

    SHOWN = "shown"
    HIDDEN = "hidden"
    SCHEDULED = "scheduled"
    UNFINISHED = "unfinished"
    REMOVED = "removed"


class Sort(StrEnum):
    """What the table is ordered by."""

    CREATED = "created"
    UPDATED = "updated"
    VIEWS = "views"
    DURATION = "duration"


class VideoFilter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which videos are meant; all conditions must hold.

    Attributes:
        text: The title contains it, or it is the video's number.
        category: Its number.
        label: Its name, whole.
        artist: Likewise.
        state: Who sees it; None for all that are not in the bin.
    """

    text: Annotated[str, msgspec.Meta(max_length=64)] = ""
    category: Number | None = None
    label: Annotated[str, msgspec.Meta(max_length=40)] = ""
    artist: Annotated[str, msgspec.Meta(max_length=80)] = ""
    state: VideoState | None = None


class VideoRow(msgspec.Struct, frozen=True, kw_only=True):
    """A video in the table. Times use the wire's form, `duration` is in milliseconds.

    Attributes:
        height: Lines of its largest rendition; 0 without one.
        publish_at: When it will be shown; None if it is not scheduled.
        removed_at: Since when it is in the bin; None if it is not.
        purged_at: When the bin forgets it; None likewise.
        cover: Names the picture that `/api/videos/{id}/cover` answers; empty without one.
    """

    id: int
    title: str
    category: int
    category_name: str
    state: VideoState
    created_at: str
    updated_at: str
    publish_at: str | None
    removed_at: str | None
    purged_at: str | None
    pageviews: int
    duration: int
    height: int
    cover: str


class VideoPage(msgspec.Struct, frozen=True):
    """A page of the table.

    Attributes:
        total: Videos of the whole table; on the first page alone.
        next_after: Asks for the next page; None on the last one.
    """

    data: list[VideoRow]
    total: int | None
    next_after: str | None


class SubtitleTrack(msgspec.Struct, frozen=True):
    """A track: BCP 47 tag, and what viewers choose it by."""

    lang: str
    label: str


class VideoDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A video with whatever describes it.

    Attributes:
        renditions: `360P`, `1080P`; empty while none is ready.
        source_name: What the operator's file was called.
        cause: Why its import failed, or what is wrong with it although it was imported; empty where
            nothing is.
        subtitles: The tracks, by language.
        is_locked: Whether visitors must share it before they see it.
    """

    video: VideoRow
    labels: list[str]
    artists: list[str]
    description: str
    premiered_at: str | None
    renditions: list[str]
    source_name: str
    cause: str
    subtitles: list[SubtitleTrack]
    is_locked: bool


class VideoChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Values to set; what is left out stays. Lists replace what was there.

    Attributes:
        created_at: When it counts as published; in the future it is withheld until then.
    """

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    category: Number | None = None
    labels: Annotated[list[LabelName], msgspec.Meta(max_length=40)] | None = None
    artists: Annotated[list[ArtistName], msgspec.Meta(max_length=40)] | None = None
    description: Annotated[str, msgspec.Meta(max_length=5000)] | None = None
    created_at: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    is_hidden: bool | None = None


class ManyChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done to many videos."""

    is_hidden: bool | None = None
    category: Number | None = None
    add_labels: Annotated[list[LabelName], msgspec.Meta(max_length=10)] = []
    remove_labels: Annotated[list[LabelName], msgspec.Meta(max_length=10)] = []


class ManyBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Many videos, and what is done to them: those with these numbers, or all that a filter leaves.

    Attributes:
        expected: How many the operator saw; a filter that leaves more or fewer is refused.
    """

    change: ManyChange
    ids: Annotated[list[Number], msgspec.Meta(max_length=1000)] | None = None
    filter: VideoFilter | None = None
    expected: Annotated[int, msgspec.Meta(ge=0, le=MOST_AT_ONCE)] | None = None


class ManyDone(msgspec.Struct, frozen=True):
    """How many videos were changed."""

    changed: int


class TakeDownBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a video is taken down."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
