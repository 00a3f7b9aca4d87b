"""Categories, as `liuying category`."""

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
    OrderBody,
    Picture,
    Revision,
    changing,
    differences,
    require_revision,
    require_same_rows,
    revision_of,
    stored_picture,
)
from liuying.console.content.picture_routes import PictureView, picture_view
from liuying.console.given import GivenActor, GivenServices
from liuying.core.catalogue import editing
from liuying.core.catalogue.age_gate import set_category_gated
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.rules import EXCLUDED_CATEGORIES
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.responses import UNAUTHORIZED, PathIdentifier

ICON_WIDTH = 192


class CategoryItem(msgspec.Struct, frozen=True, kw_only=True):
    """A category.

    Attributes:
        videos: How many it has, listed or not.
        is_hidden: Whether the site's categories and home leave it out.
        is_gated: Whether visitors say their age before they see its covers and videos.
        is_reserved: Whether it never is among the site's categories: short videos and those that
            are unlocked by sharing.
        revision: Names this state of it, for whoever changes it.
    """

    id: int
    name: str
    videos: int
    is_hidden: bool
    is_gated: bool
    is_reserved: bool
    picture: PictureView | None
    revision: str


class CategoryBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A category as it is to be.

    Attributes:
        image: Its icon; without it the one that it has stays.
        revision: The state that the operator saw; empty for a new one.
    """

    name: Line
    is_hidden: bool = False
    is_gated: bool = False
    image: Picture | None = None
    revision: Revision = ""


@get(
    "/api/categories",
    sync_to_thread=True,
    summary="Categories",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_categories(services: GivenServices) -> Envelope[list[CategoryItem]]:
    """In their order, hidden ones too."""
    with services.database.read() as connection:
        return Envelope(_views(connection))


@post(
    "/api/categories",
    status_code=200,
    sync_to_thread=True,
    summary="Add a category",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def add_category(
    data: JSONBody[CategoryBody], services: GivenServices, actor: GivenActor
) -> Envelope[CategoryItem]:
    """As `liuying category add`, behind the others."""
    icon = stored_picture(services, data.image, ICON_WIDTH)
    entry = Entry("category.add", f"分类 {data.name}", None, _told(data))
    with changing(services, actor, entry) as connection:
        there = names.all_categories(connection)
        last = max((row["position"] for row in there), default=0)
        number = editing.add_category(connection, data.name, last + 1, icon)
        if data.is_hidden:
            editing.set_category_hidden(connection, number, is_hidden=True)
        if data.is_gated:
            set_category_gated(connection, number, is_gated=True)
        return Envelope(_one(connection, number))


@put(
    "/api/categories/{category_id:int}",
    sync_to_thread=True,
    summary="Change a category",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def edit_category(
    category_id: PathIdentifier,
    data: JSONBody[CategoryBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[CategoryItem]:
    """As `liuying category edit`, `hide`, `unhide`, `gate` and `ungate`. The server seals or opens
    the videos.
    """
    icon = stored_picture(services, data.image, ICON_WIDTH)
    known = _known(services, category_id)
    seen = {"name": known.name, "is_hidden": known.is_hidden, "is_gated": known.is_gated}
    before, after = differences(seen, _told(data))
    entry = Entry("category.edit", f"分类 {category_id} {known.name}", before, after)
    with changing(services, actor, entry) as connection:
        require_revision(_one(connection, category_id).revision, data.revision)
        editing.edit_category(connection, category_id, data.name, None, icon)
        editing.set_category_hidden(connection, category_id, is_hidden=data.is_hidden)
        if data.is_gated != known.is_gated:
            set_category_gated(connection, category_id, is_gated=data.is_gated)
        return Envelope(_one(connection, category_id))


@delete(
    "/api/categories/{category_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete an empty category",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_category(
    category_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying category remove`."""
    known = _known(services, category_id)
    entry = Entry("category.remove", f"分类 {category_id} {known.name}", {"name": known.name})
    with changing(services, actor, entry) as connection:
        editing.remove_category(connection, category_id)
    return Envelope(None)


@post(
    "/api/categories/order",
    status_code=200,
    sync_to_thread=True,
    summary="Order the categories",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def order_categories(
    data: JSONBody[OrderBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying category edit --position` for each."""
    with changing(
        services, actor, Entry("category.order", "分类", None, {"order": data.ids})
    ) as connection:
        require_same_rows((one.id for one in _views(connection)), data.ids)
        for place, number in enumerate(data.ids, start=1):
            editing.edit_category(connection, number, None, place, None)
    return Envelope(None)


def _told(data: CategoryBody) -> dict[str, Any]:
    picture = {"image": "新图标"} if data.image else {}
    told = {"name": data.name, "is_hidden": data.is_hidden, "is_gated": data.is_gated}
    return {**told, **picture}


def _known(services: Services, number: int) -> CategoryItem:
    with services.database.read() as connection:
        return _one(connection, number)


def _one(connection: sa.Connection, number: int) -> CategoryItem:
    found = next((one for one in _views(connection) if one.id == number), None)
    if found is None:
        raise NotFoundError(f"没有编号为 {number} 的分类")
    return found


def _views(connection: sa.Connection) -> list[CategoryItem]:
    icons = {row.id: row.icon for row in names.category_rows(connection, with_hidden=True)}
    return [
        CategoryItem(
            id=row["id"],
            name=row["name"],
            videos=row["videos"],
            is_hidden=row["is_hidden"],
            is_gated=row["is_gated"],
            is_reserved=row["id"] in EXCLUDED_CATEGORIES,
            picture=picture_view(icons.get(row["id"])),
            revision=revision_of(
                [row["name"], row["is_hidden"], row["is_gated"], icons.get(row["id"])]
            ),
        )
        for row in names.all_categories(connection)
    ]


ROUTES: list[ControllerRouterHandler] = [
    list_categories,
    add_category,
    edit_category,
    remove_category,
    order_categories,
]
