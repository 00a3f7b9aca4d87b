"""The change log: every write that a cached answer depends on leaves a numbered row.

A process that keeps answers compares the newest number with the one it last saw, so a change made by
another process (the command line, an importer) is noticed exactly, not by the passing of time alone.
"""

from __future__ import annotations

from enum import StrEnum

import sqlalchemy as sa

from liuying.kit.database import metadata

change = sa.Table(
    "change",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("topic", sa.String(16), nullable=False),
    sqlite_autoincrement=True,  # a number is never used twice, also after the log was pruned
)


class Topic(StrEnum):
    """What a cached answer may depend on."""

    CATALOGUE = "catalogue"
    ADS = "ads"
    NOTICES = "notices"
    SEARCH = "search"


def record_change(connection: sa.Connection, *topics: Topic) -> None:
    """Note in the same transaction that answers about `topics` are stale once it commits."""
    connection.execute(sa.insert(change), [{"topic": topic.value} for topic in topics])


def changes_after(connection: sa.Connection, seq: int) -> tuple[int, frozenset[Topic]]:
    """The newest number and the topics that changed after `seq`."""
    rows = connection.execute(
        sa.select(change.c.topic, sa.func.max(change.c.seq)).where(change.c.seq > seq).group_by(change.c.topic)
    ).all()
    newest = max((row[1] for row in rows), default=seq)
    return newest, frozenset(Topic(row[0]) for row in rows)
