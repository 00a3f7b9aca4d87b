"""One-time addresses and sessions. The database holds keyed hashes of tokens, never a token.

Whatever does not open the console is answered alike: nobody learns whether a token was wrong, used
or too old.
"""

from __future__ import annotations

import secrets

import msgspec
import sqlalchemy as sa

from liuying.features.operators import queries
from liuying.features.operators.rules import (
    DEVICE_LENGTH,
    IDLE_MS,
    LINK_MS,
    LONGEST_MS,
    TOKEN,
    TOKEN_BYTES,
    TOUCHED_MS,
    Role,
    operator_name,
)
from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.database import AnyRow, Database
from liuying.kit.errors import NotFoundError, UnauthorizedError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.texts import clean_text

LINK_REFUSED = "这个地址无效、已经用过，或已超过五分钟。请在服务器上重新执行 liuying console"


class Operator(msgspec.Struct, frozen=True):
    """Who makes a call: the name and role that a session was opened with."""

    session_id: int
    name: str
    role: Role


class SessionView(msgspec.Struct, frozen=True):
    """A session as operators see it. Times use the wire's form.

    Attributes:
        is_mine: Whether it makes this call.
        ends_at: When it ends however much it is used.
    """

    id: int
    name: str
    role: Role
    device: str
    has_passkey: bool
    created_at: str
    seen_at: str
    ends_at: str
    is_mine: bool


def create_link(
    connection: sa.Connection, hashes: KeyedHashes, name: str, role: Role, now: Milliseconds
) -> str:
    """A token that opens one session within `LINK_MS`.

    Raises:
        InvalidInputError: The name is blank or too long.
    """
    queries.prune(connection, now, now - LONGEST_MS, now - IDLE_MS)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    values = {
        "token_hash": token_hash(hashes, "console link", token),
        "name": operator_name(name),
        "role": role.value,
        "expires_at": now + LINK_MS,
    }
    queries.insert_link(connection, values)
    return token


def use_link(
    connection: sa.Connection, hashes: KeyedHashes, token: str, device: str, now: Milliseconds
) -> tuple[Operator, str]:
    """Open a session by a one-time token, which is used up.

    Returns:
        Who it is, and the new session's token.

    Raises:
        UnauthorizedError: The token is wrong, used or too old.
    """
    row = None
    if TOKEN.fullmatch(token):
        row = queries.take_link(connection, token_hash(hashes, "console link", token))
    if row is None or row.expires_at <= now:
        raise UnauthorizedError(LINK_REFUSED)
    return open_session(connection, hashes, row, device, now)


def open_session(
    connection: sa.Connection,
    hashes: KeyedHashes,
    opener: AnyRow,
    device: str,
    now: Milliseconds,
    passkey_id: int | None = None,
) -> tuple[Operator, str]:
    """Open a session with the name and role of a one-time address or a passkey."""
    queries.prune(connection, now, now - LONGEST_MS, now - IDLE_MS)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    values = {
        "token_hash": token_hash(hashes, "console session", token),
        "name": opener.name,
        "role": opener.role,
        "device": clean_text(device)[:DEVICE_LENGTH],
        "passkey_id": passkey_id,
        "created_at": now,
        "seen_at": now,
    }
    number = queries.insert_session(connection, values)
    return Operator(number, opener.name, Role(opener.role)), token


def find_operator(
    database: Database, hashes: KeyedHashes, token: str, now: Milliseconds, *, is_use: bool
) -> Operator | None:
    """Whose session a cookie opens; None where it opens none.

    Args:
        is_use: Whether the operator did something: what a page asks by itself keeps no session
            alive.
    """
    if TOKEN.fullmatch(token) is None:
        return None
    with database.read() as connection:
        row = queries.session_of(connection, token_hash(hashes, "console session", token))
    if row is None or row.created_at + LONGEST_MS <= now or row.seen_at + IDLE_MS <= now:
        return None
    if is_use and row.seen_at + TOUCHED_MS <= now:
        with database.write() as connection:
            queries.touch_session(connection, row.id, now)
    return Operator(row.id, row.name, Role(row.role))


def list_sessions(
    connection: sa.Connection, now: Milliseconds, mine: int | None = None
) -> list[SessionView]:
    """The open sessions, last used first."""
    rows = queries.open_sessions(connection, now - LONGEST_MS, now - IDLE_MS)
    return [
        SessionView(
            id=row.id,
            name=row.name,
            role=Role(row.role),
            device=row.device,
            has_passkey=row.passkey_id is not None,
            created_at=to_iso(row.created_at),
            seen_at=to_iso(row.seen_at),
            ends_at=to_iso(min(row.created_at + LONGEST_MS, row.seen_at + IDLE_MS)),
            is_mine=row.id == mine,
        )
        for row in rows
    ]


def end_session(connection: sa.Connection, session_id: int) -> str:
    """End a session at once; returns whose it was.

    Raises:
        NotFoundError: No session has this number.
    """
    row = queries.take_session(connection, session_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {session_id} 的登录")
    return str(row.name)


def token_hash(hashes: KeyedHashes, purpose: str, token: str) -> str:
    """What is stored instead of a token."""
    return hashes.digest(purpose, token).hex()
