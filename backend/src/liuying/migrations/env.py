"""How Alembic runs our migrations: inside the caller's transaction (`main.migrating`)."""

from __future__ import annotations

from alembic import context

from liuying.main.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()
