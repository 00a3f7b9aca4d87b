"""Which saved states of the texts in memory belong to this database's history (`saved_texts`)."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from liuying.features.search.tables import search_document, search_save
from liuying.kit.clock import DAY_MS, Milliseconds

# A machine that was away for longer reads everything again.
KEPT_MS = 30 * DAY_MS


def last_id(connection: sa.Connection) -> int:
    """The largest number of a video with texts; 0 without any. There are no more texts than
    that.
    """
    statement = sa.select(sa.func.max(search_document.c.video_id))
    return connection.execute(statement).scalar() or 0


def known_among(connection: sa.Connection, tokens: Collection[str]) -> set[str]:
    """Those of some states that belong to this database."""
    statement = sa.select(search_save.c.token).where(search_save.c.token.in_(tokens))
    return set(connection.execute(statement).scalars())


def note(
    connection: sa.Connection, token: str, now: Milliseconds, replaced: Collection[str]
) -> None:
    """Note that a state was saved; those that it replaces are forgotten, and those of a month
    ago.
    """
    is_over = search_save.c.token.in_(replaced) | (search_save.c.saved_at < now - KEPT_MS)
    connection.execute(sa.delete(search_save).where(is_over))
    connection.execute(sa.insert(search_save).values(token=token, saved_at=now))
