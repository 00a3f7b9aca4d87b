"""Statements of the console's access. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from liuying.features.operators.tables import (
    console_challenge,
    console_link,
    console_passkey,
    console_session,
)
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.rows import insert_row


def insert_link(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Note a one-time address."""
    connection.execute(sa.insert(console_link).values(**values))


def take_link(connection: sa.Connection, token_hash: str) -> AnyRow | None:
    """Remove a one-time address and return it: of two at the same time one gets it."""
    statement = sa.delete(console_link).where(console_link.c.token_hash == token_hash)
    return connection.execute(statement.returning(console_link)).first()


def insert_session(connection: sa.Connection, values: Mapping[str, object]) -> int:
    """Open a session; returns its number."""
    return insert_row(connection, console_session, values)


def session_of(connection: sa.Connection, token_hash: str) -> AnyRow | None:
    """The session with this cookie."""
    statement = sa.select(console_session).where(console_session.c.token_hash == token_hash)
    return connection.execute(statement).first()


def touch_session(connection: sa.Connection, session_id: int, now: Milliseconds) -> None:
    """Note that a session is used."""
    is_it = console_session.c.id == session_id
    connection.execute(sa.update(console_session).where(is_it).values(seen_at=now))


def open_sessions(
    connection: sa.Connection, created_after: Milliseconds, seen_after: Milliseconds
) -> Sequence[AnyRow]:
    """Sessions that are still valid, last used first."""
    is_open = (
        console_session.c.created_at > created_after,
        console_session.c.seen_at > seen_after,
    )
    statement = sa.select(console_session).where(*is_open)
    return connection.execute(
        statement.order_by(console_session.c.seen_at.desc(), console_session.c.id.desc())
    ).all()


def take_session(connection: sa.Connection, session_id: int) -> AnyRow | None:
    """End a session and return what it was."""
    statement = sa.delete(console_session).where(console_session.c.id == session_id)
    return connection.execute(statement.returning(console_session)).first()


def end_sessions_of_passkey(connection: sa.Connection, passkey_id: int) -> None:
    """End the sessions that a passkey opened."""
    connection.execute(sa.delete(console_session).where(console_session.c.passkey_id == passkey_id))


def insert_passkey(connection: sa.Connection, values: Mapping[str, object]) -> int:
    """Keep a passkey; returns its number."""
    return insert_row(connection, console_passkey, values)


def passkey_of(connection: sa.Connection, credential_id: str) -> AnyRow | None:
    """The passkey with the authenticator's id."""
    statement = sa.select(console_passkey).where(console_passkey.c.credential_id == credential_id)
    return connection.execute(statement).first()


def all_passkeys(connection: sa.Connection) -> Sequence[AnyRow]:
    """All passkeys, oldest first."""
    return connection.execute(sa.select(console_passkey).order_by(console_passkey.c.id)).all()


def note_passkey_use(
    connection: sa.Connection, passkey_id: int, sign_count: int, now: Milliseconds
) -> None:
    """Note that a passkey opened a session."""
    is_it = console_passkey.c.id == passkey_id
    values = {"sign_count": sign_count, "used_at": now}
    connection.execute(sa.update(console_passkey).where(is_it).values(**values))


def take_passkey(connection: sa.Connection, passkey_id: int) -> AnyRow | None:
    """Remove a passkey and return what it was."""
    statement = sa.delete(console_passkey).where(console_passkey.c.id == passkey_id)
    return connection.execute(statement.returning(console_passkey)).first()


def insert_challenge(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Note a challenge."""
    connection.execute(sa.insert(console_challenge).values(**values))


def take_challenge(connection: sa.Connection, challenge_hash: str) -> AnyRow | None:
    """Remove a challenge and return it: it answers once."""
    is_it = console_challenge.c.challenge_hash == challenge_hash
    statement = sa.delete(console_challenge).where(is_it).returning(console_challenge)
    return connection.execute(statement).first()


def prune(
    connection: sa.Connection,
    now: Milliseconds,
    created_before: Milliseconds,
    seen_before: Milliseconds,
) -> None:
    """Delete what is no longer valid."""
    is_over = sa.or_(
        console_session.c.created_at <= created_before, console_session.c.seen_at <= seen_before
    )
    connection.execute(sa.delete(console_session).where(is_over))
    connection.execute(sa.delete(console_link).where(console_link.c.expires_at <= now))


def prune_challenges(connection: sa.Connection, now: Milliseconds) -> None:
    """Delete challenges that are no longer valid."""
    is_over = console_challenge.c.expires_at <= now
    connection.execute(sa.delete(console_challenge).where(is_over))
