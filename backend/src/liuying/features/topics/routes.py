"""Topics: collections of videos arranged by the operator (docs/product.md#wire,
docs/product.md#operator).
"""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.schemas import VideoItem, as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.topics import queries, service
from liuying.features.topics.schemas import TopicView
from liuying.kit.changes import CacheTopic
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.errors import NotFoundError
from liuying.kit.paging import PageRequest, page_of
from liuying.kit.responses import INVALID, MISSING, PageNumber, PathIdentifier, cached

CACHED = cached(CacheTopic.CATALOGUE)
CACHED_VIDEOS = cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS)


@get("/api/topics", sync_to_thread=True, opt=CACHED, operation_id="listTopics", tags=["topics"])
def get_topics(
    database: NamedDependency[Database], sort_index: NamedDependency[SortIndex]
) -> Envelope[list[TopicView]]:
    """The topics in the operator's order, without empty ones."""
    with database.read() as connection:
        return Envelope(service.list_topics(connection, sort_index))


@get(
    "/api/videotopic/{topic_id:int}",
    sync_to_thread=True,
    opt=CACHED_VIDEOS,
    responses=INVALID | MISSING,
    operation_id="listTopicVideos",
    tags=["topics"],
)
def get_topic_videos(
    database: NamedDependency[Database],
    page_size: NamedDependency[int],
    sort_index: NamedDependency[SortIndex],
    topic_id: PathIdentifier,
    page: PageNumber = 1,
) -> Envelope[Page[VideoItem]]:
    """One page of a topic's videos, in the operator's order."""
    request = PageRequest(page, page_size)
    with database.read() as connection:
        if not queries.topic_exists(connection, topic_id):
            raise NotFoundError
        ids, total = queries.listed_videos(connection, topic_id, request)
        items = catalogue.listed_by_id(connection, sort_index, ids)
    return Envelope(as_sent(page_of(items, total, request, f"/api/videotopic/{topic_id}")))


ROUTES = [get_topics, get_topic_videos]
