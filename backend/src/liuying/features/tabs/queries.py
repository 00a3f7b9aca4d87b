"""Statements of the tab bar. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from liuying.features.tabs.tables import tab
from liuying.kit.database import AnyRow

_ALL = sa.select(tab).order_by(tab.c.position, tab.c.key)
_SHOWN = _ALL.where(tab.c.is_hidden.is_(False))


def all_tabs(connection: sa.Connection) -> Sequence[AnyRow]:
    """Every entry in order, including hidden ones."""
    return connection.execute(_ALL).all()


def shown_tabs(connection: sa.Connection) -> Sequence[AnyRow]:
    """The visible entries in order."""
    return connection.execute(_SHOWN).all()


def tab_exists(connection: sa.Connection, key: str) -> bool:
    """Whether an entry has this key."""
    return connection.execute(sa.select(tab.c.key).where(tab.c.key == key)).first() is not None


def insert_tab(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Insert an entry."""
    connection.execute(sa.insert(tab).values(**values))


def update_tab(connection: sa.Connection, key: str, values: Mapping[str, object]) -> None:
    """Change columns of an entry."""
    connection.execute(sa.update(tab).where(tab.c.key == key).values(**values))


def delete_tab(connection: sa.Connection, key: str) -> None:
    """Remove an entry."""
    connection.execute(sa.delete(tab).where(tab.c.key == key))
