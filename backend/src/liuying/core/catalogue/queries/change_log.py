"""Which videos changed: the numbered log that the orders in memory follow (`sort_index`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

import sqlalchemy as sa

from liuying.core.catalogue.tables import video_change
from liuying.kit.changes import NEWEST, PRUNED_AT_ONCE, CacheTopic, draw_in_order
from liuying.kit.driver_rows import read_number, read_row
from liuying.kit.inserting import insert_all

# Whoever is further behind than these, and than the last turn of pruning, rebuilds.
KEPT_AT_LEAST = 5_000
ALL_VIDEOS = 0
SEQ = video_change.c.seq


def note_changed(connection: sa.Connection, video_ids: Collection[int]) -> None:
    """Record in the same transaction that videos were added, changed or removed."""
    if video_ids:
        draw_in_order(connection)
        insert_all(connection, video_change, [{"video_id": one} for one in video_ids])


def note_all_changed(connection: sa.Connection) -> None:
    """Record that followers must rebuild everything."""
    note_changed(connection, [ALL_VIDEOS])


_NEWEST = "SELECT max(seq) FROM video_change"


def newest_number(connection: sa.Connection) -> int:
    """The number of the newest change; 0 if there is none."""
    return read_number(connection, _NEWEST) or 0


# Queries for the numbers of the newest change of the catalogue, and of a single video.
_NEWEST_OF_BOTH = (NEWEST[CacheTopic.CATALOGUE], _NEWEST)
_BOTH = "SELECT ({}), ({})".format(*_NEWEST_OF_BOTH)
# So many next changes a look finds; where there are more, followers ask for them.
LOOKED_AT_ONCE = 100
_NEXT = (
    "SELECT {0}(seq || ' ' || video_id, ' ') FROM"
    " (SELECT seq, video_id FROM video_change WHERE seq > ? ORDER BY seq LIMIT {1}) AS rest"
)
# Queries for `Moment.of`; the last one has a number for its parameter.
MOMENT = {
    "postgresql": (*_NEWEST_OF_BOTH, _NEXT.format("string_agg", LOOKED_AT_ONCE)),
    "sqlite": (*_NEWEST_OF_BOTH, _NEXT.format("group_concat", LOOKED_AT_ONCE)),
}


def newest_numbers(connection: sa.Connection) -> tuple[int, int]:
    """The numbers of the newest change of the catalogue, and of a single video."""
    of_all, of_one = read_row(connection, _BOTH)
    return of_all or 0, of_one or 0


class NextChanges(NamedTuple):
    """Some changes of videos that follow each other.

    Attributes:
        seq: The number of the last one; where there is none, that of the one before.
        video_ids: The affected videos, without repetition.
        is_rest: Whether the log is known to have ended with them.
    """

    seq: int
    video_ids: Sequence[int]
    is_rest: bool


def changes_after(connection: sa.Connection, seq: int, limit: int) -> NextChanges | None:
    """The next changes after `seq`; None if the log has lost what followed or demands a rebuild."""
    statement = sa.select(SEQ, video_change.c.video_id).where(seq < SEQ).order_by(SEQ).limit(limit)
    rows = connection.execute(statement).all()
    if not rows:
        # A log that ends earlier is a different one: an older database was restored. One that goes
        # on has done so since the statement above.
        newest = newest_number(connection)
        return None if newest < seq else NextChanges(seq, (), is_rest=newest == seq)
    ids = {row.video_id for row in rows}
    if ALL_VIDEOS in ids:
        return None
    if (
        rows[0].seq > seq + 1
        # Or larger: more may have been pruned since the statement above.
        and (connection.execute(sa.select(sa.func.min(SEQ))).scalar() or 0) >= rows[0].seq
    ):
        return None  # What preceded was pruned, or nobody can tell that it was not.
    return NextChanges(rows[-1].seq, sorted(ids), is_rest=len(rows) < limit)


class VideoLog(Protocol):
    """The log of videos: as it is (this module), or as of one moment."""

    def newest_number(self, connection: sa.Connection) -> int:
        """The number of the newest change of a video."""

    def newest_numbers(self, connection: sa.Connection) -> tuple[int, int]:
        """The numbers of the newest change of the catalogue, and of a single video."""

    def changes_after(self, connection: sa.Connection, seq: int, limit: int) -> NextChanges | None:
        """The next changes after `seq`; None if the log cannot tell."""


class Moment(NamedTuple):
    """The log as of one moment: whoever follows it from `since` need not ask again, unless more
    than `LOOKED_AT_ONCE` changes came.

    Attributes:
        of_catalogue: Number of the catalogue's newest change.
        of_videos: Number of the newest change of a video.
        since: Number after which it was asked for changes.
        following: All changes since, if there are any; None where the log must be asked for them.
    """

    of_catalogue: int
    of_videos: int
    since: int
    following: NextChanges | None

    @classmethod
    def of(
        cls, since: int, of_catalogue: int | None, of_videos: int | None, pairs: str | None
    ) -> Moment:
        """What the queries `MOMENT` found.

        Args:
            pairs: The next changes: a number and a video each, in any order.
        """
        newest = of_videos or 0
        numbers = [int(one) for one in (pairs or "").split()]
        seqs, ids = numbers[::2], set(numbers[1::2])
        following = None
        # A number that is missing was pruned, or belongs to what was never committed.
        if seqs and (min(seqs), max(seqs)) == (since + 1, newest) and ALL_VIDEOS not in ids:
            following = NextChanges(newest, sorted(ids), is_rest=True)
        return cls(of_catalogue or 0, newest, since, following)

    @property
    def newest(self) -> tuple[int, int]:
        """The numbers of the newest change of the catalogue, and of a single video."""
        return self.of_catalogue, self.of_videos

    def newest_number(self, _connection: sa.Connection) -> int:
        """The number of the newest change of a video."""
        return self.of_videos

    def newest_numbers(self, _connection: sa.Connection) -> tuple[int, int]:
        """The numbers of the newest change of the catalogue, and of a single video."""
        return self.newest

    def changes_after(self, connection: sa.Connection, seq: int, limit: int) -> NextChanges | None:
        """The next changes after `seq`, from the log itself where they are not known."""
        if seq == self.since and self.following is not None:
            return self.following
        if seq == self.of_videos:
            return NextChanges(seq, (), is_rest=True)
        return changes_after(connection, seq, limit)


def prune_changes(connection: sa.Connection, until: int) -> bool:
    """Remove the oldest changes up to a number, in batches. The newest always stay.

    Args:
        until: What was the newest number so long ago that whoever has not followed it rebuilds.

    Returns:
        Whether more remain to be removed.
    """
    surplus = min(until, newest_number(connection) - KEPT_AT_LEAST)
    oldest = connection.execute(sa.select(sa.func.min(SEQ))).scalar() or 0
    if oldest > surplus:
        return False
    until = min(surplus, oldest + PRUNED_AT_ONCE - 1)
    connection.execute(sa.delete(video_change).where(until >= SEQ))
    return until < surplus
