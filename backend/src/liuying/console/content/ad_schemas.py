"""Advertisements as the console and its audit log say them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa

from liuying.console.content.banner_tag_routes import BannerTagView
from liuying.console.content.changing import (
    Line,
    Moment,
    Order,
    Picture,
    Revision,
    revision_of,
)
from liuying.console.content.picture_routes import PictureView, picture_view
from liuying.console.content.windows import WindowState, state_at, told_window
from liuying.features.ads.rules import SLOTS, Slot
from liuying.kit.clock import Milliseconds, to_iso_if_known
from liuying.kit.identifiers import MAX_ID

SHORT_SCREEN, MINE_SCREEN = "/miin", "/mine"
# Where the site shows a slot; advertisements around a video are shown beside whichever is opened.
SCREENS: dict[Slot, str] = {"SHORT_VIDEO": SHORT_SCREEN, "USER": MINE_SCREEN}
NEW_PICTURE = "新图片"
# What a revision tells of: counts go on by themselves.
STATED = ("slot", "title", "text", "url", "tag", "weight", "starts_at", "ends_at", "image")
Weight = Annotated[int, msgspec.Meta(ge=0, le=MAX_ID)]


class SlotView(msgspec.Struct, frozen=True):
    """A place of advertisements; `width` and `height` in pixels are those of its picture, `screen`
    the path of the site where it is shown.
    """

    slot: Slot
    place: str
    width: int
    height: int
    screen: str


class AdView(msgspec.Struct, frozen=True, kw_only=True):
    """An advertisement. Times use the wire's form; None is no limit.

    Attributes:
        tag: The chip of a banner.
        views: How often it was seen.
        clicks: How often it was followed.
        revision: Names this state of it, for whoever changes it.
    """

    id: int
    slot: str
    title: str
    text: str
    url: str
    tag: str | None
    weight: int
    starts_at: str | None
    ends_at: str | None
    state: WindowState
    views: int
    clicks: int
    picture: PictureView | None
    revision: str


class AdsView(msgspec.Struct, frozen=True):
    """All advertisements by place, in their order; `site` is the site's address, empty where it
    is not set.
    """

    slots: list[SlotView]
    tags: list[BannerTagView]
    ads: list[AdView]
    site: str


class AdBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An advertisement as it is to be.

    Attributes:
        image: Its picture; without it the one that it has stays.
        revision: The state that the operator saw; empty for a new one.
    """

    slot: Line
    title: Line
    text: Line
    url: Line
    weight: Weight
    tag: Line | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    image: Picture | None = None
    revision: Revision = ""


class AdOrderBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All advertisements of a place, or of a chip of the carousel, in the order to give them."""

    slot: Line
    ids: Order
    tag: Line | None = None


def slot_views() -> list[SlotView]:
    """All places of advertisements."""
    return [
        SlotView(slot, rule.place, rule.width, rule.height, SCREENS.get(slot, "/"))
        for slot, rule in SLOTS.items()
    ]


def ad_view(row: sa.RowMapping, now: Milliseconds) -> AdView:
    """An advertisement as it is now."""
    return AdView(
        id=row["id"],
        slot=row["slot"],
        title=row["title"],
        text=row["text"],
        url=row["url"],
        tag=row["tag"],
        weight=row["weight"],
        starts_at=to_iso_if_known(row["starts_at"]),
        ends_at=to_iso_if_known(row["ends_at"]),
        state=state_at(now, row["starts_at"], row["ends_at"]),
        views=row["views"],
        clicks=row["clicks"],
        picture=picture_view(row["image"]),
        revision=ad_revision(row),
    )


def ad_revision(row: sa.RowMapping) -> str:
    """Names a state of an advertisement."""
    return revision_of([row[name] for name in STATED])


def told_of(data: AdBody) -> dict[str, Any]:
    """What the audit log says of it."""
    same = ("slot", "title", "text", "url", "tag", "weight")
    return (
        {name: getattr(data, name) for name in same}
        | told_window(data)
        | ({"image": NEW_PICTURE} if data.image is not None else {})
    )
