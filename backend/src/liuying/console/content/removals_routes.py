"""The public page of what was taken down, as `liuying removals`."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from litestar import get, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    REFUSED,
    Revision,
    changing,
    differences,
    require_revision,
    revision_of,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.core.playback.queries import tombstones
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.features.removals.schemas import RemovalView
from liuying.features.removals.service import RemovalPage, list_latest, read_page, set_page
from liuying.kit.envelope import Envelope
from liuying.kit.responses import UNAUTHORIZED

# Of what the page would tell, so many are shown beside its switch.
SAMPLE = 20


class RemovalPageItem(msgspec.Struct, frozen=True, kw_only=True):
    """The page as it is set.

    Attributes:
        total: How many videos were taken down.
        latest: Of them the latest, with titles where one was kept.
        revision: Names this state of it, for whoever changes it.
    """

    is_shown: bool
    shows_titles: bool
    total: int
    latest: list[RemovalView]
    revision: str


class RemovalPageBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The page as it is to be."""

    is_shown: bool
    shows_titles: bool = False
    revision: Revision = ""


@get(
    "/api/removals",
    sync_to_thread=True,
    summary="The page of what was taken down",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def show_removal_page(services: GivenServices) -> Envelope[RemovalPageItem]:
    """Whether there is one, and what it tells."""
    with services.database.read() as connection:
        return Envelope(_item(connection))


@put(
    "/api/removals",
    sync_to_thread=True,
    summary="Show or hide the page of what was taken down",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def edit_removal_page(
    data: JSONBody[RemovalPageBody], services: GivenServices, actor: GivenActor
) -> Envelope[RemovalPageItem]:
    """As `liuying removals on` and `off`."""
    page = RemovalPage(is_shown=data.is_shown, shows_titles=data.is_shown and data.shows_titles)
    with services.database.read() as connection:
        known = read_page(connection)
    before, after = differences(msgspec.structs.asdict(known), msgspec.structs.asdict(page))
    with changing(services, actor, Entry("removals.edit", "下架公示", before, after)) as connection:
        require_revision(_item(connection).revision, data.revision)
        set_page(connection, page)
        return Envelope(_item(connection))


def _item(connection: sa.Connection) -> RemovalPageItem:
    page = read_page(connection)
    return RemovalPageItem(
        is_shown=page.is_shown,
        shows_titles=page.shows_titles,
        total=tombstones.count_taken_down(connection),
        latest=list_latest(connection, 0, SAMPLE),
        revision=revision_of(msgspec.structs.asdict(page)),
    )


ROUTES: list[ControllerRouterHandler] = [show_removal_page, edit_removal_page]
