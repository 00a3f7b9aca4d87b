"""Statements of notices. Each runs inside the caller's transaction."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.notices.tables import notice
from liuying.kit.paging import PageRequest


def all_notices(connection: sa.Connection) -> list[sa.RowMapping]:
    """Every notice, newest first."""
    return list(connection.execute(_newest_first()).mappings())


def notice_row(connection: sa.Connection, notice_id: int) -> sa.RowMapping:
    """One notice."""
    return connection.execute(_newest_first().where(notice.c.id == notice_id)).mappings().one()


def notice_page(connection: sa.Connection, request: PageRequest) -> tuple[list[sa.RowMapping], int]:
    """One page of notices, newest first, and the total."""
    total = connection.execute(sa.select(sa.func.count()).select_from(notice)).scalar_one()
    page = _newest_first().offset(request.offset).limit(request.per_page)
    return list(connection.execute(page).mappings()), total


def _newest_first() -> sa.Select[tuple[object, ...]]:
    return sa.select(notice).order_by(notice.c.updated_at.desc(), notice.c.id.desc())
