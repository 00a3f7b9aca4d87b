"""Share links and the visits that they bring.

A network counts once a share while it is remembered, at most 30 days; what was counted stays
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import msgspec
import sqlalchemy as sa

from liuying.features.sharing.rules import PERIOD, UNLOCK_COUNT, ShareId, period_of, sharer_of
from liuying.features.sharing.tables import share, share_visit
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.errors import NotFoundError
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes

MAX_LISTED = 200
PURPOSE = "share"
# Visits that are counted for a share: those whose rows are there, and those whose rows were pruned.
COUNT = share.c.settled + (
    sa.select(sa.func.count())
    .where(share_visit.c.share_id == share.c.id, share_visit.c.is_sharer.is_(sa.false()))
    .correlate(share)
    .scalar_subquery()
)


class Share(msgspec.Struct, frozen=True):
    """A share of a visitor's.

    Attributes:
        id: Its number.
        share_id: What its link says.
        visitor_id: Who shares.
        count: Networks that visited it.
    """

    id: int
    share_id: ShareId
    visitor_id: int
    count: int

    @property
    def is_unlocked(self) -> bool:
        return self.count >= UNLOCK_COUNT


def make_share(
    connection: sa.Connection,
    hashes: KeyedHashes,
    visitor_id: int,
    video_id: int,
    network: ClientNetwork,
    now: Milliseconds,
) -> Share:
    """The share of a visitor and a video, made where it is new. The sharer's network will not count
    for it.
    """
    values = {
        "video_id": video_id,
        "visitor_id": visitor_id,
        "sharer": sharer_of(hashes, visitor_id, video_id),
        "settled": 0,
        "created_at": now,
    }
    insert_if_absent(connection, share, values)
    found = find_share_of(connection, visitor_id, video_id)
    if found is None:
        raise NotFoundError
    _note_network(connection, hashes, found.id, network, now, is_sharer=True)
    return found


def find_share(connection: sa.Connection, share_id: ShareId) -> Share:
    """The share that a link leads to.

    Raises:
        NotFoundError: There is none.
    """
    condition = sa.and_(share.c.video_id == share_id.video_id, share.c.sharer == share_id.sharer)
    found = _share_where(connection, condition)
    if found is None:
        raise NotFoundError
    return found


def find_share_of(connection: sa.Connection, visitor_id: int, video_id: int) -> Share | None:
    """The share of a visitor and a video; None where the visitor has not shared it."""
    condition = sa.and_(share.c.visitor_id == visitor_id, share.c.video_id == video_id)
    return _share_where(connection, condition)


def list_shares(connection: sa.Connection, visitor_id: int) -> Sequence[Share]:
    """A visitor's shares, the newest first, at most 200."""
    statement = (
        sa.select(share, COUNT.label("visits"))
        .where(share.c.visitor_id == visitor_id)
        .order_by(share.c.created_at.desc(), share.c.id.desc())
        .limit(MAX_LISTED)
    )
    return [_share(row) for row in connection.execute(statement)]


def unlocked_ids(
    connection: sa.Connection, visitor_id: int, video_ids: Collection[int]
) -> set[int]:
    """Those of `video_ids` whose link, shared by this visitor, was opened from enough other
    networks.
    """
    statement = sa.select(share.c.video_id).where(
        share.c.visitor_id == visitor_id, share.c.video_id.in_(video_ids), COUNT >= UNLOCK_COUNT
    )
    return set(connection.execute(statement).scalars())


def has_shares(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has ever shared a video."""
    return bool(
        connection.execute(sa.select(sa.exists().where(share.c.visitor_id == visitor_id))).scalar()
    )


def count_visit(
    connection: sa.Connection,
    hashes: KeyedHashes,
    share_id: ShareId,
    network: ClientNetwork,
    now: Milliseconds,
    visitor_id: int | None = None,
) -> int:
    """Count the visit of a network, unless it was counted before or is the sharer's.

    Args:
        visitor_id: Who visits, where it is known: the sharer's own visit marks the network as the
            sharer's.

    Returns:
        The networks counted so far.

    Raises:
        NotFoundError: There is no such share.
    """
    found = find_share(connection, share_id)
    is_sharer = visitor_id is not None and visitor_id == found.visitor_id
    _note_network(connection, hashes, found.id, network, now, is_sharer=is_sharer)
    return find_share(connection, share_id).count


def _note_network(
    connection: sa.Connection,
    hashes: KeyedHashes,
    share_number: int,
    network: ClientNetwork,
    now: Milliseconds,
    *,
    is_sharer: bool,
) -> None:
    """Remember a network of a share once. One that counted already stays counted: the count never
    falls.
    """
    # Where a period ends, two requests at once could write two different hashes of one network: one
    # at a time.
    connection.execute(sa.select(share.c.id).where(share.c.id == share_number).with_for_update())
    current, previous = (hashes.network(PURPOSE, network, period_of(now) - age) for age in (0, 1))
    is_known = sa.select(share_visit.c.share_id).where(
        share_visit.c.share_id == share_number,
        share_visit.c.network_hash == previous,
        share_visit.c.seen_at > now - PERIOD,
    )
    # A row that says "the sharer's" never counts, so it is renewed with each period.
    if is_sharer or connection.execute(is_known).first() is None:
        row = {
            "share_id": share_number,
            "network_hash": current,
            "is_sharer": is_sharer,
            "seen_at": now,
        }
        insert_if_absent(connection, share_visit, row)


def prune_visits(connection: sa.Connection, now: Milliseconds) -> int:
    """Forget the networks that were seen over 30 days ago; the counts stay as they are.

    Returns:
        How many were forgotten.
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


def _share_where(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> Share | None:
    row = connection.execute(sa.select(share, COUNT.label("visits")).where(condition)).first()
    return None if row is None else _share(row)


def _share(row: AnyRow) -> Share:
    return Share(
        id=row.id,
        share_id=ShareId(row.video_id, row.sharer),
        visitor_id=row.visitor_id,
        count=row.visits,
    )
