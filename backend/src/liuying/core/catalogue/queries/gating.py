"""Statements of the age gate (docs/product.md#age-gate). Each runs inside the caller's
transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from liuying.core.catalogue.tables import age_gate, category, removed_video, video
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import AnyRow

# What `video.seal` says.
OPEN, SEALED, SEALED_IN_PART = 0, 1, 2
ROW_ID = 1

COVERS_SITE = sa.exists().where(age_gate.c.covers_site).correlate(None)
# Whether a video is to be gated. The statement joins its category.
IS_WANTED = sa.or_(category.c.is_gated, COVERS_SITE)
# Whether it is treated so: what is not yet opened again, too. Its key is not everybody's.
IS_GATED = sa.or_(category.c.is_gated, video.c.seal != OPEN, COVERS_SITE)

_GATE = sa.select(age_gate).where(age_gate.c.id == ROW_ID)
_HAS_GATE = sa.select(
    sa.or_(
        COVERS_SITE,
        sa.exists().where(category.c.is_gated).correlate(None),
        sa.exists().where(video.c.seal > OPEN).correlate(None),
    )
)


def gate_row(connection: sa.Connection) -> AnyRow | None:
    """What the operator has set for the whole site; None where nothing."""
    return connection.execute(_GATE).one_or_none()


def has_gate(connection: sa.Connection) -> bool:
    """Whether anything is gated: the site, a category, or a video that is being opened again."""
    return bool(connection.execute(_HAS_GATE).scalar())


def replace_gate(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Set the row of the whole site's gate."""
    connection.execute(sa.delete(age_gate))
    connection.execute(sa.insert(age_gate).values(id=ROW_ID, **values))


def is_category_gated(connection: sa.Connection, category_id: int | None) -> bool:
    """Whether videos of a category are gated; None is a category that does not exist yet."""
    of_it = sa.exists().where(category.c.is_gated, category.c.id == category_id).correlate(None)
    return bool(connection.execute(sa.select(sa.or_(COVERS_SITE, of_it))).scalar())


def gated_among(connection: sa.Connection, ids: Collection[int]) -> set[int]:
    """The gated ones among some videos."""
    statement = sa.select(video.c.id).join(category, category.c.id == video.c.category_id)
    return set(connection.execute(statement.where(IS_GATED, video.c.id.in_(ids))).scalars())


def gated_categories(connection: sa.Connection) -> set[int]:
    """The categories whose videos are gated."""
    return set(connection.execute(sa.select(category.c.id).where(IS_WANTED)).scalars())


def unsettled_ids(
    connection: sa.Connection, *, is_wanted: bool, without: Collection[int], limit: int
) -> Sequence[int]:
    """Videos that are not kept as they should be, without those in the bin.

    Args:
        is_wanted: Those that are to be sealed; otherwise those that are to be opened.
        without: Leave these out.
        limit: At most so many.
    """
    is_meant = _is_unsettled(connection, is_wanted=is_wanted)
    # In no order: it would read a whole large category each time.
    statement = sa.select(video.c.id).where(is_meant, video.c.id.not_in(without)).limit(limit)
    return connection.execute(statement).scalars().all()


def count_unsettled(connection: sa.Connection) -> int:
    """Number of videos that still have to be sealed or opened."""
    either = (_is_unsettled(connection, is_wanted=one) for one in (True, False))
    return sum(
        connection.execute(
            sa.select(sa.func.count()).select_from(video).where(is_meant)
        ).scalar_one()
        for is_meant in either
    )


def _is_unsettled(connection: sa.Connection, *, is_wanted: bool) -> sa.ColumnElement[bool]:
    gated = gated_categories(connection)
    others = (OPEN, SEALED_IN_PART) if is_wanted else (SEALED, SEALED_IN_PART)
    all_ids = set(connection.execute(sa.select(category.c.id)).scalars())
    return sa.and_(
        video.c.seal.in_(others),
        video.c.category_id.in_(gated if is_wanted else all_ids - gated),
        video.c.id.not_in(sa.select(removed_video.c.video_id)),
    )


def sealing_row(
    connection: sa.Connection, video_id: int, *, is_to_change: bool = False
) -> AnyRow | None:
    """Number, category, asset, cover, seal of a video, and whether it `is_wanted` gated.

    Args:
        is_to_change: Whether others who change it wait for the end of the transaction.
    """
    columns = (video.c.id, video.c.category_id, video.c.asset_key, video.c.cover, video.c.seal)
    statement = sa.select(*columns, IS_WANTED.label("is_wanted")).join(
        category, category.c.id == video.c.category_id
    )
    statement = statement.where(video.c.id == video_id)
    if is_to_change:
        statement = statement.with_for_update(of=video)
    return connection.execute(statement).one_or_none()


def write_seal(connection: sa.Connection, video_id: int, seal: int, cover: object | None) -> None:
    """Note how a video is kept, and its cover."""
    statement = sa.update(video).where(video.c.id == video_id)
    connection.execute(statement.values(seal=seal, cover=sa.null() if cover is None else cover))


def note_partly_open(connection: sa.Connection, video_id: int) -> None:
    """Note that something of a sealed video is not: another cover, or its files."""
    _note_in_part(connection, video_id, SEALED)


def note_partly_sealed(connection: sa.Connection, video_id: int) -> None:
    """Note that something of an open video is sealed: its files."""
    _note_in_part(connection, video_id, OPEN)


def _note_in_part(connection: sa.Connection, video_id: int, former: int) -> None:
    is_so = (video.c.id == video_id, video.c.seal == former)
    connection.execute(sa.update(video).where(*is_so).values(seal=SEALED_IN_PART))


def note_gate_changed(connection: sa.Connection) -> None:
    """Record that answers about gated videos, and whether there is a gate, are stale."""
    record_change(connection, CacheTopic.CATALOGUE, CacheTopic.CONFIG)
