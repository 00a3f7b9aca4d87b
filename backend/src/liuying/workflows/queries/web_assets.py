"""The hashed files of the web builds that served lately: whoever still has a page of another
version asks for them, and any process may be asked.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.kit.clock import DAY_MS, Milliseconds
from liuying.kit.database import metadata
from liuying.kit.inserting import insert_if_absent

web_asset = sa.Table(
    "web_asset",
    metadata,
    sa.Column("path", sa.String(200), primary_key=True, comment="its name follows its content"),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Column(
        "served_at", sa.BigInteger, nullable=False, index=True, comment="its version served then"
    ),
)
# A page that stays open for longer has to be loaded again.
KEPT_MS: Milliseconds = 7 * DAY_MS


def note_assets(connection: sa.Connection, files: Mapping[str, bytes], now: Milliseconds) -> bool:
    """Note that a build with these files serves now; whether one of them is new."""
    statement = sa.update(web_asset).where(web_asset.c.path.in_(sorted(files)))
    known = set(
        connection.execute(statement.values(served_at=now).returning(web_asset.c.path)).scalars()
    )
    new = sorted(set(files) - known)
    for path in new:
        values = {"path": path, "content": files[path], "served_at": now}
        insert_if_absent(connection, web_asset, values)
    return bool(new)


def asset_paths(connection: sa.Connection) -> set[str]:
    """Of all files that are kept."""
    return set(connection.execute(sa.select(web_asset.c.path)).scalars())


def asset_content(connection: sa.Connection, path: str) -> bytes | None:
    """A file; None if it is not kept any more."""
    statement = sa.select(web_asset.c.content).where(web_asset.c.path == path)
    return connection.execute(statement).scalar()


def prune_assets(connection: sa.Connection, now: Milliseconds) -> None:
    """Remove files of versions that have not served for long."""
    connection.execute(sa.delete(web_asset).where(web_asset.c.served_at < now - KEPT_MS))
