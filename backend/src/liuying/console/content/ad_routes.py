"""Advertisements, those of the carousel too, as `liuying ad`."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.banner_tag_routes import BannerTagView, banner_tag_view
from liuying.console.content.changing import (
    PICTURE_BODY_BYTES,
    REFUSED,
    Line,
    Moment,
    Order,
    Picture,
    Revision,
    changing,
    differences,
    moment_of,
    place_behind,
    require_revision,
    require_same_rows,
    revision_of,
    stored_picture,
)
from liuying.console.content.picture_routes import PictureView, picture_view
from liuying.console.content.windows import WindowState, end_of_running, state_at, told_window
from liuying.console.given import GivenActor, GivenServices
from liuying.features.ads import queries, writing
from liuying.features.ads.rules import SLOTS, Slot
from liuying.features.ads.tables import ad
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.installation.site_address import site_address
from liuying.kit.clock import Milliseconds, to_iso, to_iso_if_known
from liuying.kit.envelope import Envelope
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import UNAUTHORIZED, PathIdentifier
from liuying.kit.rows import require_row

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


@get(
    "/api/ads",
    sync_to_thread=True,
    summary="Advertisements",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_ads(services: GivenServices) -> Envelope[AdsView]:
    """Past and future ones too."""
    with services.database.read() as connection:
        return Envelope(
            AdsView(
                slots=[
                    SlotView(slot, rule.place, rule.width, rule.height, SCREENS.get(slot, "/"))
                    for slot, rule in SLOTS.items()
                ],
                tags=[banner_tag_view(row._mapping) for row in queries.banner_tag_rows(connection)],
                ads=[_view(row, services.clock()) for row in queries.all_ads(connection)],
                site=site_address(services, connection),
            )
        )


@post(
    "/api/ads",
    status_code=200,
    sync_to_thread=True,
    summary="Add an advertisement",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def add_ad(data: JSONBody[AdBody], services: GivenServices, actor: GivenActor) -> Envelope[AdView]:
    """As `liuying ad add`, behind those of its place."""
    draft = _draft(services, data)
    entry = Entry("ad.add", f"广告 {data.title}", None, _told(data))
    with changing(services, actor, entry) as connection:
        there = queries.all_ads(connection, data.slot)
        place = place_behind(row["position"] for row in there)
        draft = msgspec.structs.replace(draft, position=place)
        number = writing.add_ad(connection, draft)
        return Envelope(_view(queries.ad_row(connection, number), services.clock()))


@put(
    "/api/ads/{ad_id:int}",
    sync_to_thread=True,
    summary="Change an advertisement",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def edit_ad(
    ad_id: PathIdentifier, data: JSONBody[AdBody], services: GivenServices, actor: GivenActor
) -> Envelope[AdView]:
    """As `liuying ad edit`."""
    draft = _draft(services, data)
    before, after = differences(_known(services, ad_id), _told(data))
    with changing(
        services, actor, Entry("ad.edit", f"广告 {ad_id} {data.title}", before, after)
    ) as connection:
        _require_seen(connection, ad_id, data.revision)
        writing.edit_ad(connection, ad_id, draft)
        return Envelope(_view(queries.ad_row(connection, ad_id), services.clock()))


@post(
    "/api/ads/{ad_id:int}/end",
    status_code=200,
    sync_to_thread=True,
    summary="End an advertisement now",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def end_ad(ad_id: PathIdentifier, services: GivenServices, actor: GivenActor) -> Envelope[AdView]:
    """It stays in the list, and may run again."""
    known = _known(services, ad_id)
    now = services.clock()
    entry = Entry(
        "ad.end",
        f"广告 {ad_id} {known['title']}",
        {"ends_at": known["ends_at"]},
        {"ends_at": to_iso(now)},
    )
    with changing(services, actor, entry) as connection:
        require_row(connection, ad, ad_id, "广告")
        row = queries.ad_row(connection, ad_id)
        ends_at = end_of_running(row, now)
        writing.edit_ad(connection, ad_id, writing.AdDraft(ends_at=ends_at))
        return Envelope(_view(queries.ad_row(connection, ad_id), ends_at))


@delete(
    "/api/ads/{ad_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete an advertisement",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_ad(ad_id: PathIdentifier, services: GivenServices, actor: GivenActor) -> Envelope[None]:
    """As `liuying ad remove`."""
    known = _known(services, ad_id)
    with changing(
        services, actor, Entry("ad.remove", f"广告 {ad_id} {known['title']}", known)
    ) as connection:
        writing.remove_ad(connection, ad_id)
    return Envelope(None)


@post(
    "/api/ads/order",
    status_code=200,
    sync_to_thread=True,
    summary="Order the advertisements of a place",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def order_ads(
    data: JSONBody[AdOrderBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying ad edit --position` for each."""
    slot = writing.known_slot(data.slot)
    subject = f"{slot} {data.tag or ''}".strip()
    with changing(
        services, actor, Entry("ad.order", subject, None, {"order": data.ids})
    ) as connection:
        there = queries.all_ads(connection, slot)
        if slot == writing.BANNER:
            there = [row for row in there if row["tag"] == data.tag]
        require_same_rows((row["id"] for row in there), data.ids)
        for place, number in enumerate(data.ids):
            writing.edit_ad(connection, number, writing.AdDraft(position=place))
    return Envelope(None)


def _draft(services: Services, data: AdBody) -> writing.AdDraft:
    slot = writing.known_slot(data.slot)
    return writing.AdDraft(
        slot=slot,
        title=data.title,
        text=data.text,
        url=data.url,
        image=stored_picture(services, data.image, max(rule.width for rule in SLOTS.values())),
        banner_tag=data.tag or None,
        weight=data.weight,
        starts_at=moment_of("starts_at", data.starts_at),
        ends_at=moment_of("ends_at", data.ends_at),
    )


def _told(data: AdBody) -> dict[str, Any]:
    """What the audit log says of it."""
    same = ("slot", "title", "text", "url", "tag", "weight")
    return (
        {name: getattr(data, name) for name in same}
        | told_window(data)
        | ({"image": NEW_PICTURE} if data.image is not None else {})
    )


def _known(services: Services, ad_id: int) -> dict[str, Any]:
    """The stated values of an advertisement, for the audit log.

    Raises:
        NotFoundError: No such advertisement.
    """
    with services.database.read() as connection:
        require_row(connection, ad, ad_id, "广告")
        view = _view(queries.ad_row(connection, ad_id), services.clock())
    return {name: getattr(view, name) for name in STATED if name != "image"}


def _require_seen(connection: sa.Connection, ad_id: int, revision: str) -> None:
    require_row(connection, ad, ad_id, "广告")
    found = queries.ad_row(connection, ad_id)
    require_revision(revision_of([found[name] for name in STATED]), revision)


def _view(row: sa.RowMapping, now: Milliseconds) -> AdView:
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
        revision=revision_of([row[name] for name in STATED]),
    )


ROUTES: list[ControllerRouterHandler] = [
    list_ads,
    add_ad,
    edit_ad,
    end_ad,
    remove_ad,
    order_ads,
]
