"""The catalogue on the wire. Python names are the field's terms; `name=` gives the specified
spelling (§3).
"""

from __future__ import annotations

from typing import Any, Literal, cast

import msgspec

from liuying.core.catalogue.rows import ArtistRow
from liuying.kit.database import AnyRow
from liuying.kit.envelope import Page
from liuying.kit.images import EncryptedImage


class LabelView(msgspec.Struct, frozen=True):
    """A label of a video; it leads to a search for itself."""

    id: int
    name: str


class ArtistView(msgspec.Struct, frozen=True):
    """An artist beside a video. `video_count` counts listed videos."""

    id: int
    name: str
    initial: str
    image: EncryptedImage
    video_count: int
    intro: str


def image_from_json(value: dict[str, Any] | None) -> EncryptedImage:
    """A stored picture; an empty one if there is none."""
    return msgspec.convert(value, EncryptedImage) if value else EncryptedImage()


def artist_view(row: AnyRow | ArtistRow, video_count: int) -> ArtistView:
    """An artist's row on the wire."""
    return ArtistView(
        id=row.id,
        name=row.name,
        initial=row.initial,
        image=image_from_json(row.image),
        video_count=video_count,
        intro=row.intro,
    )


class ChapterView(msgspec.Struct, frozen=True):
    """A part of a video: when it begins, in seconds, and its name."""

    start: float
    title: str


class VideoFields(msgspec.Struct, frozen=True, kw_only=True):
    """What every view of a video contains (specification §3).

    `videopath` is the path of the HLS master playlist; empty while the video is locked
    (docs/product.md#sharing). `isGated` says that the visitor's age is asked first: cover and path
    are empty, and come from the calls of the gate alone (docs/product.md#age-gate). `playtimes` is
    the running time as text, `12:05`; `duration` is the same in seconds. `rank`, from 1, and
    `score` are set in ranks only. The score is what the rank sorts by: views or favourites of the
    period (0 where another measure filled the place), or milliseconds since 1970 in the rank by
    novelty. `width` and `height` are those of the upright picture, in pixels.
    """

    id: int
    title: str
    cover: EncryptedImage = msgspec.field(name="coverbase64")
    video_path: str = msgspec.field(name="videopath")
    created_at: str
    updated_at: str
    page_views: int = msgspec.field(name="pageviews")
    play_time: str = msgspec.field(name="playtimes")
    duration: float
    width: int
    height: int
    labels: list[LabelView] = msgspec.field(name="labls")
    category_id: int = msgspec.field(name="type_id")
    category_name: str = msgspec.field(name="type_name")
    is_locked: bool = msgspec.field(name="isLock")
    # Missing where it is false: a site without a gate answers as if there were none.
    is_gated: bool | msgspec.UnsetType = msgspec.field(name="isGated", default=msgspec.UNSET)
    is_ad: Literal[False] = False
    rank: int | None = None
    score: int | None = None


class VideoItem(VideoFields, frozen=True, kw_only=True, tag_field="kind", tag="video"):
    """A video in a list.

    `share_id` is the id with which the tile of a locked video opens `/playVideoShare`: the same for
    everybody, without a sharer. None for an open video.
    """

    share_id: str | None = None


class ListedVideo(msgspec.Struct, frozen=True, gc=False):
    """A list item in encoded form: encoded once, however many lists show it, and a quarter of the
    memory.
    """

    encoded: msgspec.Raw

    @property
    def item(self) -> VideoItem:
        """The item itself, decoded at each call."""
        return _ITEMS.decode(self.encoded)


_ITEMS = msgspec.json.Decoder(VideoItem)


def as_sent(page: Page[ListedVideo]) -> Page[VideoItem]:
    """A page for the encoder, which copies what is encoded already; the type is that on the
    wire.
    """
    items = cast("list[VideoItem]", [one.encoded for one in page.data])
    return Page(
        data=items, total=page.total, per_page=page.per_page, next_page_url=page.next_page_url
    )


class CategoryView(msgspec.Struct, frozen=True, kw_only=True):
    """A category (specification §3). `type_id` repeats `id`; `items` is empty except on the home
    page.
    """

    id: int
    name: str
    icon_path: str = msgspec.field(name="icopath")
    order: int
    icon: EncryptedImage = msgspec.field(name="icobase64")
    type_id: int
    items: list[VideoItem] = msgspec.field(name="list", default_factory=list)


class TagView(msgspec.Struct, frozen=True):
    """A label with its number of listed videos."""

    id: int
    name: str
    video_count: int
