"""Topics, as `liuying topic`: collections of videos that the operator puts together."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from litestar import delete, get, post, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    PICTURE_BODY_BYTES,
    REFUSED,
    Line,
    Number,
    OrderBody,
    Picture,
    Revision,
    changing,
    differences,
    place_behind,
    require_revision,
    require_same_rows,
    revision_of,
    stored_picture,
)
from liuying.console.content.picture_routes import PictureView, picture_view
from liuying.console.given import GivenActor, GivenServices
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.features.topics import queries
from liuying.features.topics import service as topics
from liuying.features.topics.tables import topic
from liuying.installation.services import Services
from liuying.installation.site_address import site_address
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.images import EncryptedImage
from liuying.kit.responses import UNAUTHORIZED, PathIdentifier
from liuying.kit.rows import require_row
from liuying.kit.texts import clean_text

MOST_VIDEOS = 500
Videos = Annotated[list[Number], msgspec.Meta(max_length=MOST_VIDEOS)]


class TopicVideo(msgspec.Struct, frozen=True):
    """A video of a topic."""

    id: int
    title: str


class TopicItem(msgspec.Struct, frozen=True, kw_only=True):
    """A topic; without videos that visitors see it is shown nowhere.

    Attributes:
        videos: In their order, listed or not.
        picture: Its own; without it its first video's cover stands for it.
        revision: Names this state of it, for whoever changes it.
    """

    id: int
    title: str
    intro: str
    videos: list[TopicVideo]
    picture: PictureView | None
    revision: str


class TopicsView(msgspec.Struct, frozen=True):
    """The topics in order; `site` is the site's address, empty where it is not set."""

    topics: list[TopicItem]
    site: str


class TopicBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A topic as it is to be.

    Attributes:
        videos: Numbers, in order.
        image: Its picture; without it the one that it has stays.
        removes_image: Whether the one that it has is taken away.
        revision: The state that the operator saw; empty for a new one.
    """

    title: Line
    intro: Line
    videos: Videos
    image: Picture | None = None
    removes_image: bool = False
    revision: Revision = ""


@get(
    "/api/topics",
    sync_to_thread=True,
    summary="Topics",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_topics(services: GivenServices) -> Envelope[TopicsView]:
    """In their order."""
    with services.database.read() as connection:
        found = [_view(connection, row) for row in queries.all_topics(connection)]
        return Envelope(TopicsView(found, site_address(services, connection)))


@post(
    "/api/topics",
    status_code=200,
    sync_to_thread=True,
    summary="Add a topic",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def add_topic(
    data: JSONBody[TopicBody], services: GivenServices, actor: GivenActor
) -> Envelope[TopicItem]:
    """As `liuying topic set`, behind the others."""
    image = _image(services, data)
    entry = Entry("topic.add", f"专题 {data.title}", None, _told(data))
    with changing(services, actor, entry) as connection:
        title = clean_text(data.title)
        if queries.topic_id_of(connection, title) is not None:
            raise InvalidInputError(f"专题「{title}」已存在", "title")
        place = place_behind(row["position"] for row in queries.all_topics(connection))
        number = topics.set_topic(connection, title, data.intro, data.videos, place, image)
        return Envelope(_view(connection, queries.topic_row(connection, number)))


@put(
    "/api/topics/{topic_id:int}",
    sync_to_thread=True,
    summary="Change a topic",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def edit_topic(
    topic_id: PathIdentifier,
    data: JSONBody[TopicBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[TopicItem]:
    """As `liuying topic set`."""
    image = _image(services, data)
    before, after = differences(_known(services, topic_id), _told(data))
    entry = Entry("topic.edit", f"专题 {topic_id} {data.title}", before, after)
    with changing(services, actor, entry) as connection:
        require_row(connection, topic, topic_id, "专题")
        found = _view(connection, queries.topic_row(connection, topic_id))
        require_revision(found.revision, data.revision)
        topics.rename_topic(connection, topic_id, data.title)
        title = queries.topic_row(connection, topic_id)["title"]
        topics.set_topic(connection, title, data.intro, data.videos, None, image)
        return Envelope(_view(connection, queries.topic_row(connection, topic_id)))


@delete(
    "/api/topics/{topic_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete a topic",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_topic(
    topic_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying topic remove`: its videos stay."""
    known = _known(services, topic_id)
    entry = Entry("topic.remove", f"专题 {topic_id} {known['title']}", known)
    with changing(services, actor, entry) as connection:
        require_row(connection, topic, topic_id, "专题")
        topics.remove_topic(connection, queries.topic_row(connection, topic_id)["title"])
    return Envelope(None)


@post(
    "/api/topics/order",
    status_code=200,
    sync_to_thread=True,
    summary="Order the topics",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def order_topics(
    data: JSONBody[OrderBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying topic set --position` for each."""
    with changing(
        services, actor, Entry("topic.order", "专题", None, {"order": data.ids})
    ) as connection:
        titles = {row["id"]: row["title"] for row in queries.all_topics(connection)}
        require_same_rows(titles, data.ids)
        for place, number in enumerate(data.ids):
            topics.set_topic(connection, titles[number], None, None, place)
    return Envelope(None)


def _image(services: Services, data: TopicBody) -> EncryptedImage | msgspec.UnsetType | None:
    picture = stored_picture(services, data.image, topics.PICTURE_WIDTH)
    if picture is not None:
        return picture
    return None if data.removes_image else msgspec.UNSET


def _told(data: TopicBody) -> dict[str, Any]:
    picture = {"image": "新图片"} if data.image else {"image": None} if data.removes_image else {}
    return {"title": data.title, "intro": data.intro, "videos": data.videos, **picture}


def _known(services: Services, topic_id: int) -> dict[str, Any]:
    with services.database.read() as connection:
        require_row(connection, topic, topic_id, "专题")
        view = _view(connection, queries.topic_row(connection, topic_id))
    return {
        "title": view.title,
        "intro": view.intro,
        "videos": [one.id for one in view.videos],
        "image": view.picture and view.picture.url,
    }


def _view(connection: sa.Connection, row: sa.RowMapping) -> TopicItem:
    videos = [
        TopicVideo(found.id, found.title)
        for found in queries.videos_of_topic(connection, row["id"])
    ]
    stated = [row["title"], row["intro"], [one.id for one in videos], row["image"]]
    return TopicItem(
        id=row["id"],
        title=row["title"],
        intro=row["intro"],
        videos=videos,
        picture=picture_view(row["image"]),
        revision=revision_of(stated),
    )


ROUTES: list[ControllerRouterHandler] = [
    list_topics,
    add_topic,
    edit_topic,
    remove_topic,
    order_topics,
]
