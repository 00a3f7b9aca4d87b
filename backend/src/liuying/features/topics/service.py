"""Reading and writing topics. Each function runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.schemas import image_from_json
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.topics import queries
from liuying.features.topics.schemas import TopicView
from liuying.features.topics.tables import topic
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.images import EncryptedImage
from liuying.kit.rows import update_row
from liuying.kit.texts import optional_text, required_text

TITLE_LENGTH, INTRO_LENGTH = 80, 400
# Pixels of a picture of its own: on home it is a card, at a desk as wide as a cover.
PICTURE_WIDTH = 1280


def list_topics(connection: sa.Connection, orders: SortIndex) -> list[TopicView]:
    """The topics with listed videos, in the operator's order."""
    leading = queries.leading_videos(connection)
    items = catalogue.items_by_id(connection, orders, list(leading.values()))
    covers = {item.id: item.cover for item in items}
    return [
        TopicView(
            id=row.id,
            title=row.title,
            intro=row.intro,
            video_count=row.video_count,
            cover=image_from_json(row.image)
            if row.image
            else covers.get(leading.get(row.id, 0), EncryptedImage()),
        )
        for row in queries.shown_topics(connection)
    ]


def set_topic(
    connection: sa.Connection,
    title: str,
    intro: str | None,
    video_ids: Sequence[int] | None,
    position: int | None,
    image: EncryptedImage | msgspec.UnsetType | None = msgspec.UNSET,
) -> int:
    """Create a topic, or change the one with the same title; returns its id.

    Args:
        intro: None leaves it unchanged.
        video_ids: In order; None leaves them unchanged.
        position: Its position among topics; None leaves it unchanged.
        image: UNSET leaves it unchanged; with None its first video's cover stands for it.

    Raises:
        InvalidInputError: A text is invalid, or a video does not exist.
    """
    title = required_text("标题", title, TITLE_LENGTH, "title")
    topic_id = queries.get_or_create_topic(connection, title)
    values: dict[str, object] = {}
    if intro is not None:
        values["intro"] = optional_text("简介", intro, INTRO_LENGTH, "intro")
    if position is not None:
        values["position"] = position
    if image is not msgspec.UNSET:
        values["image"] = None if image is None else msgspec.to_builtins(image)
    update_row(connection, topic, topic_id, values)
    if video_ids is not None:
        try:
            queries.replace_videos(connection, topic_id, list(dict.fromkeys(video_ids)))
        except sa.exc.IntegrityError as error:
            raise InvalidInputError("其中有不存在的视频编号", "videos") from error
    record_change(connection, CacheTopic.CATALOGUE)
    return topic_id


def rename_topic(connection: sa.Connection, topic_id: int, title: str) -> None:
    """Give a topic another title.

    Raises:
        InvalidInputError: The title is invalid, or another topic has it.
        NotFoundError: No such topic.
    """
    title = required_text("标题", title, TITLE_LENGTH, "title")
    if queries.topic_id_of(connection, title) not in {None, topic_id}:
        raise InvalidInputError(f"专题「{title}」已存在", "title")
    if not update_row(connection, topic, topic_id, {"title": title}):
        raise NotFoundError(f"没有编号为 {topic_id} 的专题")
    record_change(connection, CacheTopic.CATALOGUE)


def remove_topic(connection: sa.Connection, title: str) -> None:
    """Remove a topic; its videos stay.

    Raises:
        NotFoundError: No such topic.
    """
    if not queries.delete_topic(connection, title):
        raise NotFoundError(f"没有名为「{title}」的专题")
    record_change(connection, CacheTopic.CATALOGUE)
