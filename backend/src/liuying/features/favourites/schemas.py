"""Favourites on the wire (specification §3)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from liuying.core.catalogue.schemas import VideoItem
from liuying.kit.responses import PLAIN_PATTERN
from liuying.kit.rows import MAX_ID
from liuying.kit.visitor_code import OptionalCodeText

SITE: Final = "sg"
MAX_IDS = 100
Site = Literal["sg"]
VideoId = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
Address = Annotated[str, msgspec.Meta(max_length=2048, pattern=PLAIN_PATTERN)]


class NewFavourite(msgspec.Struct, frozen=True):
    """What a client says when it favourites a video. All but `id` and `site` is ours to know and is
    not believed.
    """

    id: VideoId
    image_url: Address | None = msgspec.field(name="imgUrl", default=None)
    image_type: Annotated[str, msgspec.Meta(max_length=64, pattern=PLAIN_PATTERN)] | None = (
        msgspec.field(name="imgType", default=None)
    )
    title: Annotated[str, msgspec.Meta(max_length=400, pattern=PLAIN_PATTERN)] | None = None
    path: Address | None = None
    created_at: (
        Annotated[str, msgspec.Meta(max_length=40, pattern=PLAIN_PATTERN)]
        | Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
        | None
    ) = None
    uuid: OptionalCodeText | None = None
    site: Site = SITE


class Removal(msgspec.Struct, frozen=True):
    """Which video is taken out of the favourites."""

    id: VideoId
    uuid: OptionalCodeText | None = None
    site: Site = SITE


class Removed(msgspec.Struct, frozen=True):
    """The video that is no favourite now."""

    id: int


class IdsQuestion(msgspec.Struct, frozen=True):
    """One video, several, or several as text: `1,2,3`."""

    id: (
        VideoId
        | Annotated[list[VideoId], msgspec.Meta(max_length=MAX_IDS)]
        | Annotated[
            str, msgspec.Meta(pattern=f"^([0-9]{{1,9}}(,[0-9]{{1,9}}){{0,{MAX_IDS - 1}}})?$")
        ]
    )
    uuid: OptionalCodeText | None = None
    site: Site = SITE

    @property
    def ids(self) -> list[int]:
        """The videos asked about."""
        if isinstance(self.id, str):
            return [int(one) for one in self.id.split(",") if one]
        return [self.id] if isinstance(self.id, int) else self.id


class FavouriteIds(msgspec.Struct, frozen=True):
    """The favourited ones of the videos asked about."""

    ids: list[int]


class FavouriteTotal(msgspec.Struct, frozen=True):
    """How many favourites the list has."""

    total: int


class FavouriteView(msgspec.Struct, frozen=True, kw_only=True):
    """A favourite as the catalogue knows it today.

    `uuid` is the visitor's own alias, never a code. `path` is empty while the video is locked for
    this visitor. `created_at` says when it was favourited.
    """

    uuid: str
    site: str
    id: int
    image_url: str = msgspec.field(name="imgUrl")
    image_type: str = msgspec.field(name="imgType")
    title: str
    path: str
    created_at: str
    video: VideoItem


class FavouriteUser(msgspec.Struct, frozen=True):
    """Somebody who has favourites: `id` names the row, `uuid` is the alias that is shown."""

    id: str
    uuid: str
    total: int


class FavouriteUsers(msgspec.Struct, frozen=True, kw_only=True):
    """A page of visitors, the last active first."""

    users: list[FavouriteUser] = msgspec.field(name="list")
    next_page_url: str | None = None
