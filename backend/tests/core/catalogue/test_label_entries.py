"""The encoded list of labels is the database's after whatever an operator changes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.editing import merge_labels, remove_label, rename_label
from liuying.core.catalogue.label_entries import LabelEntries
from liuying.core.catalogue.name_counts import NameCounts
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.schemas import TagView
from liuying.core.catalogue.tables import label, video_label
from liuying.installation.services import Services
from liuying.workflows.editing import set_hidden
from liuying.workflows.named_rows import set_labels

ODD = '100% "video_count":0,'


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def listed(connection: sa.Connection, entries: LabelEntries) -> list[TagView]:
    return msgspec.json.decode(entries.encoded(connection), type=list[TagView])


def expected(connection: sa.Connection) -> list[TagView]:
    return [
        TagView(id=row.id, name=row.name, video_count=count)
        for row, count in names.label_rows(connection)
    ]


def number_of(connection: sa.Connection, name: str) -> int:
    number = names.id_by_name(connection, label, name)
    assert number is not None
    return number


CHANGES: list[Callable[[sa.Connection], object]] = [
    lambda connection: set_labels(connection, 101, [ODD]),
    *(
        lambda connection, one=one: set_labels(connection, one, [ODD, f"另{one % 3}"])
        for one in range(102, 109)
    ),
    lambda connection: rename_label(connection, number_of(connection, ODD), ODD + "2"),
    lambda connection: merge_labels(
        connection, number_of(connection, ODD + "2"), number_of(connection, "另1")
    ),
    # It stays without videos, and is not listed.
    lambda connection: connection.execute(sa.delete(video_label)),
    lambda connection: set_labels(connection, 101, ["另0", "另1"]),
    lambda connection: remove_label(connection, number_of(connection, "另1")),
]


def test_it_is_the_databases_after_each_change(filled: Services) -> None:
    entries = LabelEntries(NameCounts())
    for change in CHANGES:
        with filled.database.read() as connection:
            before = listed(connection, entries)
        with filled.database.write() as connection:
            change(connection)
        with filled.database.read() as connection:
            after = listed(connection, entries)
            assert after == expected(connection) != before


def test_another_count_reads_no_label_again(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = LabelEntries(NameCounts())
    with filled.database.write() as connection:
        set_labels(connection, 101, [ODD])
    with filled.database.read() as connection:
        before = listed(connection, entries)
    monkeypatch.setattr(
        "liuying.core.catalogue.label_entries.labels_by_id", lambda _: pytest.fail("read again")
    )
    set_hidden(filled, [101], is_hidden=True)
    with filled.database.read() as connection:
        after = listed(connection, entries)
    assert [one.name for one in before if one not in after] == [ODD]
