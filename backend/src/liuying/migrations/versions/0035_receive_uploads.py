"""Receive uploads of the console, and keep what arrived."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.create_table(
        "upload",
        sa.Column("id", sa.String(32), nullable=False, comment="unguessable"),
        sa.Column("name", sa.String(255), nullable=False, comment="of the file, never a path"),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column(
            "received",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="of them, on disk",
        ),
        sa.Column("metadata", sa.Text(), nullable=False, comment="as the client sent it"),
        sa.Column("is_film", sa.Boolean(), nullable=False, comment="otherwise it goes with one"),
        sa.Column(
            "film_id",
            sa.String(32),
            nullable=True,
            comment="the upload that it goes with, once that began",
        ),
        sa.Column(
            "details", sa.JSON(), nullable=True, comment="what the operator typed of the film"
        ),
        sa.Column("name_of_actor", sa.String(40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column(
            "touched_at", sa.BigInteger(), nullable=False, comment="when its last bytes came"
        ),
        sa.Column(
            "held_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="a process is handing it over",
        ),
        sa.Column("job_id", sa.Integer(), nullable=True, comment="the import that it became"),
        sa.Column("fault", sa.String(400), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload")),
    )
    op.create_index("ix_upload_touched_at", "upload", ["touched_at"])
    op.create_index("ix_upload_film_id", "upload", ["film_id"])
    op.create_table(
        "upload_part",
        sa.Column("upload_id", sa.String(32), nullable=False),
        sa.Column("start", sa.BigInteger(), autoincrement=False, nullable=False, comment="bytes"),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("object_key", sa.String(200), nullable=False),
        sa.ForeignKeyConstraint(
            ["upload_id"],
            ["upload.id"],
            name=op.f("fk_upload_part_upload_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("upload_id", "start", name=op.f("pk_upload_part")),
    )
