"""The tab bar: what visitors see, and how the operator changes it.

Each function runs inside the caller's transaction.
"""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.features.tabs import queries
from liuying.features.tabs.rules import (
    LASTING,
    LINK_ICON,
    MAX_SHOWN,
    NAME_LENGTH,
    SCREENS,
    require_icon,
    require_position,
)
from liuying.features.tabs.schemas import TabEntry
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import AnyRow
from liuying.kit.drafts import Checks, checked
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.links import require_safe_link
from liuying.kit.texts import required_text


class TabDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An operator's input for an entry. None leaves a value as it is, or at its default.

    Attributes:
        name: The text under the icon.
        icon: One of `rules.ICONS`.
        url: The target of a link: http(s).
        position: Its position; smaller comes first.
    """

    name: str | None = None
    icon: str | None = None
    url: str | None = None
    position: int | None = None


def list_tabs(connection: sa.Connection) -> list[TabEntry]:
    """The visible entries in order."""
    return [_entry(row) for row in queries.shown_tabs(connection)]


def add_tab(
    connection: sa.Connection, name: str, url: str, icon: str | None, position: int | None
) -> str:
    """Add an entry that leads out of the site; returns its key.

    Raises:
        InvalidInputError: A value is invalid, or the bar is full.
    """
    rows = queries.all_tabs(connection)
    taken = {row.key for row in rows}
    key = next(
        f"link{number}" for number in range(1, len(rows) + 2) if f"link{number}" not in taken
    )
    last = max((row.position for row in rows), default=0)
    draft = TabDraft(
        name=name, icon=icon or LINK_ICON, url=url, position=last if position is None else position
    )
    queries.insert_tab(connection, {"key": key} | _values(draft))
    _require_room(connection)
    record_change(connection, CacheTopic.CONFIG)
    return key


def edit_tab(connection: sa.Connection, key: str, draft: TabDraft) -> None:
    """Change the given values of an entry.

    Raises:
        InvalidInputError: A value is invalid, or a screen was given an address.
        NotFoundError: No such entry.
    """
    _require(connection, key)
    if draft.url is not None and key in SCREENS:
        raise InvalidInputError("网站自己的入口不能改链接")
    if values := _values(draft):
        queries.update_tab(connection, key, values)
    record_change(connection, CacheTopic.CONFIG)


def set_tab_hidden(connection: sa.Connection, key: str, *, is_hidden: bool) -> None:
    """Hide an entry or show it again. Its screen stays at its address.

    Raises:
        InvalidInputError: It cannot be hidden, or the bar is full.
        NotFoundError: No such entry.
    """
    _require(connection, key)
    if is_hidden and key in LASTING:
        raise InvalidInputError("首页和我的不能隐藏")
    queries.update_tab(connection, key, {"is_hidden": is_hidden})
    _require_room(connection)
    record_change(connection, CacheTopic.CONFIG)


def remove_tab(connection: sa.Connection, key: str) -> None:
    """Remove an entry that the operator added.

    Raises:
        InvalidInputError: It belongs to the site.
        NotFoundError: No such entry.
    """
    _require(connection, key)
    if key in SCREENS:
        raise InvalidInputError("网站自己的入口不能删除，可以隐藏")
    queries.delete_tab(connection, key)
    record_change(connection, CacheTopic.CONFIG)


def _entry(row: AnyRow) -> TabEntry:
    is_screen = row.key in SCREENS
    return TabEntry(
        key=row.key,
        name=row.name,
        image=row.icon,
        image_gray=f"{row.icon}-outline",
        open_type="route" if is_screen else "link",
        url=f"/{row.key}" if is_screen else row.url,
        routes=list(SCREENS[row.key].routes) if is_screen else [],
    )


def _require(connection: sa.Connection, key: str) -> None:
    if not queries.tab_exists(connection, key):
        raise NotFoundError(f"没有代号为 {key} 的入口")


def _require_room(connection: sa.Connection) -> None:
    if len(queries.shown_tabs(connection)) > MAX_SHOWN:
        raise InvalidInputError(f"最多显示 {MAX_SHOWN} 个入口，请先隐藏一个")


def _values(draft: TabDraft) -> dict[str, Any]:
    checks: Checks = {
        "name": lambda name: required_text("名称", name, NAME_LENGTH),
        "icon": require_icon,
        "url": require_safe_link,
        "position": require_position,
    }
    return checked(draft, checks)
