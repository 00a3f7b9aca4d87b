"""Every SQL statement of advertisements and links."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.ads.rules import LinkKind, Slot
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow


def ad_rows(
    connection: sa.Connection, slot: Slot, now: Milliseconds, banner_tag_id: int | None = None
) -> Sequence[AnyRow]:
    """The advertisements of a slot whose time window holds `now`; of one banner tag where it is
    given.
    """
    statement = (
        sa.select(ad)
        .where(
            ad.c.slot == slot,
            sa.or_(ad.c.starts_at.is_(None), ad.c.starts_at <= now),
            sa.or_(ad.c.ends_at.is_(None), ad.c.ends_at > now),
        )
        .order_by(ad.c.position, ad.c.id)
    )
    if banner_tag_id is not None:
        statement = statement.where(ad.c.banner_tag_id == banner_tag_id)
    return connection.execute(statement).all()


def banner_tag_rows(connection: sa.Connection) -> Sequence[AnyRow]:
    return connection.execute(
        sa.select(banner_tag).order_by(banner_tag.c.position, banner_tag.c.id)
    ).all()


def link_rows(connection: sa.Connection, kind: LinkKind) -> Sequence[AnyRow]:
    statement = (
        sa.select(app_link)
        .where(app_link.c.kind == kind)
        .order_by(app_link.c.position, app_link.c.id)
    )
    return connection.execute(statement).all()
