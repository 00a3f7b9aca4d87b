"""Share links and their visits.

A network counts once per share as long as it is remembered, at most 30 days; the count itself
stays.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.share_ids import ShareId
from liuying.features.sharing import queries
from liuying.features.sharing.rules import PERIOD, UNLOCK_COUNT, period_of, sharer_of
from liuying.features.sharing.tables import share, share_visit
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.errors import NotFoundError
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes

MAX_LISTED = 200
PURPOSE = "share"


class Share(msgspec.Struct, frozen=True):
    """A visitor's share of a video.

    Attributes:
        id: Its number.
        share_id: The contents of its link.
        visitor_id: The sharer.
        count: Number of networks that visited it.
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
    """A visitor's share of a video, created if new. The sharer's network will not count."""
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
    """The share behind a link.

    Raises:
        NotFoundError: It does not exist.
    """
    row = queries.share_by_link(connection, share_id)
    if row is None:
        raise NotFoundError
    return _share(row)


def find_share_of(connection: sa.Connection, visitor_id: int, video_id: int) -> Share | None:
    """A visitor's share of a video; None if there is none."""
    row = queries.share_of(connection, visitor_id, video_id)
    return None if row is None else _share(row)


def list_shares(connection: sa.Connection, visitor_id: int) -> Sequence[Share]:
    """A visitor's shares, newest first, at most 200."""
    return [_share(row) for row in queries.newest_shares(connection, visitor_id, MAX_LISTED)]


def count_visit(
    connection: sa.Connection,
    hashes: KeyedHashes,
    share_id: ShareId,
    network: ClientNetwork,
    now: Milliseconds,
    visitor_id: int | None = None,
) -> int:
    """Count a network's visit unless it was counted before or is the sharer's.

    Args:
        visitor_id: The visiting visitor, if known: a sharer's own visit marks the network as the
            sharer's.

    Returns:
        Number of networks counted so far.

    Raises:
        NotFoundError: No such share.
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
    """Record a network of a share once. A counted network stays counted: the count never falls."""
    # Around the end of a period, two simultaneous requests could write two hashes of the same
    # network; so one at a time.
    queries.lock_share(connection, share_number)
    current, previous = (hashes.network(PURPOSE, network, period_of(now) - age) for age in (0, 1))
    # A row of the sharer's own network never counts, so it is renewed with each period.
    if is_sharer or not queries.visited_since(connection, share_number, previous, now - PERIOD):
        row = {
            "share_id": share_number,
            "network_hash": current,
            "is_sharer": is_sharer,
            "seen_at": now,
        }
        insert_if_absent(connection, share_visit, row)


def _share(row: AnyRow) -> Share:
    return Share(
        id=row.id,
        share_id=ShareId(row.video_id, row.sharer),
        visitor_id=row.visitor_id,
        count=row.visits,
    )
