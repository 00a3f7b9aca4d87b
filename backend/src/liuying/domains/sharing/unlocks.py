"""Which shared videos a visitor has unlocked (decisions §3)."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from liuying.domains.sharing.tables import share, share_visit

VISITS_TO_UNLOCK = 2


def unlocked_ids(connection: sa.Connection, visitor_id: int, video_ids: Collection[int]) -> set[int]:
    """Those of `video_ids` whose link, shared by this visitor, was opened from enough other networks."""
    counted = (
        sa.select(sa.func.count())
        .where(share_visit.c.share_id == share.c.id, sa.not_(share_visit.c.is_sharer))
        .scalar_subquery()
    )
    statement = sa.select(share.c.video_id).where(
        share.c.visitor_id == visitor_id,
        share.c.video_id.in_(video_ids),
        share.c.settled + counted >= VISITS_TO_UNLOCK,
    )
    return set(connection.execute(statement).scalars())


def has_shares(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has ever shared a video."""
    return bool(connection.execute(sa.select(sa.exists().where(share.c.visitor_id == visitor_id))).scalar())
