"""Calls of search that need no other slice (specification §7)."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency

from liuying.domains.search import service
from liuying.domains.search.schemas import HotGroupView
from liuying.kit.answers import cached
from liuying.kit.changes import Topic
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope


@get("/api/videoSearchHot", sync_to_thread=True, opt=cached(Topic.SEARCH), operation_id="listHotWords", tags=["search"])
def get_hot_words(database: NamedDependency[Database]) -> Envelope[list[HotGroupView]]:
    """Hot words in their groups."""
    with database.read() as connection:
        return Envelope(service.list_hot_groups(connection))


ROUTES = [get_hot_words]
