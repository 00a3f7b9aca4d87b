"""Which saved states of the texts in memory belong to this database's history (`saved_texts`)."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from liuying.features.search.tables import search_document, search_save
from liuying.kit.clock import Milliseconds

KEPT_MS = 30 * 86_400_000


def may_be_many(connection: sa.Connection, number: int) -> bool:
    """Whether there may be so many texts, without counting them."""
    statement = sa.select(sa.func.max(search_document.c.video_id))
    return (connection.execute(statement).scalar() or 0) >= number


def known_among(connection: sa.Connection, tokens: Collection[str]) -> set[str]:
    """Those of some states that belong to this database."""
    statement = sa.select(search_save.c.token).where(search_save.c.token.in_(tokens))
    return set(connection.execute(statement).scalars())


def note(connection: sa.Connection, token: str, now: Milliseconds) -> None:
    """Note that a state was saved, and forget those of a month ago."""
    connection.execute(sa.delete(search_save).where(search_save.c.saved_at < now - KEPT_MS))
    connection.execute(sa.insert(search_save).values(token=token, saved_at=now))
