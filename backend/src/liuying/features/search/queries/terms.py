"""Statements of searched terms. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.search.tables import blocked_word, search_mark
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent

MARK = search_mark.c


def mark_search(
    connection: sa.Connection, term: str, hour: int, current: str, previous: str
) -> None:
    """Record that a network searched a term in an hour.

    Args:
        current: The network's hash of this period.
        previous: Its hash of the period before; a mark with it is renewed too.
    """
    known = sa.update(search_mark).where(
        MARK.term == term, MARK.network_hash.in_([current, previous])
    )
    if connection.execute(known.values(hour=hour).returning(MARK.hour)).first() is None:
        insert_if_absent(
            connection, search_mark, {"term": term, "network_hash": current, "hour": hour}
        )


def delete_marks(connection: sa.Connection, until_hour: int) -> None:
    """Delete searches up to an hour."""
    connection.execute(sa.delete(search_mark).where(MARK.hour <= until_hour))


def trending_rows(
    connection: sa.Connection, *, after_hour: int, fewest_networks: int, limit: int
) -> Sequence[AnyRow]:
    """Terms that enough networks searched after an hour, with their number of `networks`,
    hottest first; without blocked ones.
    """
    networks = sa.func.count().label("networks")
    statement = (
        sa.select(MARK.term, networks)
        .where(MARK.hour > after_hour, MARK.term.not_in(sa.select(blocked_word.c.word)))
        .group_by(MARK.term)
        .having(networks >= fewest_networks)
        .order_by(networks.desc(), MARK.term)
        .limit(limit)
    )
    return connection.execute(statement).all()
