"""Calls of notices (specification §7)."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency

from liuying.features.notices import service
from liuying.features.notices.schemas import NoticeView
from liuying.kit.changes import CacheTopic
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.paging import PageRequest
from liuying.kit.responses import INVALID, PageNumber, cached


@get(
    "/api/sysnotice",
    sync_to_thread=True,
    opt=cached(CacheTopic.NOTICES),
    responses=INVALID,
    operation_id="listNotices",
    tags=["notices"],
)
def get_notices(
    database: NamedDependency[Database], page_size: NamedDependency[int], page: PageNumber = 1
) -> Envelope[Page[NoticeView]]:
    """Notices, newest first."""
    with database.read() as connection:
        return Envelope(service.list_notices(connection, PageRequest(page, page_size)))


ROUTES = [get_notices]
