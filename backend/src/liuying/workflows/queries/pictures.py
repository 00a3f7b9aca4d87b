"""Which encrypted images rows show, and those that nobody may see."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, category, removed_video, video
from liuying.features.ads.tables import ad, app_link
from liuying.features.notices.tables import notice
from liuying.features.topics.tables import topic
from liuying.kit.database import metadata
from liuying.kit.inserting import insert_if_absent

# Of covers of removed videos, and for a while of purged ones. The store, which anybody may read,
# does not have them meanwhile.
withdrawn_picture = sa.Table(
    "withdrawn_picture",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("content", sa.LargeBinary, nullable=False, comment="the encrypted object"),
    sa.Column("withdrawn_at", sa.BigInteger, nullable=False),
)
_IS_REMOVED = sa.exists().where(removed_video.c.video_id == video.c.id)
# Every column with an encrypted image: one that several rows show must stay as long as one of them
# does.
IMAGES = (
    video.c.cover,
    artist.c.image,
    category.c.icon,
    ad.c.image,
    app_link.c.image,
    notice.c.image,
    topic.c.image,
)


def is_shown(connection: sa.Connection, name: str) -> bool:
    """Whether a row that visitors may see, or that may come to be seen by itself, shows the object
    with a name. Covers of removed videos do not count.
    """
    shown = sa.or_(
        *(
            sa.exists().where(sa.cast(column, sa.Text).contains(name), _counts(column))
            for column in IMAGES
        )
    )
    return bool(connection.execute(sa.select(shown)).scalar())


def shown_addresses(connection: sa.Connection) -> set[str]:
    """Addresses of the objects of all images that such rows show."""
    return {
        address
        for column in IMAGES
        for picture in connection.execute(
            sa.select(column).where(column.is_not(None), _counts(column))
        ).scalars()
        for address in addresses_of(picture)
    }


def removed_addresses(connection: sa.Connection) -> set[str]:
    """Addresses of the objects of the covers of removed videos."""
    statement = sa.select(video.c.cover).where(video.c.cover.is_not(None), _IS_REMOVED)
    return {
        address
        for picture in connection.execute(statement).scalars()
        for address in addresses_of(picture)
    }


def addresses_of(picture: Mapping[str, str] | None) -> list[str]:
    """Addresses of an image's objects.

    Args:
        picture: A column's value, an `EncryptedImage` as JSON.
    """
    return [address for key in ("url", "jpeg") if (address := (picture or {}).get(key))]


def withdraw(connection: sa.Connection, contents: Mapping[str, bytes], now: int) -> None:
    """Keep objects here instead of in the store; those that are here already begin anew.

    Args:
        contents: The encrypted bytes, by name.
        now: Milliseconds since 1970, by the store's clock.
    """
    for name, content in sorted(contents.items()):
        values = {"name": name, "content": content, "withdrawn_at": now}
        if not insert_if_absent(connection, withdrawn_picture, values):
            statement = sa.update(withdrawn_picture).where(withdrawn_picture.c.name == name)
            connection.execute(statement.values(withdrawn_at=now))


def withdrawn_names(
    connection: sa.Connection, names: Collection[str] | None = None
) -> dict[str, int]:
    """When each object was withdrawn, by name.

    Args:
        names: Only these of them; None for all.
    """
    statement = sa.select(withdrawn_picture.c.name, withdrawn_picture.c.withdrawn_at)
    if names is not None:
        statement = statement.where(withdrawn_picture.c.name.in_(names))
    return {row.name: row.withdrawn_at for row in connection.execute(statement)}


def withdrawn_content(connection: sa.Connection, name: str) -> bytes | None:
    """A withdrawn object; None if it is not withdrawn."""
    statement = sa.select(withdrawn_picture.c.content).where(withdrawn_picture.c.name == name)
    return connection.execute(statement).scalar()


def give_back(connection: sa.Connection, name: str) -> None:
    """Note that an object is not withdrawn any more."""
    connection.execute(sa.delete(withdrawn_picture).where(withdrawn_picture.c.name == name))


def _counts(column: sa.Column[Any]) -> sa.ColumnElement[bool]:
    return ~_IS_REMOVED if column.table is video else sa.true()
