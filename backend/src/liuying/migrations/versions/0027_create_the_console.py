"""Who may use the operator's console, and what was done there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

APPEND_ONLY = "the audit log is append-only"


def upgrade() -> None:
    name = ("name", sa.String(24))
    role = ("role", sa.String(8))
    op.create_table(
        "console_link",
        sa.Column("token_hash", sa.String(64), comment="of a one-time address"),
        sa.Column(*name, nullable=False),
        sa.Column(*role, nullable=False, comment="rules.Role"),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_console_link"),
    )
    op.create_table(
        "console_session",
        sa.Column("id", sa.Integer),
        sa.Column("token_hash", sa.String(64), nullable=False, comment="of the cookie"),
        sa.Column(*name, nullable=False),
        sa.Column(*role, nullable=False, comment="rules.Role"),
        sa.Column(
            "device", sa.String(120), nullable=False, comment="what the browser calls itself"
        ),
        sa.Column("passkey_id", sa.Integer, comment="what opened it; NULL for a one-time address"),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_console_session"),
        sa.UniqueConstraint("token_hash", name="uq_console_session_token_hash"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "console_passkey",
        sa.Column("id", sa.Integer),
        sa.Column("credential_id", sa.String(1400), nullable=False, comment="base64url"),
        sa.Column("public_key", sa.LargeBinary, nullable=False, comment="COSE"),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(40), nullable=False, comment="what the operator calls it"),
        sa.Column(*name, nullable=False),
        sa.Column(*role, nullable=False, comment="rules.Role"),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_console_passkey"),
        sa.UniqueConstraint("credential_id", name="uq_console_passkey_credential_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "console_challenge",
        sa.Column("challenge_hash", sa.String(64), comment="asked of a passkey"),
        sa.Column("session_id", sa.Integer),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("challenge_hash", name="pk_console_challenge"),
    )
    op.create_table(
        "console_audit",
        sa.Column("id", sa.Integer, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column(*name, nullable=False, comment="whose session"),
        sa.Column(*role, nullable=False),
        sa.Column("session_id", sa.Integer, comment="NULL for the command line"),
        sa.Column("action", sa.String(40), nullable=False, comment="a stable name: video.edit"),
        sa.Column("subject", sa.String(80), nullable=False, comment="of what: 视频 12"),
        sa.Column("before", sa.JSON, comment="the values that change"),
        sa.Column("after", sa.JSON, comment="what they become"),
        sa.PrimaryKeyConstraint("id", name="pk_console_audit"),
        sqlite_autoincrement=True,
    )
    _refuse_changes(op.get_bind().dialect.name == "postgresql")


def _refuse_changes(is_postgresql: bool) -> None:
    """The database itself refuses to change or delete an entry."""
    if is_postgresql:
        op.execute(
            "CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{APPEND_ONLY}'; END $$"
        )
        op.execute(
            "CREATE TRIGGER console_audit_kept BEFORE UPDATE OR DELETE ON console_audit "
            "FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER console_audit_no_{change.lower()} BEFORE {change} ON console_audit "
            f"BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY}'); END"
        )
