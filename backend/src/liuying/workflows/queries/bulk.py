"""Statements that change many videos. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from liuying.core.catalogue.rules import SHARE_CATEGORY, is_locked
from liuying.core.catalogue.tables import label, removed_video, video, video_label


def kept(connection: sa.Connection, ids: Sequence[int]) -> list[int]:
    """Those of some videos that are there and not in the bin, in order, and locked in it: whatever
    is written of them or their links, nobody waits for the other in turn.
    """
    in_bin = sa.select(removed_video.c.video_id)
    statement = sa.select(video.c.id).where(video.c.id.in_(ids), video.c.id.not_in(in_bin))
    in_order = statement.order_by(video.c.id).with_for_update(key_share=True)
    return list(connection.execute(in_order).scalars())


def changing(
    connection: sa.Connection,
    ids: Sequence[int],
    *,
    is_hidden: bool | None,
    category_id: int | None,
    added: Collection[str],
    removed: Collection[str],
) -> list[int]:
    """Those of some videos that are not yet as they are to be, in order; none of the bin.

    Args:
        added: Names of labels that they get.
        removed: Names of labels that they lose.
    """
    in_bin = sa.select(removed_video.c.video_id)
    # One that is to be added and removed is removed in the end.
    differs: list[sa.ColumnElement[bool]] = [_has(name) for name in removed]
    differs += [sa.not_(_has(name)) for name in added if name not in removed]
    if is_hidden is not None:
        differs.append(video.c.is_hidden != is_hidden)
    if category_id is not None:
        differs.append(video.c.category_id != category_id)
    is_meant = (video.c.id.in_(ids), video.c.id.not_in(in_bin), sa.or_(sa.false(), *differs))
    statement = sa.select(video.c.id).where(*is_meant)
    return list(connection.execute(statement.order_by(video.c.id)).scalars())


def _has(name: str) -> sa.ColumnElement[bool]:
    """Whether a video has a label."""
    of_it = (
        sa.select(video_label.c.video_id)
        .join(label, label.c.id == video_label.c.label_id)
        .where(label.c.name == name)
    )
    return video.c.id.in_(of_it)


def set_columns(
    connection: sa.Connection,
    ids: Sequence[int],
    *,
    is_hidden: bool | None,
    category_id: int | None,
) -> None:
    """Set the given columns of some videos. A video that the category would lock or open keeps its
    own: its files have to move with it (`moving_between_locks`).
    """
    meant = sa.update(video).where(video.c.id.in_(ids))
    if is_hidden is not None:
        connection.execute(meant.values(is_hidden=is_hidden))
    if category_id is not None:
        stays = sa.not_(_changes_lock(is_locked=is_locked(category_id)))
        connection.execute(meant.where(stays).values(category_id=category_id))


def moving_between_locks(
    connection: sa.Connection, ids: Sequence[int], *, is_locked: bool
) -> list[int]:
    """Those of some videos that are locked although their new category is open, or the other way
    round.
    """
    in_bin = sa.select(removed_video.c.video_id)
    changes = _changes_lock(is_locked=is_locked)
    is_meant = (video.c.id.in_(ids), video.c.id.not_in(in_bin), changes)
    statement = sa.select(video.c.id).where(*is_meant)
    return list(connection.execute(statement.order_by(video.c.id)).scalars())


def _changes_lock(*, is_locked: bool) -> sa.ColumnElement[bool]:
    """A video that is not locked although it will be, or the other way round."""
    is_there = video.c.category_id == SHARE_CATEGORY
    return sa.not_(is_there) if is_locked else is_there


def add_label(connection: sa.Connection, ids: Sequence[int], label_id: int) -> None:
    """Put a label behind those that each video has; a video that has it stays as it is."""
    has = sa.select(video_label.c.video_id).where(video_label.c.label_id == label_id)
    last = sa.func.coalesce(sa.func.max(video_label.c.position), -1) + 1
    behind = (
        sa.select(video.c.id, sa.literal(label_id), last)
        .outerjoin(video_label, video_label.c.video_id == video.c.id)
        .where(video.c.id.in_(ids), video.c.id.not_in(has))
        .group_by(video.c.id)
    )
    columns = ["video_id", "label_id", "position"]
    connection.execute(sa.insert(video_label).from_select(columns, behind))


def remove_label(connection: sa.Connection, ids: Sequence[int], label_id: int) -> None:
    """Take a label from videos."""
    is_it = (video_label.c.label_id == label_id, video_label.c.video_id.in_(ids))
    connection.execute(sa.delete(video_label).where(*is_it))
