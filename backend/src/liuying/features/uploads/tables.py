"""Tables of uploads. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

upload = sa.Table(
    "upload",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True, comment="unguessable"),
    sa.Column("name", sa.String(255), nullable=False, comment="of the file, never a path"),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column(
        "received", sa.BigInteger, nullable=False, server_default="0", comment="of them, on disk"
    ),
    sa.Column("metadata", sa.Text, nullable=False, comment="as the client sent it"),
    sa.Column("is_film", sa.Boolean, nullable=False, comment="otherwise it goes with one"),
    sa.Column("film_id", sa.String(32), comment="the upload that it goes with, once that began"),
    sa.Column("details", sa.JSON, comment="what the operator typed of the film"),
    sa.Column("name_of_actor", sa.String(40), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("touched_at", sa.BigInteger, nullable=False, comment="when its last bytes came"),
    sa.Column(
        "held_until",
        sa.BigInteger,
        nullable=False,
        server_default="0",
        comment="a process is handing it over",
    ),
    sa.Column("job_id", sa.Integer, comment="the import that it became"),
    sa.Column("fault", sa.String(400), nullable=False, server_default=""),
    sa.Index("ix_upload_touched_at", "touched_at"),
    sa.Index("ix_upload_film_id", "film_id"),
)

# Where the store takes whole objects alone.
upload_part = sa.Table(
    "upload_part",
    metadata,
    sa.Column("upload_id", sa.ForeignKey("upload.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("start", sa.BigInteger, primary_key=True, autoincrement=False, comment="bytes"),
    sa.Column("bytes", sa.Integer, nullable=False),
    sa.Column("object_key", sa.String(200), nullable=False),
)
