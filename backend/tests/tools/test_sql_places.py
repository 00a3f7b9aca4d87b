"""The check that SQL stands in `queries.py` alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[3] / "tools" / "sql_places"
STATEMENT = """
import sqlalchemy as sa

from liuying.features.notices.tables import notice


def titles(connection: sa.Connection) -> list[str]:
    return list(connection.execute(sa.select(notice.c.title)).scalars())
"""


def check(folder: Path, name: str, text: str) -> list[str]:
    """The faults of a package of one module."""
    path = folder / "package" / name
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(TOOL), str(folder / "package")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (1 if done.stderr else 0)
    return done.stderr.splitlines()


@pytest.mark.parametrize(
    "name",
    [
        "features/notices/service.py",
        "features/notices/routes.py",
        "cli/notices.py",
        "workflows/doctor/catalogue.py",
        "kit/clock.py",
    ],
)
def test_a_statement_elsewhere_is_named(tmp_path: Path, name: str) -> None:
    faults = check(tmp_path, name, STATEMENT)
    assert f"package/{name}:8: connection.execute" in faults
    assert f"package/{name}:8: sa.select" in faults
    assert f"package/{name}:8: notice.c" in faults


@pytest.mark.parametrize(
    "name",
    [
        "features/notices/queries.py",
        "features/search/queries/terms.py",
        "features/notices/tables.py",
        "migrations/versions/0001_begin.py",
        "kit/database.py",
    ],
)
def test_a_statement_in_its_place_is_none(tmp_path: Path, name: str) -> None:
    assert check(tmp_path, name, STATEMENT) == []


@pytest.mark.parametrize(
    "line",
    [
        "from sqlalchemy import select",
        "from sqlalchemy.dialects import sqlite",
        "import sqlalchemy.dialects.sqlite",
        "import sqlalchemy\n\nTRUE = sqlalchemy.true()",
        'def read(connection):\n    return connection.exec_driver_sql("SELECT 1")',
    ],
)
def test_other_ways_to_a_statement_are_named_too(tmp_path: Path, line: str) -> None:
    assert check(tmp_path, "cli/videos.py", line + "\n") != []


def test_types_and_errors_may_be_named_anywhere(tmp_path: Path) -> None:
    text = """
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError


def read(connection: sa.Connection, row: sa.Row) -> None:
    try:
        row.title
    except (sa.exc.OperationalError, IntegrityError):
        raise
"""
    assert check(tmp_path, "features/notices/service.py", text) == []
