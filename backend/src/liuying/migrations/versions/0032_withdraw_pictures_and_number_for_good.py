"""Keep pictures that nobody may see out of the store, remember for a day which networks reported a
video, and never give a video's number twice.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

KEY, KEYED = "CONSTRAINT pk_video PRIMARY KEY (id)", "id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"
# Also of videos that are gone, as far as rows still tell of them.
LARGEST = """
SELECT max(number) FROM (
    SELECT max(id) AS number FROM video
    UNION ALL SELECT max(video_id) FROM video_change
    UNION ALL SELECT max(video_id) FROM reported_video
)
"""
# Decided by removing a video that was taken out of the bin since.
RESTORED = """
UPDATE reported_video SET state = 'restored' WHERE state = 'removed'
AND EXISTS (SELECT 1 FROM video WHERE video.id = video_id)
AND NOT EXISTS (SELECT 1 FROM removed_video WHERE removed_video.video_id = reported_video.video_id)
"""


def upgrade() -> None:
    op.create_table(
        "withdrawn_picture",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False, comment="the encrypted object"),
        sa.Column("withdrawn_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_withdrawn_picture")),
    )
    op.create_table(
        "report_mark",
        sa.Column("mark", sa.String(64), nullable=False, comment="KeyedHashes.digest"),
        sa.Column("day", sa.Integer(), nullable=False, comment="days since 1970"),
        sa.PrimaryKeyConstraint("mark", name=op.f("pk_report_mark")),
    )
    op.create_index("ix_report_mark_day", "report_mark", ["day"])
    op.execute(RESTORED)
    if op.get_bind().dialect.name == "sqlite":
        number_for_good(op.get_bind())


def number_for_good(connection: sa.Connection) -> None:
    """Let SQLite number videos as a sequence does.

    Writing the table anew would delete what refers to it, because foreign keys cannot be switched
    off inside a transaction. Its rows stay as they are, so its statement alone is changed
    (https://sqlite.org/lang_altertable.html, section 7), whatever the number of videos.
    """
    statement = sa.text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'video'")
    before = str(connection.execute(statement).scalar_one())
    if "AUTOINCREMENT" in before:
        return
    lines = [line.strip().rstrip(",") for line in before.splitlines()]
    after = before.replace("id INTEGER NOT NULL", KEYED, 1).replace(f"{KEY}, ", "", 1)
    if "id INTEGER NOT NULL" not in lines or KEY in after or KEYED not in after:
        raise RuntimeError("the table of videos is not as the migrations before made it")
    largest = connection.execute(sa.text(LARGEST)).scalar() or 0
    version = int(connection.exec_driver_sql("PRAGMA schema_version").scalar_one())
    connection.exec_driver_sql("PRAGMA writable_schema=ON")
    connection.execute(
        sa.text("UPDATE sqlite_master SET sql = :after WHERE type = 'table' AND name = 'video'"),
        {"after": after},
    )
    # Every connection reads the statements again.
    connection.exec_driver_sql(f"PRAGMA schema_version={version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema=OFF")
    connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = 'video'"))
    connection.execute(
        sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES ('video', :largest)"),
        {"largest": largest},
    )
