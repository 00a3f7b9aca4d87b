"""Bringing the database to the current schema: forward only, safe to repeat and to interrupt
(docs/product.md#deployment).
"""

from __future__ import annotations

import logging
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from liuying.features.embedding.queries import clear_keys
from liuying.features.embedding.signing_keys import SigningKeys
from liuying.installation.services import Services
from liuying.kit.advisory_locks import AdvisoryLock
from liuying.kit.database import Database, take_transaction_lock
from liuying.kit.database_errors import LOCKED, database_reason
from liuying.kit.errors import LiuyingError
from liuying.kit.postgresql import limit_lock_wait
from liuying.kit.secret_fingerprints import fingerprints, note_secrets, unnoted_secrets
from liuying.workflows.indexing import build_index
from liuying.workflows.queries.database import note_oldest_reader, oldest_reader, revision
from liuying.workflows.queries.late_indexes import LateIndex, build, take_turn, unbuilt

LOG = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"
# The oldest version, named by its newest migration, that works with the tables as they are now. A
# migration that takes something away from it sets this to itself (CONTRIBUTING.md).
OLDEST_READER = "0025"
# Indexes of large tables, which are built after the migrations, without a transaction that others
# would wait for (CONTRIBUTING.md).
LATE_INDEXES: tuple[LateIndex, ...] = ()
# PostgreSQL changes a table once nobody uses it. Whoever comes later waits behind the change, so it
# gives up soon and tries again.
DDL_WAIT_S, DDL_TRIES = 2, 30


class NewerDatabaseError(LiuyingError):
    """A later version migrated the database beyond what this one understands, and there is no way
    back.
    """

    def __init__(self) -> None:
        super().__init__("数据库来自更新的版本，请升级流影，或恢复升级前的备份")


class UnmigratedDatabaseError(LiuyingError):
    """The database must be migrated, and the settings leave that to `liuying migrate`."""

    def __init__(self) -> None:
        super().__init__("数据库还没有迁移到这个版本：请先执行 liuying migrate")


def migrate(database: Database) -> None:
    """Run the missing migrations, in one transaction that excludes all other processes.

    What search must then index again follows in batches (`workflows.indexing`), then indexes of
    large tables.

    Raises:
        NewerDatabaseError: A later version migrated the database, and this one does not understand
            it.
    """
    if not is_usable(database):
        for attempt in range(1, DDL_TRIES + 1):
            try:
                with database.write() as connection:
                    take_transaction_lock(connection, AdvisoryLock.MIGRATION)
                    limit_lock_wait(connection, DDL_WAIT_S)
                    _upgrade(connection)
                break
            except sa.exc.DBAPIError as error:
                if database_reason(error) is not LOCKED or attempt == DDL_TRIES:
                    raise
    build_index(database)
    build_late_indexes(database)


def build_late_indexes(database: Database) -> None:
    """Build the indexes of `LATE_INDEXES` that are not there; only where this version is the
    database's own. Safe to repeat and to interrupt. What another process builds is left to it, and
    what fails to the next migration: queries do without, so nothing that starts fails for it.
    """
    if not LATE_INDEXES:
        return
    with database.read() as connection:
        left = unbuilt(connection, LATE_INDEXES)
        if revision(connection) != known_revisions()[0] or not left:
            return
    names = ", ".join(one.name for one in left)
    try:
        _build_left(database, names)
    except sa.exc.DBAPIError as error:
        LOG.warning("not built, the next migration tries again: %s: %s", names, error.orig)


def _build_left(database: Database, names: str) -> None:
    if database.is_sqlite:
        with database.write() as connection:
            for index in unbuilt(connection, LATE_INDEXES):
                build(connection, index)
        return
    with closing(database.detached()) as connection:
        if not take_turn(connection):
            LOG.warning("another process builds indexes: %s", names)
            return
        for index in unbuilt(connection, LATE_INDEXES):
            build(connection, index)


def is_usable(database: Database) -> bool:
    """Whether this version works with the database as it is: it has the same migrations, or further
    ones that leave everything that this version needs.
    """
    newest = known_revisions()[0]
    try:
        with database.read() as connection:
            found = revision(connection)
            return found == newest or (found > newest >= oldest_reader(connection))
    except sa.exc.DBAPIError:  # What prevents reading it prevents migrating it too.
        return False


def bring_up_to_date(services: Services, *, may_migrate: bool = True) -> None:
    """Migrate, then do what needs the secrets: record to which secrets the database belongs, and
    encrypt what earlier versions stored in clear. Safe to repeat and to interrupt.

    Args:
        may_migrate: Whether to do so; otherwise it is only checked whether somebody has.

    Raises:
        NewerDatabaseError: A later version migrated the database, and this one does not understand
            it.
        UnmigratedDatabaseError: The database must be migrated.
    """
    database, hashes = services.database, services.hashes
    database.make_private()
    if not may_migrate:
        if not is_usable(database):
            with database.read() as connection:  # One that does not answer says so here.
                is_newer = revision(connection) > known_revisions()[0]
            raise NewerDatabaseError if is_newer else UnmigratedDatabaseError
        return
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
    note_oldest_reader(connection, OLDEST_READER)
