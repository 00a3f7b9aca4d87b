"""Note which secrets the database belongs to, and make room for encrypted keys of partners.

The keys themselves are encrypted by the start that follows (`features.embedding.signing_keys`): a
migration does not know the secrets.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
COMMENT = "encrypted (kit.encrypted_values): 32 random bytes that sign its codes (HS256)"


def upgrade() -> None:
    op.create_table(
        "secret_fingerprint",
        sa.Column("name", sa.String(24), nullable=False, comment="a field of secrets.json"),
        sa.Column("fingerprint", sa.String(32), nullable=False, comment="keyed, hexadecimal"),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secret_fingerprint")),
    )
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column(
            "vendor", "key", type_=sa.String(160), existing_nullable=False, comment=COMMENT
        )
        return
    # SQLite widens no column. Making the table anew would take its used codes along, so the column
    # is made anew; no copy of a key may stay in what becomes free.
    op.execute("PRAGMA secure_delete=ON")
    op.add_column("vendor", sa.Column("wider", sa.String(160), nullable=False, server_default=""))
    op.execute("UPDATE vendor SET wider = key")
    op.execute("ALTER TABLE vendor DROP COLUMN key")
    op.execute("ALTER TABLE vendor RENAME COLUMN wider TO key")
