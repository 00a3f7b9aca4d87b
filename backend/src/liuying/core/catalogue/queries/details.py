"""What describes a video beside its row. Each statement runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import sqlalchemy as sa

from liuying.core.catalogue.tables import IS_DESCRIBED, video, video_detail
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent

_DETAIL = sa.select(video_detail).where(video_detail.c.video_id == sa.bindparam("id"))


def detail_row(connection: sa.Connection, video_id: int) -> AnyRow | None:
    """A video's description, own date, chapters, and what its import wrote; None if there is
    nothing.
    """
    return connection.execute(_DETAIL, {"id": video_id}).one_or_none()


def write_details(connection: sa.Connection, video_id: int, values: Mapping[str, object]) -> None:
    """Change columns of a video's details."""
    if not values:
        return
    insert_if_absent(connection, video_detail, {"video_id": video_id})
    connection.execute(
        sa.update(video_detail).where(video_detail.c.video_id == video_id).values(**values)
    )


def due_ids(connection: sa.Connection, now: Milliseconds) -> list[int]:
    """The withheld videos whose time has come, the earliest first."""
    statement = sa.select(video_detail.c.video_id).where(video_detail.c.publish_at <= now)
    return list(connection.execute(statement.order_by(video_detail.c.publish_at)).scalars())


def is_withheld(connection: sa.Connection, video_id: int) -> bool:
    """Whether a video waits for its time."""
    row = detail_row(connection, video_id)
    return row is not None and row.publish_at is not None


def withhold(connection: sa.Connection, video_id: int, until: Milliseconds) -> None:
    """Show a video nowhere until a moment."""
    write_details(connection, video_id, {"publish_at": until})
    connection.execute(sa.update(video).where(video.c.id == video_id).values(is_listed=False))


def list_from_now_on(connection: sa.Connection, video_id: int) -> None:
    """Show a video that was withheld."""
    write_details(connection, video_id, {"publish_at": None})
    connection.execute(sa.update(video).where(video.c.id == video_id).values(is_listed=True))


_ANY_DESCRIBED = sa.select(video_detail.c.video_id).where(IS_DESCRIBED).limit(1)


def is_any_described(connection: sa.Connection) -> bool:
    """Whether any video has a description."""
    return connection.execute(_ANY_DESCRIBED).first() is not None


def descriptions_of(connection: sa.Connection, video_ids: Collection[int]) -> dict[int, str]:
    """The descriptions of those of some videos that have one."""
    columns = video_detail.c.video_id, video_detail.c.description
    is_meant = (columns[0].in_(video_ids), columns[1] != "")
    rows = connection.execute(sa.select(*columns).where(*is_meant))
    return {row.video_id: row.description for row in rows}
