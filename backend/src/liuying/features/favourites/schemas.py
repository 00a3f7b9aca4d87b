"""Favourites on the wire (specification §3)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from liuying.core.catalogue.schemas import VideoItem
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import PLAIN_PATTERN
from liuying.kit.visitor_code import OptionalCodeText

SITE: Final = "sg"
MAX_IDS = 100
Site = Literal["sg"]
VideoId = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
Address = Annotated[str, msgspec.Meta(max_length=2048, pattern=PLAIN_PATTERN)]


class NewFavourite(msgspec.Struct, frozen=True):
    """The body of a new favourite. Only `id` and `site` are used; everything else comes from our
    own data.
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
    """Which favourite to remove."""

    id: VideoId
    uuid: OptionalCodeText | None = None
    site: Site = SITE


class Removed(msgspec.Struct, frozen=True):
    """The removed favourite."""

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
    """The favourites among the requested videos."""

    ids: list[int]


class FavouriteTotal(msgspec.Struct, frozen=True):
    """Number of favourites in the list."""

    total: int


class FavouriteView(msgspec.Struct, frozen=True, kw_only=True):
    """A favourite as it is in the catalogue today.

    `uuid` is the visitor's alias, never a code. `path` is empty for videos of the locked
    category, as in lists. `created_at` is when it became a favourite.
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
    """A visitor with favourites: `id` names the row, `uuid` is the displayed alias."""

    id: str
    uuid: str
    total: int


class FavouriteUsers(msgspec.Struct, frozen=True, kw_only=True):
    """One page of visitors, most recently active first."""

    users: list[FavouriteUser] = msgspec.field(name="list")
    next_page_url: str | None = None
