"""Advertisements, those of the carousel too, as `liuying ad`."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.ad_schemas import (
    STATED,
    AdBody,
    AdOrderBody,
    AdsView,
    AdView,
    ad_revision,
    ad_view,
    slot_views,
    told_of,
)
from liuying.console.content.banner_tag_routes import banner_tag_view
from liuying.console.content.changing import (
    PICTURE_BODY_BYTES,
    REFUSED,
    changing,
    differences,
    moment_of,
    place_behind,
    require_revision,
    require_same_rows,
    stored_picture,
)
from liuying.console.content.windows import end_of_running
from liuying.console.given import GivenActor, GivenServices
from liuying.features.ads import queries, writing
from liuying.features.ads.rules import SLOTS
from liuying.features.ads.tables import ad
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.installation.site_address import site_address
from liuying.kit.clock import to_iso
from liuying.kit.envelope import Envelope
from liuying.kit.responses import UNAUTHORIZED, PathIdentifier
from liuying.kit.rows import require_row


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
                slots=slot_views(),
                tags=[banner_tag_view(row._mapping) for row in queries.banner_tag_rows(connection)],
                ads=[ad_view(row, services.clock()) for row in queries.all_ads(connection)],
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
    entry = Entry("ad.add", f"广告 {data.title}", None, told_of(data))
    with changing(services, actor, entry) as connection:
        there = queries.all_ads(connection, data.slot)
        place = place_behind(row["position"] for row in there)
        draft = msgspec.structs.replace(draft, position=place)
        number = writing.add_ad(connection, draft)
        return Envelope(ad_view(queries.ad_row(connection, number), services.clock()))


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
    before, after = differences(_known(services, ad_id), told_of(data))
    with changing(
        services, actor, Entry("ad.edit", f"广告 {ad_id} {data.title}", before, after)
    ) as connection:
        _require_seen(connection, ad_id, data.revision)
        writing.edit_ad(connection, ad_id, draft)
        return Envelope(ad_view(queries.ad_row(connection, ad_id), services.clock()))


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
        return Envelope(ad_view(queries.ad_row(connection, ad_id), ends_at))


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


def _known(services: Services, ad_id: int) -> dict[str, Any]:
    """The stated values of an advertisement, for the audit log.

    Raises:
        NotFoundError: No such advertisement.
    """
    with services.database.read() as connection:
        require_row(connection, ad, ad_id, "广告")
        view = ad_view(queries.ad_row(connection, ad_id), services.clock())
    return {name: getattr(view, name) for name in STATED if name != "image"}


def _require_seen(connection: sa.Connection, ad_id: int, revision: str) -> None:
    require_row(connection, ad, ad_id, "广告")
    require_revision(ad_revision(queries.ad_row(connection, ad_id)), revision)


ROUTES: list[ControllerRouterHandler] = [
    list_ads,
    add_ad,
    edit_ad,
    end_ad,
    remove_ad,
    order_ads,
]
