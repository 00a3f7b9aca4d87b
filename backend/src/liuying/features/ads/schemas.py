"""Advertisements and links on the wire (specification §3)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from liuying.kit.identifiers import MAX_ID
from liuying.kit.images import EncryptedImage


class AdView(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="ad"):
    """An advertisement. Among videos in a list it has `is_ad` set.

    `imgpath` repeats the picture's address. `seconds` is the countdown of a pre-roll; 0 elsewhere.
    """

    id: int
    title: str
    text: str
    url: str
    image: EncryptedImage = msgspec.field(name="imgbase64")
    image_path: str = msgspec.field(name="imgpath")
    seconds: int = 0
    is_ad: Literal[True] = True


AdId = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
AdIds = Annotated[list[AdId], msgspec.Meta(max_length=50)]


class AdEvents(msgspec.Struct, frozen=True):
    """Advertisements that were seen, and those that were followed."""

    views: AdIds = []
    clicks: AdIds = []


class AdEventsTaken(msgspec.Struct, frozen=True):
    """How many of them were counted."""

    counted: int


class BannerTagView(msgspec.Struct, frozen=True):
    """A chip above the banner carousel."""

    id: int
    name: str


class AppLinkView(msgspec.Struct, frozen=True, kw_only=True):
    """A link that the operator offers: check-in, activity, community, exchange."""

    id: int
    title: str
    text: str
    url: str
    image: EncryptedImage | None = msgspec.field(name="imgbase64")
