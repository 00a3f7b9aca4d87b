"""The links of the page /mine, as `liuying link`."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    PICTURE_BODY_BYTES,
    REFUSED,
    Line,
    Order,
    Picture,
    Revision,
    changing,
    differences,
    place_behind,
    require_revision,
    require_same_rows,
    revision_of,
    stored_picture,
)
from liuying.console.content.picture_routes import PictureView, picture_view
from liuying.console.given import GivenActor, GivenServices
from liuying.features.ads import link_writing, queries
from liuying.features.ads.tables import app_link
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.responses import UNAUTHORIZED, PathIdentifier
from liuying.kit.rows import require_row

PICTURE_WIDTH = 1280
STATED = ("kind", "title", "text", "url", "image")


class LinkItem(msgspec.Struct, frozen=True, kw_only=True):
    """A link; `kind` is `checkin`, `activity`, `community` or `exchange`, `revision` names this
    state of it, for whoever changes it.
    """

    id: int
    kind: str
    title: str
    text: str
    url: str
    picture: PictureView | None
    revision: str


class LinkBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link as it is to be.

    Attributes:
        image: Its picture; without it the one that it has stays.
        revision: The state that the operator saw; empty for a new one.
    """

    kind: Line
    title: Line
    text: Line
    url: Line
    image: Picture | None = None
    revision: Revision = ""


class LinkOrderBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All links of a kind by number, in the order that they are to have."""

    kind: Line
    ids: Order


@get(
    "/api/links",
    sync_to_thread=True,
    summary="Links of the page /mine",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_links(services: GivenServices) -> Envelope[list[LinkItem]]:
    """By kind, in their order."""
    with services.database.read() as connection:
        return Envelope([_view(row) for row in queries.all_links(connection)])


@post(
    "/api/links",
    status_code=200,
    sync_to_thread=True,
    summary="Add a link",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def add_link(
    data: JSONBody[LinkBody], services: GivenServices, actor: GivenActor
) -> Envelope[LinkItem]:
    """As `liuying link add`, behind those of its kind."""
    draft = _draft(services, data)
    entry = Entry("link.add", f"链接 {data.title}", None, _told(data))
    with changing(services, actor, entry) as connection:
        there = [row for row in queries.all_links(connection) if row["kind"] == data.kind]
        place = place_behind(row["position"] for row in there)
        draft = msgspec.structs.replace(draft, position=place)
        number = link_writing.add_link(connection, draft)
        return Envelope(_view(queries.link_row(connection, number)))


@put(
    "/api/links/{link_id:int}",
    sync_to_thread=True,
    summary="Change a link",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def edit_link(
    link_id: PathIdentifier, data: JSONBody[LinkBody], services: GivenServices, actor: GivenActor
) -> Envelope[LinkItem]:
    """As `liuying link edit`."""
    draft = _draft(services, data)
    before, after = differences(_known(services, link_id), _told(data))
    entry = Entry("link.edit", f"链接 {link_id} {data.title}", before, after)
    with changing(services, actor, entry) as connection:
        require_row(connection, app_link, link_id, "链接")
        found = _view(queries.link_row(connection, link_id))
        require_revision(found.revision, data.revision)
        link_writing.edit_link(connection, link_id, draft)
        return Envelope(_view(queries.link_row(connection, link_id)))


@delete(
    "/api/links/{link_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete a link",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_link(
    link_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying link remove`."""
    known = _known(services, link_id)
    entry = Entry("link.remove", f"链接 {link_id} {known['title']}", known)
    with changing(services, actor, entry) as connection:
        link_writing.remove_link(connection, link_id)
    return Envelope(None)


@post(
    "/api/links/order",
    status_code=200,
    sync_to_thread=True,
    summary="Order the links of a kind",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def order_links(
    data: JSONBody[LinkOrderBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying link edit --position` for each."""
    with changing(
        services, actor, Entry("link.order", data.kind, None, {"order": data.ids})
    ) as connection:
        there = [row["id"] for row in queries.all_links(connection) if row["kind"] == data.kind]
        require_same_rows(there, data.ids)
        for place, number in enumerate(data.ids):
            link_writing.edit_link(connection, number, link_writing.LinkDraft(position=place))
    return Envelope(None)


def _draft(services: Services, data: LinkBody) -> link_writing.LinkDraft:
    return link_writing.LinkDraft(
        kind=data.kind,
        title=data.title,
        text=data.text,
        url=data.url,
        image=stored_picture(services, data.image, PICTURE_WIDTH),
    )


def _told(data: LinkBody) -> dict[str, Any]:
    picture = {"image": "新图片"} if data.image else {}
    return {"kind": data.kind, "title": data.title, "text": data.text, "url": data.url, **picture}


def _known(services: Services, link_id: int) -> dict[str, Any]:
    with services.database.read() as connection:
        require_row(connection, app_link, link_id, "链接")
        row = queries.link_row(connection, link_id)
    return {name: row[name] for name in STATED if name != "image"}


def _view(row: sa.RowMapping) -> LinkItem:
    return LinkItem(
        id=row["id"],
        kind=row["kind"],
        title=row["title"],
        text=row["text"],
        url=row["url"],
        picture=picture_view(row["image"]),
        revision=revision_of([row[name] for name in STATED]),
    )


ROUTES: list[ControllerRouterHandler] = [list_links, add_link, edit_link, remove_link, order_links]
