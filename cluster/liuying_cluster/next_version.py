"""A made-up next version of the program: this one with a migration more, and an index that is built
after it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import liuying
from liuying.installation.migrating import known_revisions

REVISION = "9000"
INDEX = "ix_favourite_of_the_next_version"
MIGRATION = f'''"""A column of a table that everybody reads; the version before does not know it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "{REVISION}"
down_revision = "{{newest}}"


def upgrade() -> None:
    op.add_column("video", sa.Column("of_the_next_version", sa.Integer(), nullable=True))
'''
NO_INDEXES = "LATE_INDEXES: tuple[LateIndex, ...] = ()\n"
INDEXES = f'LATE_INDEXES = (LateIndex("{INDEX}", "favourite (created_at, video_id)"),)\n'


def make_next_version(folder: Path) -> Path:
    """Write it.

    Returns:
        The folder with the package.

    Raises:
        ValueError: This version builds indexes itself.
    """
    package = folder / "liuying"
    shutil.copytree(
        Path(liuying.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    versions = package / "migrations" / "versions"
    text = MIGRATION.format(newest=known_revisions()[0])
    (versions / f"{REVISION}_add_a_column_of_the_next_version.py").write_text(text)
    migrating = package / "installation" / "migrating.py"
    before = migrating.read_text()
    if NO_INDEXES not in before:
        raise ValueError(f"{migrating}: {NO_INDEXES}")
    migrating.write_text(before.replace(NO_INDEXES, INDEXES))
    return folder
