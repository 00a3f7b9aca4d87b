"""Bringing the database to the current form: forward only, safe to repeat and to interrupt (decisions §8)."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from liuying.kit.database import Database
from liuying.workflows.indexing import build_index

MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"
# Any number that no other program on the same PostgreSQL server uses for its own lock.
ADVISORY_LOCK = 7_216_073_001


def migrate(database: Database) -> None:
    """Run what is missing, in one transaction that no other process can enter at the same time.

    What search must then index anew follows in batches (`workflows.indexing`).
    """
    config = _config()
    with database.write() as connection:
        if not database.is_sqlite:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    build_index(database)


def known_revisions() -> list[str]:
    """The migrations of this version, the newest first."""
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
