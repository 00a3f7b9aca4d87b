"""Bringing the database to the current form: forward only, safe to repeat and to interrupt (decisions §8)."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from liuying.kit.database import Database

MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"
# Any number that no other program on the same PostgreSQL server uses for its own lock.
ADVISORY_LOCK = 7_216_073_001


def migrate(database: Database) -> None:
    """Run what is missing, in one transaction that no other process can enter at the same time."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.write() as connection:
        if not database.is_sqlite:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
