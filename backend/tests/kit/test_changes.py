"""The change log on both databases."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy as sa

from liuying.installation.services import Services
from liuying.kit import changes
from liuying.kit.changes import CacheTopic, changes_after, prune_changes, record_change


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_changes_are_seen_once(services: Services) -> None:
    with services.database.write() as connection:
        record_change(connection, CacheTopic.CATALOGUE, CacheTopic.SEARCH)
    with services.database.read() as connection:
        look = changes_after(connection, 0)
        assert look.topics == {CacheTopic.CATALOGUE, CacheTopic.SEARCH}
        assert changes_after(connection, look.newest) == (look.newest, frozenset(), ())


def test_a_log_that_ends_before_is_another_one(services: Services) -> None:
    with services.database.read() as connection:
        assert changes_after(connection, 3) == (0, frozenset(CacheTopic), ())


def test_a_topic_of_a_later_version_may_be_anything(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.insert(changes.change), [{"topic": "later"}])
        assert changes_after(connection, 0).topics == frozenset(CacheTopic)


def test_a_look_after_many_changes_finds_the_first_and_the_last(services: Services) -> None:
    many = changes.READ_AT_ONCE + 3
    with services.database.write() as connection:
        record_change(connection, CacheTopic.ADS)
        for _ in range(many):
            record_change(connection, CacheTopic.VIEWS)
        record_change(connection, CacheTopic.RANKS)
    with services.database.read() as connection:
        assert changes_after(connection, 0) == (
            many + 2,
            frozenset({CacheTopic.ADS, CacheTopic.VIEWS, CacheTopic.RANKS}),
            (),
        )
        for seen in (1, 2, 3, 4, 5):
            assert changes_after(connection, seen).topics == {CacheTopic.VIEWS, CacheTopic.RANKS}
        assert changes_after(connection, many + 1).topics == {CacheTopic.RANKS}


def test_what_is_asked_beside_is_answered_with_the_log(services: Services) -> None:
    with services.database.write() as connection:
        record_change(connection, CacheTopic.ADS)
        look = changes_after(connection, 0, "SELECT 7", "SELECT max(id) FROM video")
    assert look == (1, frozenset({CacheTopic.ADS}), (7, None))


def test_a_slow_transaction_is_not_overtaken(services: Services) -> None:
    """A number that is drawn earlier but committed later would never be seen."""

    def overtake() -> None:
        with services.database.write() as connection:
            record_change(connection, CacheTopic.ADS)

    with services.database.write() as slow:
        record_change(slow, CacheTopic.CATALOGUE)
        thread = threading.Thread(target=overtake)
        thread.start()
        # The other one waits for this transaction: nothing newer can be seen before it.
        thread.join(0.3)
        with services.database.read() as connection:
            assert changes_after(connection, 0) == (0, frozenset(), ())
    thread.join(20)
    with services.database.read() as connection:
        assert changes_after(connection, 0).topics == {CacheTopic.CATALOGUE, CacheTopic.ADS}


@pytest.mark.parametrize(("kept", "left"), [(1, 4), (10, 11), (1_000, 64)])
def test_pruning_tells_every_reader_the_same(
    services: Services, monkeypatch: pytest.MonkeyPatch, kept: int, left: int
) -> None:
    """Wherever a reader stopped, it learns of the same topics as from the whole log."""
    monkeypatch.setattr(changes, "PRUNED_AT_ONCE", 7)
    monkeypatch.setattr(changes, "KEPT_AT_LEAST", kept)
    with services.database.write() as connection:
        for number in range(30):
            record_change(connection, CacheTopic.SEARCH, CacheTopic.VIEWS)
            if number % 10 == 0:
                record_change(connection, CacheTopic.ADS)
        record_change(connection, CacheTopic.RANKS)
        whole = [changes_after(connection, seen) for seen in range(70)]
    with services.database.write() as connection:
        while prune_changes(connection):
            pass
        count = sa.select(sa.func.count()).select_from(changes.change)
        assert len(set(whole[0].topics)) == 4
        assert connection.execute(count).scalar_one() == left
        assert [changes_after(connection, seen) for seen in range(70)] == whole
        assert prune_changes(connection) is False
