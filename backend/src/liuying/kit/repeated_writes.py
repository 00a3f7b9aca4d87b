"""Writes that their sender repeats because no answer came: done once, and answered like the first
(docs/decisions/0022-many-processes.md).

Whoever sends the same within ten minutes sends one thing. A keyed hash of the sender, of what was
sent and of the time tells so. It goes with the first clean-up after that (`Housekeeping.prune`, so
it stays 10 to 20 minutes) and is in back-ups of that time; that a later one is of the same sender
or text cannot be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sqlalchemy as sa

from liuying.kit.clock import Milliseconds
from liuying.kit.database import metadata
from liuying.kit.inserting import upsert
from liuying.kit.keyed_hashes import KeyedHashes

# Longer than anybody waits before trying again, shorter than it takes to have something to say a
# second time in the same words.
REPEATED_WITHIN_MS = 10 * 60_000

written_once = sa.Table(
    "written_once",
    metadata,
    sa.Column("mark", sa.String(64), primary_key=True, comment="KeyedHashes.digest"),
    sa.Column("answer", sa.String(64), nullable=False, comment="what the answer is made of"),
    sa.Column(
        "written_at", sa.BigInteger, nullable=False, index=True, comment="milliseconds since 1970"
    ),
)


def write_once(
    connection: sa.Connection,
    hashes: KeyedHashes,
    sent: Sequence[object],
    now: Milliseconds,
    write: Callable[[], str],
) -> str:
    """Write something unless it was written within the last ten minutes.

    The database decides: whoever comes second waits until the first one's transaction has ended.

    Args:
        sent: What kind of thing it is, its sender and what was sent.
        write: Writes in the same transaction, and returns up to 64 signs that the answer is made
            of. What it raises takes the mark back with the rest.

    Returns:
        What the first one's `write` returned.
    """
    marks = _marks(hashes, sent, now)
    is_ours = written_once.c.mark.in_(marks)
    # The earlier period first, as everybody does: nobody waits in a circle.
    for number, mark in enumerate(marks):
        values = {"mark": mark, "answer": "", "written_at": now}
        if upsert(connection, written_once, values, ["mark"], where=_is_over(now)):
            continue
        # By a clock that is ahead of this one, where it is the second mark.
        connection.execute(sa.delete(written_once).where(written_once.c.mark.in_(marks[:number])))
        statement = sa.select(written_once.c.answer).where(written_once.c.mark == mark)
        return str(connection.execute(statement).scalar_one())
    answer = write()
    connection.execute(sa.update(written_once).where(is_ours).values(answer=answer))
    return answer


def prune_written(connection: sa.Connection, now: Milliseconds) -> None:
    """Forget what is not a repetition any more."""
    connection.execute(sa.delete(written_once).where(_is_over(now)))


def _marks(hashes: KeyedHashes, sent: Sequence[object], now: Milliseconds) -> list[str]:
    """Of this period of ten minutes and of the next one, in which a repetition may come."""
    period = now // REPEATED_WITHIN_MS
    return [hashes.digest("written once", one, *sent).hex() for one in (period, period + 1)]


def _is_over(now: Milliseconds) -> sa.ColumnElement[bool]:
    """Also of what comes from the future: the clock was set back since."""
    moment = written_once.c.written_at
    return sa.or_(moment <= now - REPEATED_WITHIN_MS, moment > now + REPEATED_WITHIN_MS)
