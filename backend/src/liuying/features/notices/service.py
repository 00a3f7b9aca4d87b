"""Notices: sanitized when written, newest first when read."""

from __future__ import annotations

import re

import nh3
import sqlalchemy as sa

from liuying.features.notices import queries
from liuying.features.notices.schemas import NoticeView
from liuying.features.notices.tables import notice
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.envelope import Page
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.paging import PageRequest, page_of
from liuying.kit.rows import delete_row, insert_row, update_row
from liuying.kit.texts import clean_markup, clean_text, required_text

TITLE_LENGTH = 120

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
    connection: sa.Connection, title: str, content: str, updated_at: Milliseconds
) -> int:
    """Store a notice and return its id. The content is sanitized; nothing changes it afterwards.

    Raises:
        InvalidInputError: The title is blank or too long, or nothing of the content remains after
            sanitizing.
    """
    values = {
        "title": required_text("标题", title, TITLE_LENGTH),
        "content": _required_html(content),
        "updated_at": updated_at,
    }
    notice_id = insert_row(connection, notice, values)
    record_change(connection, CacheTopic.NOTICES)
    return notice_id


def edit_notice(
    connection: sa.Connection,
    notice_id: int,
    title: str | None,
    content: str | None,
    updated_at: Milliseconds,
) -> None:
    """Change a notice; it counts as new again.

    Raises:
        InvalidInputError: As for `write_notice`.
        NotFoundError: No such notice.
    """
    values: dict[str, object] = {"updated_at": updated_at}
    if title is not None:
        values["title"] = required_text("标题", title, TITLE_LENGTH)
    if content is not None:
        values["content"] = _required_html(content)
    _note_change(connection, notice_id, was_there=update_row(connection, notice, notice_id, values))


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


def _required_html(content: str) -> str:
    if kept_out := _cut_elements(content):
        raise InvalidInputError(
            f"公告里不能有 {'、'.join(f'<{name}>' for name in kept_out)}："
            "只保留文字、列表和链接；图片可以做成轮播图（liuying ad add --slot BANNER）"
        )
    cleaned = clean_html(content).strip()
    if not clean_text(nh3.clean(cleaned, tags=set())):
        raise InvalidInputError("公告内容不能为空")
    return cleaned


def list_notices(connection: sa.Connection, request: PageRequest) -> Page[NoticeView]:
    """One page of notices, newest first (specification §3)."""
    rows, total = queries.notice_page(connection, request)
    data = [
        NoticeView(
            id=row["id"],
            title=row["title"],
            content=row["content"],
            updated_at=to_iso(row["updated_at"]),
        )
        for row in rows
    ]
    return page_of(data, total, request, "/api/sysnotice")
