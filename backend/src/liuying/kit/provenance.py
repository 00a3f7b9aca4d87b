"""Which rows are nobody's own work: those that a package made to show or to measure something.

Whoever makes such rows notes them in the same transaction. An installation that is made up as a
whole takes no real videos.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from liuying.kit.database import metadata
from liuying.kit.errors import InvalidInputError
from liuying.kit.inserting import insert_if_absent

provenance = sa.Table(
    "provenance",
    metadata,
    sa.Column("source", sa.String(16), primary_key=True, comment="the package: demo, bench"),
    sa.Column("kind", sa.String(24), primary_key=True, comment="a table, or installation"),
    sa.Column("row_id", sa.Integer, primary_key=True, autoincrement=False),
)
INSTALLATION = "installation"


def note_made(connection: sa.Connection, source: str, kind: str, row_ids: Iterable[int]) -> None:
    """Note who made some rows; those that are noted already stay as they are.

    Args:
        source: The package, at most 16 characters.
        kind: The rows' table, or `INSTALLATION` for all there is.
        row_ids: The rows' numbers; of an installation how many videos it is to have.
    """
    for row_id in row_ids:
        values = {"source": source, "kind": kind, "row_id": row_id}
        insert_if_absent(connection, provenance, values)


def ids_made_by(connection: sa.Connection, source: str, kind: str) -> set[int]:
    """The rows of a kind that a package made; they may have been removed since."""
    of_source = sa.and_(provenance.c.source == source, provenance.c.kind == kind)
    return set(connection.execute(sa.select(provenance.c.row_id).where(of_source)).scalars())


def is_made_up(connection: sa.Connection) -> bool:
    """Whether the whole installation was made up by a package."""
    whole = sa.select(sa.literal(1)).where(provenance.c.kind == INSTALLATION).limit(1)
    return connection.execute(whole).first() is not None


def refuse_made_up(connection: sa.Connection) -> None:
    """Keep real videos out of an installation that is made up.

    Raises:
        InvalidInputError: The installation was filled to measure with.
    """
    if is_made_up(connection):
        raise InvalidInputError("这里是 liuying bench seed 填充的测试数据，不能导入真实视频")
