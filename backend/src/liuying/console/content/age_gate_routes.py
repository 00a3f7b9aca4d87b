"""The age gate of the whole site, as `liuying age-gate`; categories have theirs on their page."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from litestar import get, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    REFUSED,
    Line,
    Revision,
    changing,
    differences,
    require_revision,
    revision_of,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.core.catalogue.age_gate import (
    DEFAULT_TEXT,
    DEFAULT_TITLE,
    AgeGate,
    read_gate,
    set_gate,
)
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.queries.gating import count_unsettled
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.kit.envelope import Envelope
from liuying.kit.responses import UNAUTHORIZED


class AgeGateItem(msgspec.Struct, frozen=True, kw_only=True):
    """The gate as it is set.

    Attributes:
        title: Of the question; empty for the default.
        text: Below it; likewise.
        default_title: What is asked where `title` is empty.
        default_text: Likewise.
        categories: Names of the categories with a gate of their own.
        unsettled: How many videos still have to be sealed or opened.
        revision: Names this state of it, for whoever changes it.
    """

    covers_site: bool
    title: str
    text: str
    default_title: str = DEFAULT_TITLE
    default_text: str = DEFAULT_TEXT
    categories: list[str]
    unsettled: int
    revision: str


class AgeGateBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The gate as it is to be."""

    covers_site: bool
    title: Line = ""
    text: Line = ""
    revision: Revision = ""


@get(
    "/api/age-gate",
    sync_to_thread=True,
    summary="The age gate",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def show_age_gate(services: GivenServices) -> Envelope[AgeGateItem]:
    """Of the whole site, and which categories have one."""
    with services.database.read() as connection:
        return Envelope(_item(connection))


@put(
    "/api/age-gate",
    sync_to_thread=True,
    summary="Set or lift the age gate of the whole site",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def edit_age_gate(
    data: JSONBody[AgeGateBody], services: GivenServices, actor: GivenActor
) -> Envelope[AgeGateItem]:
    """As `liuying age-gate on`, `off` and `text`. The server seals or opens the videos."""
    gate = AgeGate(covers_site=data.covers_site, title=data.title, text=data.text)
    with services.database.read() as connection:
        known = read_gate(connection)
    before, after = differences(msgspec.structs.asdict(known), msgspec.structs.asdict(gate))
    with changing(services, actor, Entry("age_gate.edit", "确认年龄", before, after)) as connection:
        require_revision(_item(connection).revision, data.revision)
        set_gate(connection, gate)
        return Envelope(_item(connection))


def _item(connection: sa.Connection) -> AgeGateItem:
    gate = read_gate(connection)
    return AgeGateItem(
        covers_site=gate.covers_site,
        title=gate.title,
        text=gate.text,
        categories=[row["name"] for row in names.all_categories(connection) if row["is_gated"]],
        unsettled=count_unsettled(connection),
        revision=revision_of(msgspec.structs.asdict(gate)),
    )


ROUTES: list[ControllerRouterHandler] = [show_age_gate, edit_age_gate]
