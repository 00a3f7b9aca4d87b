"""The change log: every write that a cached answer depends on leaves a numbered row.

A process that keeps answers compares the newest number with the one it last saw, so a change made
by another process (the command line, an importer) is noticed exactly, not by the passing of time
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa

from liuying.kit.advisory_locks import AdvisoryLock
from liuying.kit.database import metadata
from liuying.kit.driver_rows import read_row, read_rows

# A batch is small enough that no writer waits long.
PRUNED_AT_ONCE = 20_000
# PostgreSQL plans by how long it last found a log, and reads a short one whole, also after it grew.
KEPT_AT_LEAST = 1_000
# Where PostgreSQL tells listeners that a transaction with changes was committed. It only wakes
# them: what changed stands in the log.
CHANGE_CHANNEL = "liuying_change"

change = sa.Table(
    "change",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("topic", sa.String(16), nullable=False),
    sa.Index("ix_change_topic", "topic", "seq"),
    sqlite_autoincrement=True,  # Numbers are never reused.
)


class CacheTopic(StrEnum):
    """What a cached answer may depend on."""

    CATALOGUE = "catalogue"
    # Artists themselves: added, changed, removed. Recorded beside the catalogue's.
    ARTISTS = "artists"
    # Names of artists and labels, and how they are spelled.
    NAMES = "names"
    ADS = "ads"
    NOTICES = "notices"
    SEARCH = "search"
    RANKS = "ranks"
    # View counts alone: they change all the time.
    VIEWS = "views"
    # What the server itself must read again: partners and who may frame the site, and the tab bar.
    CONFIG = "config"


def record_change(connection: sa.Connection, *topics: CacheTopic) -> None:
    """Note in the same transaction that answers about `topics` are stale once it commits."""
    draw_in_order(connection)
    connection.execute(sa.insert(change), [{"topic": topic.value} for topic in topics])


def draw_in_order(connection: sa.Connection) -> None:
    """Make the numbers that this transaction draws from a log visible in their order."""
    if connection.dialect.name == "postgresql":
        # Numbers are drawn at the insert but seen at the commit: without this lock a smaller number
        # could appear after a larger one was seen. SQLite has one writer at a time anyway.
        # Notifications of a transaction are sent once, when it commits.
        connection.execute(
            sa.select(
                sa.func.pg_advisory_xact_lock(AdvisoryLock.CHANGES.value),
                sa.func.pg_notify(CHANGE_CHANNEL, ""),
            )
        )


# Statements for the number of a topic's newest change. Built from our own constants only.
NEWEST = {
    topic: f"SELECT max(seq) FROM change WHERE topic = '{topic.value}'"  # noqa: S608
    for topic in CacheTopic
}


# Of so many changes a look reads the topics at once. Without a limit PostgreSQL expects a third of
# the log for a number that it does not know in advance, and may read all of it each time.
READ_AT_ONCE = 100
_SINCE = (
    "SELECT (SELECT max(seq) FROM change), (SELECT {0} FROM"
    " (SELECT topic FROM change WHERE seq > ? ORDER BY seq LIMIT {1}) AS rest)"
)
_AFTER = {
    "postgresql": _SINCE.format("string_agg(DISTINCT topic, ',')", READ_AT_ONCE),
    "sqlite": _SINCE.format("group_concat(DISTINCT topic)", READ_AT_ONCE),
}
_ALL_AFTER = "SELECT DISTINCT topic FROM change WHERE seq > ?"


def newest_change(connection: sa.Connection, *topics: CacheTopic) -> int:
    """The number of the newest change of some topics; 0 where there was none."""
    each = ", ".join(f"({NEWEST[topic]})" for topic in topics)
    return max(number or 0 for number in read_row(connection, f"SELECT {each}"))


class Look(NamedTuple):
    """What one look at the log found, as of one moment.

    Attributes:
        newest: The newest number of all; 0 where there was none.
        topics: What changed since the number that was asked for.
        beside: What else was asked for.
    """

    newest: int
    topics: frozenset[CacheTopic]
    beside: tuple[Any, ...]


def changes_after(
    connection: sa.Connection, seq: int, *beside: str, values: Sequence[int] = ()
) -> Look:
    """The newest number and the topics that changed after `seq`.

    A topic that this version does not know comes from a newer one; then anything may have changed.
    So it may where the log ends before `seq`: it is another database.

    Args:
        beside: Queries for one value each, asked in the same statement.
        values: For their parameters, `?` each.
    """
    parts = "".join(f", ({query})" for query in beside)
    statement = f"{_AFTER[connection.dialect.name]}{parts}"
    newest, names, *others = read_row(connection, statement, seq, *values)
    newest, topics = newest or 0, set(names.split(",") if names else ())
    if newest > seq + READ_AT_ONCE:
        # What came since the statement above is found again the next time.
        topics = {name for (name,) in read_rows(connection, _ALL_AFTER, seq)}
    if newest < seq or not topics <= set(CacheTopic):
        return Look(newest, frozenset(CacheTopic), tuple(others))
    return Look(newest, frozenset(CacheTopic(name) for name in topics), tuple(others))


def prune_changes(connection: sa.Connection) -> bool:
    """Remove the oldest rows, up to a batch, that no reader needs: the newest one of each topic
    says whether it changed, however far behind the reader is. Rows of the newest numbers
    (`KEPT_AT_LEAST`) stay anyway.

    Returns:
        Whether more remain to be removed.
    """
    by_topic = sa.select(change.c.topic, sa.func.max(change.c.seq)).group_by(change.c.topic)
    newest = {row.topic: row[1] for row in connection.execute(by_topic)}
    kept_from = max(newest.values(), default=0) - KEPT_AT_LEAST + 1
    is_outdated = sa.or_(
        sa.false(),
        *(
            sa.and_(change.c.topic == topic, change.c.seq < min(seq, kept_from))
            for topic, seq in newest.items()
        ),
    )
    oldest = connection.execute(sa.select(sa.func.min(change.c.seq)).where(is_outdated)).scalar()
    if oldest is None:
        return False
    is_first = change.c.seq < oldest + PRUNED_AT_ONCE
    return connection.execute(sa.delete(change).where(is_outdated, is_first)).rowcount > 0
