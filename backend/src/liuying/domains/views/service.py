"""Counting views and play health. Each function works inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from liuying.domains.views.rules import KEPT_MS, hour_of
from liuying.domains.views.schemas import PlayEvent
from liuying.domains.views.tables import play_health, view_hour, view_mark, view_pending
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Milliseconds, day_number
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes

# A mark of the last hour may still be met by a clock that stands a little behind.
MARKS_KEPT_HOURS = 2


def count_view(
    connection: sa.Connection,
    hashes: KeyedHashes,
    viewer: str,
    video_id: int,
    now: Milliseconds,
    is_allowed: Callable[[], bool] = lambda: True,
) -> bool:
    """Count a view, once a viewer, video and hour.

    Args:
        viewer: The data code, or the network of a client without one.
        is_allowed: Asked about a view that is new: whether the viewer's network may add another.

    Returns:
        Whether it counted.
    """
    hour = hour_of(now)
    mark = hashes.digest("view", viewer, video_id, hour).hex()
    # Only the one that wrote the mark goes on: two requests at once count once.
    if not insert_if_absent(connection, view_mark, {"mark": mark, "hour": hour}) or not is_allowed():
        return False
    add_views(connection, video_id, hour, 1)
    _add(connection, view_pending, {"video_id": video_id}, {"views": 1})
    return True


def add_views(connection: sa.Connection, video_id: int, hour: int, views: int) -> None:
    """Put views into an hour's bucket."""
    _add(connection, view_hour, {"hour": hour, "video_id": video_id}, {"views": views})


def note_health(
    connection: sa.Connection, hashes: KeyedHashes, network: ClientNetwork, event: PlayEvent, now: Milliseconds
) -> bool:
    """Add a report to the day's sums of a video; a failure once a network, video and hour.

    Whoever reports failures at will cannot make a video look bad that plays for others (threats 27).

    Returns:
        Whether it counted.
    """
    if event.event == "error":
        hour = hour_of(now)
        mark = hashes.digest("failure", network, event.id, hour).hex()
        if not insert_if_absent(connection, view_mark, {"mark": mark, "hour": hour}):
            return False
    counts = {
        "starts": int(event.event == "start"),
        "start_ms": event.wait if event.event == "start" else 0,
        "stalls": int(event.event == "stall"),
        "failures": int(event.event == "error"),
    }
    _add(connection, play_health, {"day": day_number(now), "video_id": event.id}, counts)
    return True


def take_pending(connection: sa.Connection) -> dict[int, int]:
    """The views that wait to be added to their videos, by video; they count as taken when the caller commits."""
    rows = connection.execute(sa.delete(view_pending).returning(view_pending.c.video_id, view_pending.c.views))
    return {row.video_id: row.views for row in rows}


def forget_old(connection: sa.Connection, now: Milliseconds) -> None:
    """Remove marks and buckets that no rank needs any more."""
    connection.execute(sa.delete(view_mark).where(view_mark.c.hour <= hour_of(now) - MARKS_KEPT_HOURS))
    connection.execute(sa.delete(view_hour).where(view_hour.c.hour < hour_of(now - KEPT_MS)))


def _add(connection: sa.Connection, table: sa.Table, key: dict[str, int], counts: dict[str, int]) -> None:
    """Add numbers to a row that may not be there yet, in one statement."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(table).values(**key, **counts)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=list(key), set_={name: table.c[name] + statement.excluded[name] for name in counts}
        )
    )
