"""Notices, as `liuying notice`."""

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
    Moment,
    Picture,
    Revision,
    changing,
    differences,
    moment_of,
    require_revision,
    revision_of,
    stored_picture,
)
from liuying.console.content.picture_routes import PictureView, picture_view
from liuying.console.content.windows import WindowState, end_of_running, state_at, told_window
from liuying.console.given import GivenActor, GivenServices
from liuying.features.audit.service import Entry
from liuying.features.notices import queries
from liuying.features.notices import service as notices
from liuying.features.notices.tables import notice
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.clock import Milliseconds, to_iso, to_iso_if_known
from liuying.kit.envelope import Envelope
from liuying.kit.responses import UNAUTHORIZED, PathIdentifier
from liuying.kit.rows import require_row

LONGEST_CONTENT = 20_000
STATED = ("title", "content", "starts_at", "ends_at", "image")
Content = Annotated[str, msgspec.Meta(max_length=LONGEST_CONTENT)]


class NoticeItem(msgspec.Struct, frozen=True, kw_only=True):
    """A notice. Times use the wire's form; None is no limit.

    Attributes:
        content: HTML, sanitized: words, lists and links.
        updated_at: When it was written or changed.
        revision: Names this state of it, for whoever changes it.
    """

    id: int
    title: str
    content: str
    updated_at: str
    starts_at: str | None
    ends_at: str | None
    state: WindowState
    picture: PictureView | None
    revision: str


class NoticeBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A notice as it is to be.

    Attributes:
        content: HTML or plain text; what is not allowed in it is removed or refused.
        image: Its picture; without it the one that it has stays.
        removes_image: Whether the one that it has is taken away.
        revision: The state that the operator saw; empty for a new one.
    """

    title: Line
    content: Content
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    image: Picture | None = None
    removes_image: bool = False
    revision: Revision = ""


class PreviewBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a notice is to say."""

    content: Content


class Preview(msgspec.Struct, frozen=True):
    """What visitors would read: sanitized HTML."""

    content: str


@get(
    "/api/notices",
    sync_to_thread=True,
    summary="Notices",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_notices(services: GivenServices) -> Envelope[list[NoticeItem]]:
    """Newest first, past and future ones too."""
    with services.database.read() as connection:
        now = services.clock()
        return Envelope([_view(row, now) for row in queries.all_notices(connection)])


@post(
    "/api/notices",
    status_code=200,
    sync_to_thread=True,
    summary="Write a notice",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def add_notice(
    data: JSONBody[NoticeBody], services: GivenServices, actor: GivenActor
) -> Envelope[NoticeItem]:
    """As `liuying notice add`."""
    extras = _extras(services, data)
    entry = Entry("notice.add", f"公告 {data.title}", None, _told(data))
    with changing(services, actor, entry) as connection:
        now = services.clock()
        number = notices.write_notice(connection, data.title, data.content, now, extras)
        return Envelope(_view(queries.notice_row(connection, number), now))


@post(
    "/api/notices/preview",
    status_code=200,
    sync_to_thread=True,
    summary="How a notice would read",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def preview_notice(data: JSONBody[PreviewBody]) -> Envelope[Preview]:
    """Nothing is stored."""
    return Envelope(Preview(notices.clean_html(data.content)))


@put(
    "/api/notices/{notice_id:int}",
    sync_to_thread=True,
    summary="Change a notice",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
    request_max_body_size=PICTURE_BODY_BYTES,
)
def edit_notice(
    notice_id: PathIdentifier,
    data: JSONBody[NoticeBody],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[NoticeItem]:
    """As `liuying notice edit`: it counts as new again."""
    extras = _extras(services, data)
    before, after = differences(_known(services, notice_id), _told(data))
    entry = Entry("notice.edit", f"公告 {notice_id} {data.title}", before, after)
    with changing(services, actor, entry) as connection:
        require_row(connection, notice, notice_id, "公告")
        now = services.clock()
        found = _view(queries.notice_row(connection, notice_id), now)
        require_revision(found.revision, data.revision)
        notices.edit_notice(connection, notice_id, data.title, data.content, now, extras)
        return Envelope(_view(queries.notice_row(connection, notice_id), now))


@post(
    "/api/notices/{notice_id:int}/end",
    status_code=200,
    sync_to_thread=True,
    summary="End a notice now",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def end_notice(
    notice_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[NoticeItem]:
    """It stays in the list, and may be shown again."""
    known = _known(services, notice_id)
    now = services.clock()
    entry = Entry(
        "notice.end",
        f"公告 {notice_id} {known['title']}",
        {"ends_at": known["ends_at"]},
        {"ends_at": to_iso(now)},
    )
    with changing(services, actor, entry) as connection:
        require_row(connection, notice, notice_id, "公告")
        row = queries.notice_row(connection, notice_id)
        ends_at = end_of_running(row, now)
        notices.end_notice(connection, notice_id, ends_at)
        return Envelope(_view(queries.notice_row(connection, notice_id), ends_at))


@delete(
    "/api/notices/{notice_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete a notice",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_notice(
    notice_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying notice remove`."""
    known = _known(services, notice_id)
    entry = Entry("notice.remove", f"公告 {notice_id} {known['title']}", known)
    with changing(services, actor, entry) as connection:
        notices.remove_notice(connection, notice_id)
    return Envelope(None)


def _extras(services: Services, data: NoticeBody) -> notices.NoticeExtras:
    picture = stored_picture(services, data.image, notices.PICTURE_WIDTH)
    kept = None if data.removes_image else msgspec.UNSET
    return notices.NoticeExtras(
        image=kept if picture is None else picture,
        starts_at=moment_of("starts_at", data.starts_at),
        ends_at=moment_of("ends_at", data.ends_at),
    )


def _told(data: NoticeBody) -> dict[str, Any]:
    """What the audit log says of it."""
    picture = {"image": "新图片"} if data.image else {"image": None} if data.removes_image else {}
    return {"title": data.title, "content": data.content} | told_window(data) | picture


def _known(services: Services, notice_id: int) -> dict[str, Any]:
    """The stated values of a notice, for the audit log.

    Raises:
        NotFoundError: No such notice.
    """
    with services.database.read() as connection:
        require_row(connection, notice, notice_id, "公告")
        view = _view(queries.notice_row(connection, notice_id), services.clock())
    stated = {name: getattr(view, name) for name in STATED if name != "image"}
    return stated | {"image": view.picture and view.picture.url}


def _view(row: sa.RowMapping, now: Milliseconds) -> NoticeItem:
    return NoticeItem(
        id=row["id"],
        title=row["title"],
        content=row["content"],
        updated_at=to_iso(row["updated_at"]),
        starts_at=to_iso_if_known(row["starts_at"]),
        ends_at=to_iso_if_known(row["ends_at"]),
        state=state_at(now, row["starts_at"], row["ends_at"]),
        picture=picture_view(row["image"]),
        revision=revision_of([row[name] for name in STATED]),
    )


ROUTES: list[ControllerRouterHandler] = [
    list_notices,
    add_notice,
    preview_notice,
    edit_notice,
    end_notice,
    remove_notice,
]
