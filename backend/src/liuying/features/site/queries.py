"""Statements of the site's identity. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.features.site.tables import site_picture, site_setting


def all_settings(connection: sa.Connection) -> dict[str, str]:
    """What is set, by name."""
    rows = connection.execute(sa.select(site_setting.c.name, site_setting.c.value))
    return {row.name: row.value for row in rows}


def replace_settings(connection: sa.Connection, values: Mapping[str, str | None]) -> None:
    """Set values by name; None takes one back to its default."""
    names = sa.delete(site_setting).where(site_setting.c.name.in_(list(values)))
    connection.execute(names)
    rows = [{"name": name, "value": value} for name, value in values.items() if value is not None]
    if rows:
        connection.execute(sa.insert(site_setting), rows)


def picture_digests(connection: sa.Connection) -> dict[str, str]:
    """The digest of each picture, by name."""
    rows = connection.execute(sa.select(site_picture.c.name, site_picture.c.digest))
    return {row.name: row.digest for row in rows}


def picture_content(connection: sa.Connection, name: str) -> bytes | None:
    """A picture's bytes; None where there is none of this name."""
    statement = sa.select(site_picture.c.content).where(site_picture.c.name == name)
    return connection.execute(statement).scalar()


def replace_pictures(
    connection: sa.Connection, rows: Mapping[str, tuple[str, bytes] | None]
) -> None:
    """Write pictures by name, each its digest and content; None removes one."""
    connection.execute(sa.delete(site_picture).where(site_picture.c.name.in_(list(rows))))
    new = [
        {"name": name, "digest": row[0], "content": row[1]}
        for name, row in rows.items()
        if row is not None
    ]
    if new:
        connection.execute(sa.insert(site_picture), new)
