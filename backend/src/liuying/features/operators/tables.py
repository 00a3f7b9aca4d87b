"""Tables of the console's access. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

console_link = sa.Table(
    "console_link",
    metadata,
    sa.Column("token_hash", sa.String(64), primary_key=True, comment="of a one-time address"),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("role", sa.String(8), nullable=False, comment="rules.Role"),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
)
console_session = sa.Table(
    "console_session",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True, comment="of the cookie"),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("role", sa.String(8), nullable=False, comment="rules.Role"),
    sa.Column("device", sa.String(120), nullable=False, comment="what the browser calls itself"),
    # No foreign key: removing a passkey ends its sessions in the same transaction.
    sa.Column("passkey_id", sa.Integer, comment="what opened it; NULL for a one-time address"),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
    sqlite_autoincrement=True,  # The audit log names sessions by their numbers.
)
console_passkey = sa.Table(
    "console_passkey",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("credential_id", sa.String(1400), nullable=False, unique=True, comment="base64url"),
    sa.Column("public_key", sa.LargeBinary, nullable=False, comment="COSE"),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("label", sa.String(40), nullable=False, comment="what the operator calls it"),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("role", sa.String(8), nullable=False, comment="rules.Role"),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("used_at", sa.BigInteger),
    sqlite_autoincrement=True,
)
console_challenge = sa.Table(
    "console_challenge",
    metadata,
    sa.Column("challenge_hash", sa.String(64), primary_key=True, comment="asked of a passkey"),
    # A challenge that enrols belongs to a session; one that opens a session to none.
    sa.Column("session_id", sa.Integer),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
)
