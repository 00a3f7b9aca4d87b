"""Changing the data code (specification §6): several nouns know whether a code is in use."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.visitors import service
from liuying.features.favourites.queries import has_favourites
from liuying.features.sharing.queries import has_shares
from liuying.kit.clock import Milliseconds
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.visitor_code import VisitorCode


def change_code(
    connection: sa.Connection,
    hashes: KeyedHashes,
    current: VisitorCode,
    new: VisitorCode,
    now: Milliseconds,
) -> int:
    """Let a visitor use another code, joining its data if it has any.

    Returns:
        Number of changes left within 24 hours.

    Raises:
        TooManyRequestsError: Both changes of the last 24 hours are used up.
    """
    return service.change_code(connection, hashes, current, new, now, holds_data)


def holds_data(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has anything that must not be lost."""
    return has_favourites(connection, visitor_id) or has_shares(connection, visitor_id)
