"""The bar at the foot of the site's screens, as `liuying tab`."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    REFUSED,
    Line,
    Revision,
    changing,
    differences,
    require_revision,
    require_same_rows,
    revision_of,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.features.tabs import queries
from liuying.features.tabs import service as tabs
from liuying.features.tabs.rules import ICONS, LASTING, MAX_SHOWN, SCREENS
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.responses import UNAUTHORIZED

Key = Annotated[str, PathParameter(pattern="^[a-z0-9]{1,16}$")]
Keys = Annotated[list[Line], msgspec.Meta(max_length=100)]


class TabItem(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the bar.

    Attributes:
        url: What it shows: a path of the site, or where a link leads.
        is_screen: Whether it is the site's own: it cannot be deleted, or lead elsewhere.
        is_lasting: Whether it cannot be hidden.
        revision: Names this state of it, for whoever changes it.
    """

    key: str
    name: str
    icon: str
    url: str
    is_hidden: bool
    is_screen: bool
    is_lasting: bool
    revision: str


class TabsView(msgspec.Struct, frozen=True):
    """The bar's entries in order, the icons there are, and how many entries are shown at most."""

    tabs: list[TabItem]
    icons: list[str]
    most: int


class TabBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as it is to be.

    Attributes:
        url: Where a link leads; of the site's own entries it stays as it is.
        revision: The state that the operator saw; empty for a new one.
    """

    name: Line
    icon: Line
    url: Line = ""
    is_hidden: bool = False
    revision: Revision = ""


class KeysBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All entries by key, in the order that they are to have."""

    keys: Keys


@get(
    "/api/tabs",
    sync_to_thread=True,
    summary="The bar at the foot",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_tabs(services: GivenServices) -> Envelope[TabsView]:
    """Hidden entries too."""
    with services.database.read() as connection:
        return Envelope(TabsView(_views(connection), list(ICONS), MAX_SHOWN))


@post(
    "/api/tabs",
    status_code=200,
    sync_to_thread=True,
    summary="Add an entry that leads out of the site",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def add_tab(
    data: JSONBody[TabBody], services: GivenServices, actor: GivenActor
) -> Envelope[TabItem]:
    """As `liuying tab add`, behind the others."""
    entry = Entry("tab.add", f"入口 {data.name}", None, _told(data))
    with changing(services, actor, entry) as connection:
        last = max((row.position for row in queries.all_tabs(connection)), default=-1)
        key = tabs.add_tab(connection, data.name, data.url, data.icon, last + 1)
        return Envelope(_one(connection, key))


@put(
    "/api/tabs/{key:str}",
    sync_to_thread=True,
    summary="Change an entry of the bar",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def edit_tab(
    key: Key, data: JSONBody[TabBody], services: GivenServices, actor: GivenActor
) -> Envelope[TabItem]:
    """As `liuying tab edit`, `hide` and `unhide`."""
    known = _known(services, key)
    url = None if known.is_screen else data.url
    told = {"name": known.name, "icon": known.icon, "url": known.url, "is_hidden": known.is_hidden}
    before, after = differences(told, _told(data) | {"url": known.url if url is None else url})
    with changing(
        services, actor, Entry("tab.edit", f"入口 {known.name}", before, after)
    ) as connection:
        found = _one(connection, key)
        require_revision(found.revision, data.revision)
        tabs.edit_tab(connection, key, tabs.TabDraft(name=data.name, icon=data.icon, url=url))
        if found.is_hidden != data.is_hidden:
            tabs.set_tab_hidden(connection, key, is_hidden=data.is_hidden)
        return Envelope(_one(connection, key))


@delete(
    "/api/tabs/{key:str}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete an entry that leads out of the site",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_tab(key: Key, services: GivenServices, actor: GivenActor) -> Envelope[None]:
    """As `liuying tab remove`."""
    known = _known(services, key)
    before = {"name": known.name, "url": known.url}
    with changing(services, actor, Entry("tab.remove", f"入口 {known.name}", before)) as connection:
        tabs.remove_tab(connection, key)
    return Envelope(None)


@post(
    "/api/tabs/order",
    status_code=200,
    sync_to_thread=True,
    summary="Order the bar's entries",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def order_tabs(
    data: JSONBody[KeysBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying tab edit --position` for each."""
    with changing(
        services, actor, Entry("tab.order", "底部入口", None, {"order": data.keys})
    ) as connection:
        require_same_rows((row.key for row in queries.all_tabs(connection)), data.keys)
        for place, key in enumerate(data.keys):
            tabs.edit_tab(connection, key, tabs.TabDraft(position=place))
    return Envelope(None)


def _told(data: TabBody) -> dict[str, Any]:
    return {"name": data.name, "icon": data.icon, "url": data.url, "is_hidden": data.is_hidden}


def _known(services: Services, key: str) -> TabItem:
    with services.database.read() as connection:
        return _one(connection, key)


def _one(connection: sa.Connection, key: str) -> TabItem:
    found = next((one for one in _views(connection) if one.key == key), None)
    if found is None:
        raise NotFoundError(f"没有代号为 {key} 的入口")
    return found


def _views(connection: sa.Connection) -> list[TabItem]:
    return [
        TabItem(
            key=row.key,
            name=row.name,
            icon=row.icon,
            url=f"/{row.key}" if row.key in SCREENS else row.url,
            is_hidden=row.is_hidden,
            is_screen=row.key in SCREENS,
            is_lasting=row.key in LASTING,
            revision=revision_of([row.name, row.icon, row.url, row.is_hidden]),
        )
        for row in queries.all_tabs(connection)
    ]


ROUTES: list[ControllerRouterHandler] = [list_tabs, add_tab, edit_tab, remove_tab, order_tabs]
