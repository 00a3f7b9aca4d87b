"""Calls of notices (specification §7)."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency

from liuying.features.notices import service
from liuying.features.notices.schemas import NoticeView
from liuying.kit.changes import CacheTopic
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.paging import PageRequest
from liuying.kit.responses import INVALID, PageNumber, cached


@get(
    "/api/sysnotice",
    sync_to_thread=True,
    # Their windows begin and end without a change.
    opt=cached(CacheTopic.NOTICES, lifetime=30),
    responses=INVALID,
    operation_id="listNotices",
    tags=["notices"],
)
def get_notices(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    page_size: NamedDependency[int],
    page: PageNumber = 1,
) -> Envelope[Page[NoticeView]]:
    """Notices whose time it is, newest first."""
    with database.read() as connection:
        return Envelope(service.list_notices(connection, PageRequest(page, page_size), clock()))


ROUTES = [get_notices]
