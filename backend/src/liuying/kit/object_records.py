"""What is in a store that cannot be listed cheaply: its objects by row, with size and age.

Pictures and files of an asset have a row each, a folder of an asset (a rendition, the storyboard)
has one for all that is in it: there are some ten rows a video, not some hundred. A row is written
before its object and removed after it, so that no object is without one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec
import sqlalchemy as sa

from liuying.kit.database import Database, metadata
from liuying.kit.inserting import insert_if_absent, upsert
from liuying.kit.object_keys import MEDIA

# So many parts of a key name its row; what has more is in a folder.
ROW_PARTS = 3
# Whoever removes an object needs less; longer than every request to a store may take.
REMOVAL_S = 120.0

stored_object = sa.Table(
    "stored_object",
    metadata,
    sa.Column(
        "name",
        sa.String(1024).with_variant(sa.String(1024, collation="C"), "postgresql"),
        primary_key=True,
        comment="a key, or with a slash at its end a folder of an asset",
    ),
    sa.Column("kind", sa.String(80), nullable=False, comment="object_records.kind_of"),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("stored_at", sa.BigInteger, nullable=False, comment="microseconds since 1970"),
    sa.Column("going_at", sa.BigInteger, comment="somebody has been removing it since then"),
)
_name = stored_object.c.name


class ObjectRow(msgspec.Struct, frozen=True):
    """A row: its name, and its bytes as far as they are known."""

    name: str
    bytes: int


def row_name(key: str) -> str:
    """The name of the row of an object."""
    parts = key.split("/")
    return "/".join(parts[:ROW_PARTS]) + ("/" if len(parts) > ROW_PARTS else "")


def is_shared(name: str) -> bool:
    """Whether a row stands for a folder."""
    return name.endswith("/")


def kind_of(name: str) -> str:
    """What a row counts as: an area, or the folder of an asset."""
    area, _, rest = name.partition("/")
    return rest.split("/")[1] if area == MEDIA and is_shared(name) else area


class ObjectRecords:
    """The rows of one store. Their moments are those of the database's clock: machines' clocks may
    differ.

    Args:
        database: The installation's.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def now(self) -> float:
        """Seconds since 1970 by the database's clock."""
        return time.time() + self._database.clock_offset_ms / 1000

    def claim(self, rows: Iterable[ObjectRow]) -> bool:
        """Note objects that are about to be stored, or count as stored now.

        Returns:
            False where somebody is removing one of them; then nothing is noted.
        """
        with self._database.write() as connection:
            now = _micros(self.now())
            for row in rows:
                values = {
                    "name": row.name,
                    "kind": kind_of(row.name),
                    "bytes": row.bytes,
                    "stored_at": now,
                    "going_at": None,
                }
                is_free = _is_free(now)
                if not upsert(connection, stored_object, values, ["name"], where=is_free):
                    connection.rollback()
                    return False
        return True

    def add(self, name: str, size: int) -> None:
        """Note that a folder has become larger, or smaller."""
        values: dict[str, object] = {"name": name, "kind": kind_of(name), "bytes": 0}
        with self._database.write() as connection:
            values["stored_at"] = _micros(self.now())
            insert_if_absent(connection, stored_object, values)
            sum_ = stored_object.c.bytes + size
            changed = sa.case((sum_ < 0, 0), else_=sum_)
            statement = sa.update(stored_object).where(_name == name).values(bytes=changed)
            connection.execute(statement)

    def adopt(self, row: ObjectRow, stored_at: float) -> None:
        """Note an object that is there and has no row."""
        values = {
            "name": row.name,
            "kind": kind_of(row.name),
            "bytes": row.bytes,
            "stored_at": _micros(stored_at),
        }
        with self._database.write() as connection:
            insert_if_absent(connection, stored_object, values)

    def begin_removal(self, name: str, stored_before: float) -> int | None:
        """Keep others from storing an object until it is gone.

        Returns:
            What `end_removal` asks for; None where the object was stored since that moment, has no
            row, or somebody else removes it.
        """
        is_old = stored_object.c.stored_at < _micros(stored_before)
        with self._database.write() as connection:
            now = _micros(self.now())
            statement = (
                sa.update(stored_object)
                .where(_name == name, is_old, _is_free(now))
                .values(going_at=now)
                .returning(stored_object.c.going_at)
            )
            return connection.execute(statement).scalar()

    def end_removal(self, name: str, going_at: int) -> None:
        """The object is gone."""
        is_ours = sa.and_(_name == name, stored_object.c.going_at == going_at)
        with self._database.write() as connection:
            connection.execute(sa.delete(stored_object).where(is_ours))

    def note_removal(self, connection: sa.Connection, prefix: str) -> None:
        """Note in a transaction of the caller's that all objects with a prefix are about to go."""
        noted = sa.update(stored_object).where(_within(prefix))
        connection.execute(noted.values(going_at=_micros(self.now())))

    def unremoved(self, prefix: str) -> set[str]:
        """Names of the rows with a prefix whose objects somebody was removing who has died."""
        with self._database.read() as connection:
            is_left = stored_object.c.going_at < _micros(self.now() - REMOVAL_S)
            statement = sa.select(_name).where(_within(prefix), is_left)
            return set(connection.execute(statement).scalars())

    def forget(self, names: Iterable[str]) -> None:
        """The objects are gone."""
        with self._database.write() as connection:
            for name in names:
                connection.execute(sa.delete(stored_object).where(_name == name))

    def forget_prefix(self, prefix: str) -> None:
        """All objects with a prefix are gone."""
        with self._database.write() as connection:
            connection.execute(sa.delete(stored_object).where(_within(prefix)))

    def has(self, name: str) -> bool:
        """Whether there is such a row."""
        with self._database.read() as connection:
            return connection.execute(sa.select(_name).where(_name == name)).first() is not None

    def names(self, prefix: str) -> set[str]:
        """Names of all rows with a prefix."""
        with self._database.read() as connection:
            return set(connection.execute(sa.select(_name).where(_within(prefix))).scalars())

    def names_since(self, moment: float) -> set[str]:
        """Names of the rows that were written since a moment."""
        is_recent = stored_object.c.stored_at >= _micros(moment)
        with self._database.read() as connection:
            return set(connection.execute(sa.select(_name).where(is_recent)).scalars())

    def usage(self) -> dict[str, int]:
        """Bytes by kind."""
        total = sa.func.sum(stored_object.c.bytes)
        statement = sa.select(stored_object.c.kind, total).group_by(stored_object.c.kind)
        with self._database.read() as connection:
            return {kind: int(size) for kind, size in connection.execute(statement)}


def _within(prefix: str) -> sa.ColumnElement[bool]:
    """Names that begin with a prefix, by the order of their bytes: `0` follows the slash."""
    return sa.and_(_name >= prefix, _name < f"{prefix[:-1]}0")


def _is_free(now: int) -> sa.ColumnElement[bool]:
    """Whether nobody is removing it. Whoever died while removing is waited for no longer."""
    going_at = stored_object.c.going_at
    return sa.or_(going_at.is_(None), going_at < now - _micros(REMOVAL_S))


def _micros(seconds: float) -> int:
    return round(seconds * 1_000_000)
