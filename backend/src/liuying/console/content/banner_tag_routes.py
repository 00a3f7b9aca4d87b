"""The chips above the carousel, as `liuying banner`."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from litestar import delete, post, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    REFUSED,
    Line,
    OrderBody,
    Revision,
    changing,
    place_behind,
    require_revision,
    require_same_rows,
    revision_of,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.features.ads import queries, writing
from liuying.features.ads.tables import banner_tag
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.responses import PathIdentifier
from liuying.kit.rows import require_row


class BannerTagView(msgspec.Struct, frozen=True):
    """A chip above the carousel."""

    id: int
    name: str
    revision: str


class BannerTagBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chip above the carousel as it is to be."""

    name: Line
    revision: Revision = ""


@post(
    "/api/banner-tags",
    status_code=200,
    sync_to_thread=True,
    summary="Add a chip above the carousel",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def add_tag(
    data: JSONBody[BannerTagBody], services: GivenServices, actor: GivenActor
) -> Envelope[BannerTagView]:
    """As `liuying banner add`, behind the others."""
    entry = Entry("banner.add", f"轮播图标签 {data.name}", None, {"name": data.name})
    with changing(services, actor, entry) as connection:
        place = place_behind(row.position for row in queries.banner_tag_rows(connection))
        number = writing.add_banner_tag(connection, data.name, place)
        return Envelope(banner_tag_view(queries.banner_tag_row(connection, number)))


@put(
    "/api/banner-tags/{tag_id:int}",
    sync_to_thread=True,
    summary="Rename a chip above the carousel",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def edit_tag(
    tag_id: PathIdentifier,
    data: JSONBody[BannerTagBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[BannerTagView]:
    """As `liuying banner edit`."""
    before = _known(services, tag_id)
    entry = Entry("banner.edit", f"轮播图标签 {tag_id}", {"name": before.name}, {"name": data.name})
    with changing(services, actor, entry) as connection:
        require_row(connection, banner_tag, tag_id, "标签")
        found = banner_tag_view(queries.banner_tag_row(connection, tag_id))
        require_revision(found.revision, data.revision)
        writing.edit_banner_tag(connection, tag_id, data.name, None)
        return Envelope(banner_tag_view(queries.banner_tag_row(connection, tag_id)))


@delete(
    "/api/banner-tags/{tag_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete a chip above the carousel, with its banners",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_tag(
    tag_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying banner remove`."""
    before = _known(services, tag_id)
    entry = Entry("banner.remove", f"轮播图标签 {tag_id}", {"name": before.name})
    with changing(services, actor, entry) as connection:
        writing.remove_banner_tag(connection, tag_id)
    return Envelope(None)


@post(
    "/api/banner-tags/order",
    status_code=200,
    sync_to_thread=True,
    summary="Order the chips above the carousel",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def order_tags(
    data: JSONBody[OrderBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying banner edit --position` for each."""
    with changing(
        services, actor, Entry("banner.order", "轮播图标签", None, {"order": data.ids})
    ) as connection:
        rows = queries.banner_tag_rows(connection)
        require_same_rows((row.id for row in rows), data.ids)
        for place, number in enumerate(data.ids):
            writing.edit_banner_tag(connection, number, None, place)
    return Envelope(None)


def _known(services: Services, tag_id: int) -> BannerTagView:
    with services.database.read() as connection:
        require_row(connection, banner_tag, tag_id, "标签")
        return banner_tag_view(queries.banner_tag_row(connection, tag_id))


def banner_tag_view(row: sa.RowMapping) -> BannerTagView:
    """A chip as the console shows it."""
    return BannerTagView(row["id"], row["name"], revision_of([row["name"]]))


ROUTES: list[ControllerRouterHandler] = [add_tag, edit_tag, remove_tag, order_tags]
