"""Statements of the page of what was removed. Each runs inside the caller's transaction."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.removals.tables import removal_page
from liuying.kit.database import AnyRow

ROW_ID = 1


def page_row(connection: sa.Connection) -> AnyRow | None:
    """What the operator has set; None where nothing."""
    statement = sa.select(removal_page).where(removal_page.c.id == ROW_ID)
    return connection.execute(statement).one_or_none()


def replace_page(connection: sa.Connection, *, is_shown: bool, shows_titles: bool) -> None:
    """Set whether there is a page, and whether it names titles."""
    connection.execute(sa.delete(removal_page))
    values = {"id": ROW_ID, "is_shown": is_shown, "shows_titles": shows_titles}
    connection.execute(sa.insert(removal_page).values(values))
