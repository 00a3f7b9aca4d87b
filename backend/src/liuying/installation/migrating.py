"""Bringing the database to the current schema: forward only, safe to repeat and to interrupt
(docs/product.md#deployment).
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from liuying.features.embedding.queries import clear_keys
from liuying.features.embedding.signing_keys import SigningKeys
from liuying.installation.services import Services
from liuying.kit.database import Database, take_transaction_lock
from liuying.kit.errors import LiuyingError
from liuying.kit.secret_fingerprints import fingerprints, note_secrets, unnoted_secrets
from liuying.workflows.indexing import build_index
from liuying.workflows.queries.database import revision

MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"
# Must differ from every other lock on the same PostgreSQL server.
ADVISORY_LOCK = 7_216_073_001


class NewerDatabaseError(LiuyingError):
    """A later version migrated the database, and there is no way back."""

    def __init__(self) -> None:
        super().__init__("数据库来自更新的版本，请升级流影，或恢复升级前的备份")


def migrate(database: Database) -> None:
    """Run the missing migrations, in one transaction that excludes all other processes.

    What search must then index again follows in batches (`workflows.indexing`).

    Raises:
        NewerDatabaseError: A later version migrated the database.
    """
    if not _is_current(database):
        with database.write() as connection:
            take_transaction_lock(connection, ADVISORY_LOCK)
            _upgrade(connection)
    build_index(database)


def bring_up_to_date(services: Services) -> None:
    """Migrate, then do what needs the secrets: record to which secrets the database belongs, and
    encrypt what earlier versions stored in clear. Safe to repeat and to interrupt.

    Raises:
        NewerDatabaseError: A later version migrated the database.
    """
    database, hashes = services.database, services.hashes
    database.make_private()
    migrate(database)
    found = fingerprints(hashes, services.secrets.cover_keys)
    with database.read() as connection:
        unnoted = unnoted_secrets(connection, found)
        has_clear_keys = bool(clear_keys(connection))
    if unnoted:
        with database.write() as connection:
            note_secrets(connection, unnoted)
    if has_clear_keys:
        with database.write_without_trace() as connection:
            SigningKeys(hashes).encrypt_clear_keys(connection)


def known_revisions() -> list[str]:
    """The migrations of this version, newest first."""
    files = (MIGRATIONS / "versions").glob("[0-9]*.py")
    return sorted((file.name.partition("_")[0] for file in files), reverse=True)


def _is_current(database: Database) -> bool:
    try:
        with database.read() as connection:
            return revision(connection) == known_revisions()[0]
    except sa.exc.DBAPIError:  # What prevents reading it prevents migrating it too.
        return False


def _upgrade(connection: sa.Connection) -> None:
    # A command that finds the database current starts without the migration library.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.migration import MigrationContext  # noqa: PLC0415

    if not set(MigrationContext.configure(connection).get_current_heads()) <= set(
        known_revisions()
    ):
        raise NewerDatabaseError
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
