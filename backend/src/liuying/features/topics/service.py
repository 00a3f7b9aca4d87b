"""Writing topics. Each function works inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.topics.tables import topic, topic_video
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.texts import optional_text, required_text

TITLE_LENGTH, INTRO_LENGTH = 80, 400


def set_topic(
    connection: sa.Connection,
    title: str,
    intro: str | None,
    video_ids: Sequence[int] | None,
    position: int | None,
) -> int:
    """Write a topic, or change what is said of the one of this title; returns its id.

    Args:
        intro: None leaves it.
        video_ids: In order; None leaves them.
        position: Its place among topics; None leaves it.

    Raises:
        InvalidInputError: A text breaks its rule, or a video does not exist.
    """
    title = required_text("标题", title, TITLE_LENGTH)
    topic_id = connection.execute(sa.select(topic.c.id).where(topic.c.title == title)).scalar()
    if topic_id is None:
        topic_id = connection.execute(
            sa.insert(topic).values(title=title).returning(topic.c.id)
        ).scalar_one()
    values: dict[str, object] = {}
    if intro is not None:
        values["intro"] = optional_text("简介", intro, INTRO_LENGTH)
    if position is not None:
        values["position"] = position
    if values:
        connection.execute(sa.update(topic).where(topic.c.id == topic_id).values(**values))
    if video_ids is not None:
        connection.execute(sa.delete(topic_video).where(topic_video.c.topic_id == topic_id))
        rows = [
            {"topic_id": topic_id, "video_id": video_id, "position": place}
            for place, video_id in enumerate(dict.fromkeys(video_ids))
        ]
        try:
            if rows:
                connection.execute(sa.insert(topic_video), rows)
        except sa.exc.IntegrityError as error:
            raise InvalidInputError("其中有不存在的视频编号") from error
    record_change(connection, CacheTopic.CATALOGUE)
    return int(topic_id)


def remove_topic(connection: sa.Connection, title: str) -> None:
    """Remove a topic; its videos stay.

    Raises:
        NotFoundError: There is no such topic.
    """
    if (
        connection.execute(
            sa.delete(topic).where(topic.c.title == title).returning(topic.c.id)
        ).first()
        is None
    ):
        raise NotFoundError(f"没有名为「{title}」的专题")
    record_change(connection, CacheTopic.CATALOGUE)
