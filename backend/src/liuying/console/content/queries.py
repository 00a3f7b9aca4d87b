"""Statements of the console's lists of artists and labels. Each runs inside the caller's
transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, label, video_artist, video_label
from liuying.kit.database import AnyRow


def artists_named(connection: sa.Connection, text: str, limit: int) -> tuple[Sequence[AnyRow], int]:
    """Artists whose name contains a text, by initial and name, with their number of `videos`,
    listed or not; and how many there are.
    """
    is_meant = artist.c.name.icontains(text, autoescape=True)
    count = (
        sa.select(sa.func.count())
        .where(video_artist.c.artist_id == artist.c.id)
        .scalar_subquery()
        .label("videos")
    )
    rows = sa.select(artist, count).where(is_meant).order_by(artist.c.initial, artist.c.name)
    total = sa.select(sa.func.count()).select_from(artist).where(is_meant)
    return connection.execute(rows.limit(limit)).all(), connection.execute(total).scalar_one()


def labels_named(connection: sa.Connection, text: str, limit: int) -> tuple[Sequence[AnyRow], int]:
    """Labels whose name contains a text, the most used first, with their number of `videos`,
    listed or not; and how many there are.
    """
    is_meant = label.c.name.icontains(text, autoescape=True)
    used = (
        sa.select(video_label.c.label_id, sa.func.count().label("videos"))
        .group_by(video_label.c.label_id)
        .subquery()
    )
    count = sa.func.coalesce(used.c.videos, 0)
    rows = (
        sa.select(label.c.id, label.c.name, count.label("videos"))
        .outerjoin(used, used.c.label_id == label.c.id)
        .where(is_meant)
        .order_by(count.desc(), label.c.name)
    )
    total = sa.select(sa.func.count()).select_from(label).where(is_meant)
    return connection.execute(rows.limit(limit)).all(), connection.execute(total).scalar_one()


def label_by_id(connection: sa.Connection, number: int) -> AnyRow | None:
    """A label; None where there is none of this number."""
    return connection.execute(sa.select(label).where(label.c.id == number)).first()
