"""The call of the page of what was removed."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency

from liuying.features.removals import service
from liuying.features.removals.schemas import RemovalView
from liuying.kit.changes import CacheTopic
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.paging import PageRequest
from liuying.kit.responses import INVALID, MISSING, PageNumber, cached


@get(
    service.PATH,
    sync_to_thread=True,
    opt=cached(CacheTopic.CATALOGUE, CacheTopic.CONFIG),
    responses=INVALID | MISSING,
    operation_id="listRemovals",
    tags=["removals"],
)
def get_removals(
    database: NamedDependency[Database], page_size: NamedDependency[int], page: PageNumber = 1
) -> Envelope[Page[RemovalView]]:
    """What was taken down and why; 404 where the operator does not tell."""
    with database.read() as connection:
        return Envelope(service.list_removals(connection, PageRequest(page, page_size)))


ROUTES = [get_removals]
