"""The encoded list of artists is the database's after whatever an operator changes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.artist_entries import ArtistEntries
from liuying.core.catalogue.editing import edit_artist, merge_artists
from liuying.core.catalogue.name_counts import NameCounts
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.schemas import ArtistView, artist_view
from liuying.core.catalogue.tables import artist
from liuying.installation.services import Services
from liuying.workflows.editing import set_hidden
from liuying.workflows.named_rows import set_artists

ODD = '100% "video_count":0,'


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def listed(connection: sa.Connection, entries: ArtistEntries) -> list[ArtistView]:
    return msgspec.json.decode(entries.encoded(connection), type=list[ArtistView])


def rename_new(connection: sa.Connection) -> None:
    number = names.id_by_name(connection, artist, ODD)
    assert number is not None
    edit_artist(connection, number, None, f"简介 {ODD}", None)


def merge_new(connection: sa.Connection) -> None:
    number = names.id_by_name(connection, artist, ODD)
    assert number is not None
    merge_artists(connection, number, 1)


CHANGES: list[Callable[[sa.Connection], None]] = [
    lambda connection: set_artists(connection, 101, [ODD]),
    rename_new,
    # It stays, without videos, and can be edited all the same.
    lambda connection: set_artists(connection, 101, []),
    rename_new,
    merge_new,
]


def test_it_is_the_databases_after_each_change(filled: Services) -> None:
    entries = ArtistEntries(NameCounts())
    for change in CHANGES:
        with filled.database.read() as connection:
            before = listed(connection, entries)
        with filled.database.write() as connection:
            change(connection)
        with filled.database.read() as connection:
            expected = [artist_view(*found) for found in names.artist_rows(connection)]
            assert listed(connection, entries) == expected
        assert expected != before or change is rename_new


def test_another_count_reads_no_artist_again(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = ArtistEntries(NameCounts())
    with filled.database.read() as connection:
        before = listed(connection, entries)
    hidden = 101
    with filled.database.write() as connection:
        set_artists(connection, hidden, [before[0].name])
    with filled.database.read() as connection:
        before = listed(connection, entries)
    monkeypatch.setattr(names, "artists_in_order", lambda _: pytest.fail("read again"))
    set_hidden(filled, [hidden], is_hidden=True)
    with filled.database.read() as connection:
        after = listed(connection, entries)
    assert after[0].video_count == before[0].video_count - 1
