"""Notices: sanitized when written, newest first when read."""

from __future__ import annotations

import re

import msgspec
import nh3
import sqlalchemy as sa

from liuying.features.notices import queries
from liuying.features.notices.schemas import NoticeView
from liuying.features.notices.tables import notice
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.envelope import Page
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.images import EncryptedImage
from liuying.kit.paging import PageRequest, page_of
from liuying.kit.rows import delete_row, insert_row, update_row
from liuying.kit.texts import clean_markup, clean_text, required_text

TITLE_LENGTH = 120
# Pixels of a notice's picture: it is as wide as the page.
PICTURE_WIDTH = 1280

# Words and links; no style, form, svg or math (docs/security.md#t6).
ALLOWED_TAGS = {
    "p",
    "br",
    "b",
    "strong",
    "i",
    "em",
    "u",
    "ul",
    "ol",
    "li",
    "a",
    "h3",
    "h4",
    "blockquote",
    "code",
}


# What an operator may expect to be seen: cut in silence, the notice would lack it.
SHOWN_ELEMENTS = ("img", "picture", "video", "audio", "iframe", "embed", "object", "table", "svg")
OPENING = re.compile(rf"<({'|'.join(SHOWN_ELEMENTS)})(?=[\s/>])", re.IGNORECASE)


class NoticeExtras(msgspec.Struct, frozen=True, kw_only=True):
    """What a notice may have beside its words. UNSET leaves a value as it is, None removes it.

    Attributes:
        image: A picture above the text.
        starts_at: When it appears.
        ends_at: When it disappears.
    """

    image: EncryptedImage | msgspec.UnsetType | None = msgspec.UNSET
    starts_at: Milliseconds | msgspec.UnsetType | None = msgspec.UNSET
    ends_at: Milliseconds | msgspec.UnsetType | None = msgspec.UNSET


def _cut_elements(content: str) -> list[str]:
    """Elements that show something and would be cut, each once, in their order."""
    return list(dict.fromkeys(name.lower() for name in OPENING.findall(content)))


def clean_html(content: str) -> str:
    """Sanitize an operator's HTML: words, lists and http(s) links that cannot reach the opener
    remain.
    """
    # Twice: characters hidden behind entities appear only after the first pass.
    return _clean_tags(clean_markup(_clean_tags(content)))


def _clean_tags(content: str) -> str:
    return nh3.clean(
        content,
        tags=ALLOWED_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer",
    )


def write_notice(
    connection: sa.Connection,
    title: str,
    content: str,
    updated_at: Milliseconds,
    extras: NoticeExtras | None = None,
) -> int:
    """Store a notice and return its id. The content is sanitized; nothing changes it afterwards.

    Raises:
        InvalidInputError: The title is blank or too long, nothing of the content remains after
            sanitizing, or the window ends before it starts.
    """
    values = {
        "title": required_text("标题", title, TITLE_LENGTH, "title"),
        "content": _required_html(content),
        "updated_at": updated_at,
    }
    notice_id = insert_row(connection, notice, values | _extra_values(extras))
    _check_window(connection, notice_id)
    record_change(connection, CacheTopic.NOTICES)
    return notice_id


def edit_notice(
    connection: sa.Connection,
    notice_id: int,
    title: str | None,
    content: str | None,
    updated_at: Milliseconds,
    extras: NoticeExtras | None = None,
) -> None:
    """Change a notice; it counts as new again.

    Raises:
        InvalidInputError: As for `write_notice`.
        NotFoundError: No such notice.
    """
    values: dict[str, object] = {"updated_at": updated_at}
    if title is not None:
        values["title"] = required_text("标题", title, TITLE_LENGTH, "title")
    if content is not None:
        values["content"] = _required_html(content)
    values |= _extra_values(extras)
    _note_change(connection, notice_id, was_there=update_row(connection, notice, notice_id, values))
    _check_window(connection, notice_id)


def end_notice(connection: sa.Connection, notice_id: int, ends_at: Milliseconds) -> None:
    """Show a notice no longer than until a moment. It does not count as new again.

    Raises:
        InvalidInputError: The moment is before its start.
        NotFoundError: No such notice.
    """
    values = {"ends_at": ends_at}
    _note_change(connection, notice_id, was_there=update_row(connection, notice, notice_id, values))
    _check_window(connection, notice_id)


def remove_notice(connection: sa.Connection, notice_id: int) -> None:
    """Remove a notice.

    Raises:
        NotFoundError: No such notice.
    """
    _note_change(connection, notice_id, was_there=delete_row(connection, notice, notice_id))


def _note_change(connection: sa.Connection, notice_id: int, *, was_there: bool) -> None:
    if not was_there:
        raise NotFoundError(f"没有编号为 {notice_id} 的公告")
    record_change(connection, CacheTopic.NOTICES)


def _extra_values(extras: NoticeExtras | None) -> dict[str, object]:
    given = {} if extras is None else msgspec.structs.asdict(extras)
    image = given.pop("image", msgspec.UNSET)
    if image is not msgspec.UNSET:
        given["image"] = None if image is None else msgspec.to_builtins(image)
    return {name: value for name, value in given.items() if value is not msgspec.UNSET}


def _check_window(connection: sa.Connection, notice_id: int) -> None:
    row = queries.notice_row(connection, notice_id)
    starts_at, ends_at = row["starts_at"], row["ends_at"]
    if starts_at is not None and ends_at is not None and ends_at <= starts_at:
        raise InvalidInputError("结束时间应晚于开始时间", "ends_at")


def _required_html(content: str) -> str:
    if kept_out := _cut_elements(content):
        raise InvalidInputError(
            f"公告里不能有 {'、'.join(f'<{name}>' for name in kept_out)}："
            "只保留文字、列表和链接；图片另外添加",
            "content",
        )
    cleaned = clean_html(content).strip()
    if not clean_text(nh3.clean(cleaned, tags=set())):
        raise InvalidInputError("公告内容不能为空", "content")
    return cleaned


def list_notices(
    connection: sa.Connection, request: PageRequest, now: Milliseconds
) -> Page[NoticeView]:
    """One page of the notices whose time it is, newest first (specification §3)."""
    rows, total = queries.notice_page(connection, request, now)
    data = [
        NoticeView(
            id=row["id"],
            title=row["title"],
            content=row["content"],
            updated_at=to_iso(row["shown_since"]),
            image=msgspec.convert(row["image"] or {}, EncryptedImage),
        )
        for row in rows
    ]
    return page_of(data, total, request, "/api/sysnotice")
