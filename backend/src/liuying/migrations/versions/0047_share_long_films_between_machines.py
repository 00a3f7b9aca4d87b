"""Let workers on machines without a common folder help with a long film."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    op.create_table(
        "shared_film",
        sa.Column("name", sa.String(80), nullable=False, comment="content, plan and encoder"),
        sa.Column("asset_key", sa.String(32), nullable=False),
        sa.Column(
            "held_by", sa.String(40), nullable=False, comment="the import, as the asset names it"
        ),
        sa.Column("content", sa.String(64), nullable=False, comment="SHA-256 of the source file"),
        sa.Column("machine", sa.String(40), nullable=False, comment="kind of processor"),
        sa.Column("version", sa.String(40), nullable=False, comment="the program's"),
        sa.Column("offer", sa.Text(), nullable=False, comment="media.chunk_offer.Offer as JSON"),
        sa.Column(
            "free_part",
            sa.Integer(),
            nullable=True,
            comment="the first part with a chunk that nobody has begun",
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_shared_film")),
    )
    op.create_table(
        "shared_chunk",
        sa.Column("claim", sa.String(32), nullable=False, comment="of one helper's one try"),
        sa.Column("film", sa.String(80), nullable=False),
        sa.Column("state", sa.String(8), nullable=False, comment="shared_films.State"),
        sa.Column("part", sa.String(8), nullable=True, comment="which renditions"),
        sa.Column("number", sa.Integer(), nullable=True, comment="of the chunk"),
        sa.Column("files", sa.JSON(), nullable=True, comment="names in the inbox, by file name"),
        sa.Column("held_until", sa.BigInteger(), nullable=False, comment="by the database's clock"),
        sa.PrimaryKeyConstraint("claim", name=op.f("pk_shared_chunk")),
    )
    op.create_index("ix_shared_chunk_film", "shared_chunk", ["film", "state"])
