"""Statements of topics. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.core.catalogue.queries import listing
from liuying.core.catalogue.queries.gating import IS_GATED
from liuying.core.catalogue.rules import SHARE_CATEGORY
from liuying.core.catalogue.tables import category, video
from liuying.features.topics.tables import topic, topic_video
from liuying.kit.database import AnyRow
from liuying.kit.paging import PageRequest
from liuying.kit.rows import insert_row


def all_topics(connection: sa.Connection) -> list[sa.RowMapping]:
    """Every topic in the operator's order, with the number of its `videos`, listed or not."""
    return list(connection.execute(_counted_topics()).mappings())


def topic_row(connection: sa.Connection, topic_id: int) -> sa.RowMapping:
    """One topic, as in `all_topics`."""
    statement = _counted_topics().where(topic.c.id == topic_id)
    return connection.execute(statement).mappings().one()


def _counted_topics() -> sa.Select[tuple[object, ...]]:
    return (
        sa.select(topic, sa.func.count(topic_video.c.video_id).label("videos"))
        .outerjoin(topic_video)
        # The others depend on the number; a picture (JSON) cannot be grouped by.
        .group_by(topic.c.id)
        .order_by(topic.c.position, topic.c.id)
    )


def topic_id_of(connection: sa.Connection, title: str) -> int | None:
    """The id of the topic with this title; None if there is none."""
    return connection.execute(sa.select(topic.c.id).where(topic.c.title == title)).scalar()


def videos_of_topic(connection: sa.Connection, topic_id: int) -> Sequence[AnyRow]:
    """Id and title of a topic's videos in the operator's order, listed or not."""
    statement = (
        sa.select(video.c.id, video.c.title)
        .join(topic_video, topic_video.c.video_id == video.c.id)
        .where(topic_video.c.topic_id == topic_id)
        .order_by(topic_video.c.position, video.c.id)
    )
    return connection.execute(statement).all()


def shown_topics(connection: sa.Connection) -> Sequence[AnyRow]:
    """Id, title, intro, picture and number of listed videos of the topics that have any."""
    count = sa.func.count().label("video_count")
    statement = (
        sa.select(topic.c.id, topic.c.title, topic.c.intro, topic.c.image, count)
        .join(topic_video, topic_video.c.topic_id == topic.c.id)
        .join(video, video.c.id == topic_video.c.video_id)
        .where(listing.LISTED_AMONG)
        .group_by(topic.c.id)
        .order_by(topic.c.position, topic.c.id)
    )
    return connection.execute(statement).all()


def leading_videos(connection: sa.Connection) -> dict[int, int]:
    """The first listed video of each topic that is neither locked nor gated: its cover represents
    the topic.
    """
    place = sa.func.row_number().over(
        partition_by=topic_video.c.topic_id, order_by=(topic_video.c.position, video.c.id)
    )
    placed = (
        sa.select(topic_video.c.topic_id, video.c.id.label("video_id"), place.label("place"))
        .join(video, video.c.id == topic_video.c.video_id)
        .join(category, category.c.id == video.c.category_id)
        .where(listing.LISTED_AMONG, video.c.category_id != SHARE_CATEGORY, sa.not_(IS_GATED))
        .subquery()
    )
    statement = sa.select(placed.c.topic_id, placed.c.video_id).where(placed.c.place == 1)
    return {row.topic_id: row.video_id for row in connection.execute(statement)}


def topic_exists(connection: sa.Connection, topic_id: int) -> bool:
    """Whether a topic with this id exists, with videos or without."""
    statement = sa.select(topic.c.id).where(topic.c.id == topic_id)
    return connection.execute(statement).first() is not None


def listed_videos(
    connection: sa.Connection, topic_id: int, request: PageRequest
) -> tuple[list[int], int]:
    """Ids of one page of a topic's listed videos in the operator's order, and the total."""
    of_topic = (
        sa.select(video.c.id)
        .join(topic_video, topic_video.c.video_id == video.c.id)
        .where(listing.LISTED_AMONG, topic_video.c.topic_id == topic_id)
    )
    page = (
        of_topic.order_by(topic_video.c.position, video.c.id)
        .offset(request.offset)
        .limit(request.per_page)
    )
    total = sa.select(sa.func.count()).select_from(of_topic.subquery())
    ids = list(connection.execute(page).scalars())
    return ids, connection.execute(total).scalar_one()


def get_or_create_topic(connection: sa.Connection, title: str) -> int:
    """The id of the topic with this title."""
    found = topic_id_of(connection, title)
    return insert_row(connection, topic, {"title": title}) if found is None else found


def replace_videos(connection: sa.Connection, topic_id: int, video_ids: Sequence[int]) -> None:
    """Replace a topic's videos, in order.

    Raises:
        sqlalchemy.exc.IntegrityError: One of them does not exist.
    """
    connection.execute(sa.delete(topic_video).where(topic_video.c.topic_id == topic_id))
    rows = [
        {"topic_id": topic_id, "video_id": video_id, "position": place}
        for place, video_id in enumerate(video_ids)
    ]
    if rows:
        connection.execute(sa.insert(topic_video), rows)


def delete_topic(connection: sa.Connection, title: str) -> bool:
    """Delete the topic with this title; returns whether it existed."""
    statement = sa.delete(topic).where(topic.c.title == title).returning(topic.c.id)
    return connection.execute(statement).first() is not None
