"""Note which rows a package made. The mark of made-up installations becomes one such note."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "provenance",
        sa.Column("source", sa.String(16), nullable=False, comment="the package: demo, bench"),
        sa.Column("kind", sa.String(24), nullable=False, comment="a table, or installation"),
        sa.Column("row_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("source", "kind", "row_id", name=op.f("pk_provenance")),
    )
    op.execute(
        "INSERT INTO provenance(source, kind, row_id)"
        " SELECT 'bench', 'installation', videos FROM made_up"
    )
    op.drop_table("made_up")
