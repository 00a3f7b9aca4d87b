"""Statements of notices. Each runs inside the caller's transaction."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.notices.tables import notice
from liuying.kit.clock import Milliseconds
from liuying.kit.paging import PageRequest


def all_notices(connection: sa.Connection) -> list[sa.RowMapping]:
    """Every notice, newest first."""
    return list(connection.execute(_newest_first()).mappings())


def notice_row(connection: sa.Connection, notice_id: int) -> sa.RowMapping:
    """One notice."""
    return connection.execute(_newest_first().where(notice.c.id == notice_id)).mappings().one()


def notice_page(
    connection: sa.Connection, request: PageRequest, now: Milliseconds
) -> tuple[list[sa.RowMapping], int]:
    """One page of the notices that run at `now`, newest first, and the total."""
    is_running = sa.and_(
        sa.or_(notice.c.starts_at.is_(None), notice.c.starts_at <= now),
        sa.or_(notice.c.ends_at.is_(None), notice.c.ends_at > now),
    )
    counted = sa.select(sa.func.count()).select_from(notice).where(is_running)
    total = connection.execute(counted).scalar_one()
    page = _newest_first().where(is_running).offset(request.offset).limit(request.per_page)
    return list(connection.execute(page).mappings()), total


def _newest_first() -> sa.Select[tuple[object, ...]]:
    """With `shown_since`: one that waited for its time is as new as that."""
    is_later = notice.c.starts_at > notice.c.updated_at
    since = sa.case((is_later, notice.c.starts_at), else_=notice.c.updated_at)
    return sa.select(notice, since.label("shown_since")).order_by(since.desc(), notice.c.id.desc())
