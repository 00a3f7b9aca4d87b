"""Statements of advertisements and links."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.features.ads.rules import LinkKind, Slot
from liuying.features.ads.tables import ad, ad_count, app_link, banner_tag
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent


def ad_rows(
    connection: sa.Connection, slot: Slot, now: Milliseconds, banner_tag_id: int | None = None
) -> Sequence[AnyRow]:
    """The advertisements of a slot that run at `now`, optionally of one banner tag."""
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
    """The chips above the carousel, in order."""
    return connection.execute(
        sa.select(banner_tag).order_by(banner_tag.c.position, banner_tag.c.id)
    ).all()


def link_rows(connection: sa.Connection, kind: LinkKind) -> Sequence[AnyRow]:
    """The links of a kind, in order."""
    statement = (
        sa.select(app_link)
        .where(app_link.c.kind == kind)
        .order_by(app_link.c.position, app_link.c.id)
    )
    return connection.execute(statement).all()


def all_ads(connection: sa.Connection, slot: str | None = None) -> list[sa.RowMapping]:
    """Every advertisement, past and future ones too, optionally of one slot, with the name of
    its banner `tag` and its `views` and `clicks` so far.
    """
    statement = _tagged_ads()
    if slot is not None:
        statement = statement.where(ad.c.slot == slot)
    return list(connection.execute(statement).mappings())


def ad_row(connection: sa.Connection, ad_id: int) -> sa.RowMapping:
    """One advertisement, as in `all_ads`."""
    return connection.execute(_tagged_ads().where(ad.c.id == ad_id)).mappings().one()


def _tagged_ads() -> sa.Select[tuple[object, ...]]:
    counted = (
        sa.select(
            ad_count.c.ad_id,
            sa.func.sum(ad_count.c.views).label("views"),
            sa.func.sum(ad_count.c.clicks).label("clicks"),
        )
        .group_by(ad_count.c.ad_id)
        .subquery()
    )
    statement = sa.select(
        ad,
        banner_tag.c.name.label("tag"),
        sa.func.coalesce(counted.c.views, 0).label("views"),
        sa.func.coalesce(counted.c.clicks, 0).label("clicks"),
    ).select_from(ad.outerjoin(banner_tag).outerjoin(counted, counted.c.ad_id == ad.c.id))
    return statement.order_by(ad.c.slot, ad.c.position, ad.c.id)


def add_counts(connection: sa.Connection, counts: Sequence[tuple[int, int, int, int]]) -> None:
    """Add views and clicks to advertisements' days.

    Args:
        counts: Advertisement, day, views, clicks. Those of no advertisement are left out.
    """
    asked = {ad_id for ad_id, *_ in counts}
    known = set(connection.execute(sa.select(ad.c.id).where(ad.c.id.in_(asked))).scalars())
    for ad_id, day, views, clicks in counts:
        if ad_id not in known:
            continue
        insert_if_absent(connection, ad_count, {"ad_id": ad_id, "day": day})
        connection.execute(
            sa.update(ad_count)
            .where(ad_count.c.ad_id == ad_id, ad_count.c.day == day)
            .values(views=ad_count.c.views + views, clicks=ad_count.c.clicks + clicks)
        )


def banner_tag_row(connection: sa.Connection, tag_id: int) -> sa.RowMapping:
    """One chip above the carousel."""
    statement = sa.select(banner_tag).where(banner_tag.c.id == tag_id)
    return connection.execute(statement).mappings().one()


def banner_tag_id(connection: sa.Connection, name: str) -> int | None:
    """The id of the chip with this name; None if there is none."""
    return connection.execute(sa.select(banner_tag.c.id).where(banner_tag.c.name == name)).scalar()


def all_links(connection: sa.Connection) -> list[sa.RowMapping]:
    """Every link of the page /mine, by kind."""
    statement = sa.select(app_link).order_by(app_link.c.kind, app_link.c.position, app_link.c.id)
    return list(connection.execute(statement).mappings())


def link_row(connection: sa.Connection, link_id: int) -> sa.RowMapping:
    """One link of the page /mine."""
    statement = sa.select(app_link).where(app_link.c.id == link_id)
    return connection.execute(statement).mappings().one()
