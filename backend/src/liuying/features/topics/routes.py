"""Topics: collections of videos that the operator puts together (docs/product.md#wire,
docs/product.md#operator).
"""

from __future__ import annotations

import sqlalchemy as sa
from litestar import get
from litestar.di import NamedDependency

from liuying.core.catalogue import queries
from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.schemas import VideoItem, as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.tables import video
from liuying.features.topics.schemas import TopicView
from liuying.features.topics.tables import topic, topic_video
from liuying.kit.changes import CacheTopic
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope, Page
from liuying.kit.errors import NotFoundError
from liuying.kit.paging import PageRequest, page_of
from liuying.kit.responses import INVALID, MISSING, PageNumber, PathIdentifier, cached

KEPT = cached(CacheTopic.CATALOGUE)
CACHED_VIDEOS = cached(CacheTopic.CATALOGUE, CacheTopic.VIEWS)


@get("/api/topics", sync_to_thread=True, opt=KEPT, operation_id="listTopics", tags=["topics"])
def get_topics(database: NamedDependency[Database]) -> Envelope[list[TopicView]]:
    """The operator's topics, in the operator's order; an empty one is left out."""
    count = sa.func.count().label("video_count")
    statement = (
        sa.select(topic.c.id, topic.c.title, topic.c.intro, count)
        .join(topic_video, topic_video.c.topic_id == topic.c.id)
        .join(video, video.c.id == topic_video.c.video_id)
        .where(queries.LISTED)
        .group_by(topic.c.id, topic.c.title, topic.c.intro, topic.c.position)
        .order_by(topic.c.position, topic.c.id)
    )
    with database.read() as connection:
        rows = connection.execute(statement).all()
    return Envelope([TopicView(row.id, row.title, row.intro, row.video_count) for row in rows])


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
    """A page of a topic's videos, in the operator's order."""
    request = PageRequest(page, page_size)
    there = sa.and_(queries.LISTED, topic_video.c.topic_id == topic_id)
    chosen = (
        sa.select(video.c.id).join(topic_video, topic_video.c.video_id == video.c.id).where(there)
    )
    ordered = (
        chosen.order_by(topic_video.c.position, video.c.id)
        .offset(request.offset)
        .limit(request.per_page)
    )
    with database.read() as connection:
        if connection.execute(sa.select(topic.c.id).where(topic.c.id == topic_id)).first() is None:
            raise NotFoundError
        total = connection.execute(
            sa.select(sa.func.count()).select_from(chosen.subquery())
        ).scalar_one()
        ids = list(connection.execute(ordered).scalars())
        items = catalogue.listed_by_id(connection, sort_index, ids)
    return Envelope(as_sent(page_of(items, total, request, f"/api/videotopic/{topic_id}")))


ROUTES = [get_topics, get_topic_videos]
