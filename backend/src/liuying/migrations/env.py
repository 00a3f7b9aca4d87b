"""How Alembic runs our migrations: inside the caller's transaction (`installation.migrating`)."""

from __future__ import annotations

from alembic import context

from liuying.installation.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()
