"""What search holds of made-up videos is what the ordinary indexing makes of the same videos. On
both databases.
"""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.features.search.entries import CHANNELS
from liuying.features.search.queries.documents import note_state
from liuying.features.search.queries.engines import engine_of
from liuying.features.search.tables import (
    search_document,
    search_spelling,
    search_spelling_start,
    search_start,
    search_state,
)
from liuying.installation.services import Services
from liuying.kit.database import AnyRow
from liuying.workflows.indexing import build_index
from liuying_seeding import fill
from liuying_seeding.videos import Plan
from tests.catalogue_factory import NOW

VIDEOS = 300
OF_VIDEOS = (search_document, search_start, search_state)
OF_NAMES = (search_spelling, search_spelling_start)
Rows = dict[str, set[AnyRow]]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def rows(connection: sa.Connection, tables: tuple[sa.Table, ...]) -> Rows:
    return {table.name: set(connection.execute(sa.select(table)).all()) for table in tables}


def forget_all(connection: sa.Connection) -> None:
    """Leave the catalogue alone."""
    engine_of(connection).clear(connection)
    note_state(connection, 0, is_complete=False)
    for table in (search_document, search_start, *reversed(OF_NAMES)):
        # PostgreSQL would look for the beginnings of each name.
        command = (
            "TRUNCATE {} CASCADE" if connection.dialect.name == "postgresql" else "DELETE FROM {}"
        )
        connection.execute(sa.text(command.format(table.name)))


def test_search_knows_of_them_what_it_would_know_of_others(services: Services) -> None:
    fill.seed(services.database, Plan(VIDEOS, 1, NOW))
    with services.database.write() as connection:
        made, names = rows(connection, OF_VIDEOS), rows(connection, OF_NAMES)
        words = {
            channel: engine_of(connection).checksums(connection, channel) for channel in CHANNELS
        }
        forget_all(connection)
    build_index(services.database)
    with services.database.read() as connection:
        assert rows(connection, OF_VIDEOS) == made
        assert {
            channel: engine_of(connection).checksums(connection, channel) for channel in CHANNELS
        } == words
        assert VIDEOS - 5 <= len(words["words"]) == len(made["search_document"]) <= VIDEOS
        # Of names that no video has, it has not been told now.
        known = rows(connection, OF_NAMES)
        assert all(known[table.name] < names[table.name] for table in OF_NAMES)
        assert len(known["search_spelling"]) > VIDEOS
