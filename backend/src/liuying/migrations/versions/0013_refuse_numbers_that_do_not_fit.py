"""Refuse videos whose numbers have more than 31 bits: PostgreSQL does, and calls, orders and
searches expect it.

SQLite cannot add a check to a table without writing the table anew; a trigger does the same.
"""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"

# The number is known only after the row is there, where SQLite chooses it.
TRIGGER = """
CREATE TRIGGER video_number_{event} AFTER {when} ON video WHEN NEW.id NOT BETWEEN 1 AND 2147483647
BEGIN SELECT RAISE(ABORT, 'the number of a video is from 1 to 2147483647'); END
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(TRIGGER.format(event="insert", when="INSERT"))
        op.execute(TRIGGER.format(event="update", when="UPDATE OF id"))
