"""Notices: cleaned when written, newest first when read."""

from __future__ import annotations

import nh3
import sqlalchemy as sa

from liuying.domains.notices.schemas import NoticeView
from liuying.domains.notices.tables import notice
from liuying.kit.changes import Topic, record_change
from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.envelope import Page
from liuying.kit.paging import PageRequest, page_of

# Words and links; no style, form, svg or math (threats 6).
ALLOWED_TAGS = {"p", "br", "b", "strong", "i", "em", "u", "ul", "ol", "li", "a", "h3", "h4", "blockquote", "code"}


def clean_html(content: str) -> str:
    """What of an operator's HTML is kept: words, lists and http(s) links that cannot reach the opener."""
    return nh3.clean(
        content,
        tags=ALLOWED_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer",
    )


def write_notice(connection: sa.Connection, title: str, content: str, updated_at: Milliseconds) -> int:
    """Store a notice and return its id. The content is cleaned; nothing changes it afterwards."""
    statement = sa.insert(notice).values(title=title, content=clean_html(content), updated_at=updated_at)
    notice_id = connection.execute(statement.returning(notice.c.id)).scalar_one()
    record_change(connection, Topic.NOTICES)
    return int(notice_id)


def list_notices(connection: sa.Connection, request: PageRequest) -> Page[NoticeView]:
    """A page of notices, newest first (specification §3)."""
    total = connection.execute(sa.select(sa.func.count()).select_from(notice)).scalar_one()
    rows = connection.execute(
        sa.select(notice)
        .order_by(notice.c.updated_at.desc(), notice.c.id.desc())
        .offset(request.offset)
        .limit(request.per_page)
    ).all()
    data = [
        NoticeView(id=row.id, title=row.title, content=row.content, updated_at=to_iso(row.updated_at)) for row in rows
    ]
    return page_of(data, total, request, "/api/sysnotice")
