"""Statements of uploads. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from liuying.features.uploads.tables import upload, upload_part
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow

_IS_OPEN = sa.and_(upload.c.job_id.is_(None), upload.c.film_id.is_(None))
_IS_COMPLETE = upload.c.received == upload.c.bytes
_film = upload.alias("film")
# What goes with a film is imported with it, and has no job of its own.
_IS_TO_COME = sa.and_(
    upload.c.job_id.is_(None),
    ~sa.exists().where(_film.c.id == upload.c.film_id, _film.c.job_id.is_not(None)),
)


def insert(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Begin an upload."""
    connection.execute(sa.insert(upload).values(**values))


def row(connection: sa.Connection, upload_id: str) -> AnyRow | None:
    """One upload."""
    return connection.execute(sa.select(upload).where(upload.c.id == upload_id)).first()


def received(connection: sa.Connection, upload_id: str) -> int | None:
    """Bytes that are there; None where there is no such upload."""
    statement = sa.select(upload.c.received).where(upload.c.id == upload_id)
    return connection.execute(statement).scalar()


def advance(
    connection: sa.Connection, upload_id: str, start: int, end: int, now: Milliseconds
) -> bool:
    """Note more bytes; False where others came first, or the upload was ended."""
    is_there = (upload.c.id == upload_id, upload.c.received == start, upload.c.bytes >= end)
    statement = sa.update(upload).where(*is_there).values(received=end, touched_at=now)
    return connection.execute(statement).rowcount == 1


def insert_part(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Note where some bytes are."""
    connection.execute(sa.insert(upload_part).values(**values))


def parts(connection: sa.Connection, upload_id: str) -> Sequence[AnyRow]:
    """The parts of an upload, in order."""
    statement = sa.select(upload_part).where(upload_part.c.upload_id == upload_id)
    return connection.execute(statement.order_by(upload_part.c.start)).all()


def change(connection: sa.Connection, upload_id: str, values: Mapping[str, object]) -> None:
    """Change columns of an upload."""
    connection.execute(sa.update(upload).where(upload.c.id == upload_id).values(**values))


def note_fault(connection: sa.Connection, upload_id: str, fault: str) -> None:
    """Note why an upload cannot be handed over, unless another process has done it."""
    is_it = (upload.c.id == upload_id, upload.c.job_id.is_(None))
    connection.execute(sa.update(upload).where(*is_it).values(fault=fault))


def give_to_film(connection: sa.Connection, ids: Sequence[str], film_id: str) -> int:
    """Let complete uploads go with a film; returns how many could."""
    is_free = (upload.c.id.in_(ids), sa.not_(upload.c.is_film), _IS_OPEN, _IS_COMPLETE)
    return connection.execute(sa.update(upload).where(*is_free).values(film_id=film_id)).rowcount


def beside(connection: sa.Connection, film_ids: Sequence[str]) -> Sequence[AnyRow]:
    """The uploads that go with films."""
    statement = sa.select(upload).where(upload.c.film_id.in_(film_ids))
    return connection.execute(statement.order_by(upload.c.name)).all()


def complete_ones(connection: sa.Connection, ids: Sequence[str]) -> Sequence[AnyRow]:
    """Those of some uploads that may go with a film."""
    is_free = (upload.c.id.in_(ids), sa.not_(upload.c.is_film), _IS_OPEN, _IS_COMPLETE)
    return connection.execute(sa.select(upload).where(*is_free)).all()


def delete(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Forget uploads."""
    connection.execute(sa.delete(upload).where(upload.c.id.in_(ids)))


def count_open(connection: sa.Connection) -> tuple[int, int]:
    """How many uploads are not imported yet, and how many bytes of them are to come."""
    missing = sa.func.coalesce(sa.func.sum(upload.c.bytes - upload.c.received), 0)
    statement = sa.select(sa.func.count(), missing).where(_IS_TO_COME)
    count, total = connection.execute(statement).one()
    return int(count), int(total)


def newest(connection: sa.Connection, limit: int) -> Sequence[AnyRow]:
    """Films, and what goes with none yet: unfinished ones first, then the newest."""
    statement = sa.select(upload).where(upload.c.film_id.is_(None))
    is_done = upload.c.job_id.is_not(None)
    ordered = statement.order_by(is_done, upload.c.created_at.desc(), upload.c.id)
    return connection.execute(ordered.limit(limit)).all()


def _next_complete(now: Milliseconds) -> sa.Select[tuple[str]]:
    is_due = (_IS_OPEN, _IS_COMPLETE, upload.c.is_film, upload.c.fault == "")
    statement = sa.select(upload.c.id).where(*is_due, upload.c.held_until <= now)
    return statement.order_by(upload.c.touched_at, upload.c.id).limit(1)


def is_any_complete(connection: sa.Connection, now: Milliseconds) -> bool:
    """Whether a film waits to be handed over."""
    return connection.execute(_next_complete(now)).first() is not None


def claim_complete(
    connection: sa.Connection, now: Milliseconds, until: Milliseconds
) -> AnyRow | None:
    """Claim a film that is to be handed over; two processes never get the same one."""
    next_one = _next_complete(now).with_for_update(skip_locked=True).scalar_subquery()
    statement = sa.update(upload).where(upload.c.id == next_one).values(held_until=until)
    return connection.execute(statement.returning(upload)).first()


def old_ones(connection: sa.Connection, before: Milliseconds) -> Sequence[AnyRow]:
    """Uploads that got nothing since a moment. What goes with a film goes when the film does."""
    is_old = (upload.c.touched_at < before, upload.c.film_id.is_(None))
    return connection.execute(sa.select(upload).where(*is_old).limit(500)).all()


def known_ids(connection: sa.Connection) -> set[str]:
    """The ids of all uploads whose bytes are needed."""
    statement = sa.select(upload.c.id).where(_IS_TO_COME)
    return set(connection.execute(statement).scalars())
