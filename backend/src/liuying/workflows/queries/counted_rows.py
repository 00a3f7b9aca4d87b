"""Rows that an operator compares after a restore."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.tables import category, video
from liuying.core.visitors.tables import visitor
from liuying.features.ads.tables import ad
from liuying.features.favourites.tables import favourite
from liuying.features.feedback.tables import feedback

COUNTED = {
    "视频": video,
    "分类": category,
    "访客": visitor,
    "收藏": favourite,
    "反馈": feedback,
    "广告": ad,
}


def count_rows(connection: sa.Connection) -> dict[str, int]:
    """How many there are of each, by what it is called in Chinese."""
    return {
        name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        for name, table in COUNTED.items()
    }
