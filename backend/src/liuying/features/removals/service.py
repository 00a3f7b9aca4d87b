"""The page of what was removed. Each function works inside the caller's transaction.

It tells of take-downs alone: what the operator puts into the bin for other reasons is nobody's
business, and who reported a video even less.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from liuying.core.playback.queries import tombstones
from liuying.features.removals import queries
from liuying.features.removals.schemas import RemovalView
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import to_iso
from liuying.kit.envelope import Page
from liuying.kit.errors import NotFoundError
from liuying.kit.paging import PageRequest, page_of

PATH = "/api/removals"


class RemovalPage(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator has set.

    Attributes:
        is_shown: Whether there is a page.
        shows_titles: Whether it names the videos.
    """

    is_shown: bool = False
    shows_titles: bool = False


def read_page(connection: sa.Connection) -> RemovalPage:
    """What is set now."""
    row = queries.page_row(connection)
    if row is None:
        return RemovalPage()
    return RemovalPage(is_shown=row.is_shown, shows_titles=row.shows_titles)


def set_page(connection: sa.Connection, page: RemovalPage) -> None:
    """Show the page or not; at once for every process."""
    queries.replace_page(connection, is_shown=page.is_shown, shows_titles=page.shows_titles)
    record_change(connection, CacheTopic.CONFIG)


def list_removals(connection: sa.Connection, request: PageRequest) -> Page[RemovalView]:
    """One page of what was taken down, the latest first.

    Raises:
        NotFoundError: The operator shows no such page.
    """
    page = read_page(connection)
    if not page.is_shown:
        raise NotFoundError
    total = tombstones.count_taken_down(connection)
    data = list_latest(connection, request.offset, request.per_page, with_titles=page.shows_titles)
    return page_of(data, total, request, PATH)


def list_latest(
    connection: sa.Connection, offset: int, limit: int, *, with_titles: bool = True
) -> list[RemovalView]:
    """What was taken down, the latest first, whether the page is shown or not."""
    total = tombstones.count_taken_down(connection)
    return [
        RemovalView(
            number=total - place,
            removed_at=to_iso(row.removed_at),
            reason=row.reason,
            title=row.title if with_titles else None,
        )
        for place, row in enumerate(tombstones.taken_down(connection, offset, limit), offset)
    ]
