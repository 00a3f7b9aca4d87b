"""Uploads are tested on both databases, each with the store that is used with it. The fixtures are
imported by name.
"""

from __future__ import annotations

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(engine: str) -> str:
    """Of each database the store that is used with it."""
    return "folder" if engine == "sqlite" else "s3"
