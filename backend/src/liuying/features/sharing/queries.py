"""Statements of shares and of the networks that visited them. Each runs inside the caller's
transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import sqlalchemy as sa

from liuying.core.catalogue.share_ids import ShareId
from liuying.features.sharing.rules import PERIOD, UNLOCK_COUNT
from liuying.features.sharing.tables import share, share_visit
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow

# The visits that count for a share: those with a row, and those whose rows were pruned.
COUNT = share.c.settled + (
    sa.select(sa.func.count())
    .where(share_visit.c.share_id == share.c.id, share_visit.c.is_sharer.is_(sa.false()))
    .correlate(share)
    .scalar_subquery()
)
_COUNTED = sa.select(share, COUNT.label("visits"))


def share_by_link(connection: sa.Connection, share_id: ShareId) -> AnyRow | None:
    """The share behind a link, with its number of `visits`."""
    condition = (share.c.video_id == share_id.video_id, share.c.sharer == share_id.sharer)
    return connection.execute(_COUNTED.where(*condition)).first()


def share_of(connection: sa.Connection, visitor_id: int, video_id: int) -> AnyRow | None:
    """A visitor's share of a video, with its number of `visits`."""
    condition = (share.c.visitor_id == visitor_id, share.c.video_id == video_id)
    return connection.execute(_COUNTED.where(*condition)).first()


def newest_shares(connection: sa.Connection, visitor_id: int, limit: int) -> Sequence[AnyRow]:
    """A visitor's shares with their `visits`, newest first."""
    of_visitor = _COUNTED.where(share.c.visitor_id == visitor_id)
    statement = of_visitor.order_by(share.c.created_at.desc(), share.c.id.desc()).limit(limit)
    return connection.execute(statement).all()


def unlocked_ids(
    connection: sa.Connection, visitor_id: int, video_ids: Collection[int]
) -> set[int]:
    """Those of `video_ids` whose link from this visitor was opened from enough other networks."""
    statement = sa.select(share.c.video_id).where(
        share.c.visitor_id == visitor_id, share.c.video_id.in_(video_ids), COUNT >= UNLOCK_COUNT
    )
    return set(connection.execute(statement).scalars())


def has_shares(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has ever shared a video."""
    statement = sa.select(sa.exists().where(share.c.visitor_id == visitor_id))
    return bool(connection.execute(statement).scalar())


def lock_share(connection: sa.Connection, share_number: int) -> None:
    """Record networks of this share one transaction at a time."""
    connection.execute(sa.select(share.c.id).where(share.c.id == share_number).with_for_update())


def visited_since(
    connection: sa.Connection, share_number: int, network_hash: str, since: Milliseconds
) -> bool:
    """Whether a network visited a share after `since`."""
    statement = sa.select(share_visit.c.share_id).where(
        share_visit.c.share_id == share_number,
        share_visit.c.network_hash == network_hash,
        share_visit.c.seen_at > since,
    )
    return connection.execute(statement).first() is not None


def prune_visits(connection: sa.Connection, now: Milliseconds) -> int:
    """Delete networks seen over 30 days ago; the counts stay.

    Returns:
        How many were deleted.
    """
    statement = sa.delete(share_visit).where(share_visit.c.seen_at <= now - PERIOD)
    gone = connection.execute(
        statement.returning(share_visit.c.share_id, share_visit.c.is_sharer)
    ).all()
    counted = Counter(row.share_id for row in gone if not row.is_sharer)
    for number, visits in sorted(counted.items()):
        connection.execute(
            sa.update(share).where(share.c.id == number).values(settled=share.c.settled + visits)
        )
    return len(gone)
