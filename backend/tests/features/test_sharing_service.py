"""Visits: a network counts once, the sharer never, nothing is lost by pruning, on both
databases.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.share_ids import ShareId
from liuying.core.visitors.service import ensure_visitor
from liuying.features.sharing import queries, service
from liuying.features.sharing.rules import PERIOD
from liuying.features.sharing.service import Share
from liuying.features.sharing.tables import share_visit
from liuying.installation.services import Services
from liuying.kit.client_network import ClientNetwork
from liuying.kit.errors import NotFoundError
from liuying.kit.visitor_code import VisitorCode
from tests.catalogue_factory import NOW

HOME = ClientNetwork("192.0.2.1")
VIDEO = 300
# The first moment of a period, so that a test can count in periods.
START = (NOW // PERIOD + 1) * PERIOD


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def share(filled: Services) -> Share:
    with filled.database.write() as connection:
        visitor_id = ensure_visitor(connection, filled.hashes, VisitorCode("sharer000001"), START)
        return service.make_share(connection, filled.hashes, visitor_id, VIDEO, HOME, START)


def visit(
    services: Services, share: Share, network: str, now: int = START, visitor_id: int | None = None
) -> int:
    with services.database.write() as connection:
        return service.count_visit(
            connection, services.hashes, share.share_id, ClientNetwork(network), now, visitor_id
        )


def prune(services: Services, now: int) -> int:
    with services.database.write() as connection:
        return queries.prune_visits(connection, now)


def test_distinct_networks_count(filled: Services, share: Share) -> None:
    assert [
        visit(filled, share, one) for one in ("198.51.100.1", "198.51.100.1", "198.51.100.2")
    ] == [1, 1, 2]
    with filled.database.read() as connection:
        found = service.find_share(connection, share.share_id)
    assert (found.count, found.is_unlocked) == (2, True)


def test_the_sharer_does_not_count(filled: Services, share: Share) -> None:
    assert visit(filled, share, HOME) == 0
    # With the own code from elsewhere: that network is the sharer's from then on.
    assert visit(filled, share, "198.51.100.9", visitor_id=share.visitor_id) == 0
    assert visit(filled, share, "198.51.100.9") == 0
    assert visit(filled, share, "198.51.100.10", visitor_id=share.visitor_id + 1) == 1


def test_a_count_never_falls(filled: Services, share: Share) -> None:
    assert visit(filled, share, "198.51.100.1") == 1
    assert visit(filled, share, "198.51.100.1", visitor_id=share.visitor_id) == 1
    with filled.database.write() as connection:
        again = service.make_share(
            connection, filled.hashes, share.visitor_id, VIDEO, ClientNetwork("198.51.100.1"), START
        )
    assert (again.id, again.count) == (share.id, 1)


def test_a_network_is_known_across_the_end_of_a_period(filled: Services, share: Share) -> None:
    assert visit(filled, share, "198.51.100.1", START + PERIOD - 1000) == 1
    assert visit(filled, share, "198.51.100.1", START + PERIOD + 1000) == 1
    with filled.database.read() as connection:
        assert (
            connection.execute(sa.select(sa.func.count()).select_from(share_visit)).scalar_one()
            == 2
        )


def test_pruning_forgets_networks_and_keeps_the_count(filled: Services, share: Share) -> None:
    for number in range(3):
        visit(filled, share, f"198.51.100.{number}", START + number)
    assert prune(filled, START + PERIOD - 1) == 0
    assert prune(filled, START + PERIOD + 1) == 3  # the sharer's network, and two visitors'
    with filled.database.read() as connection:
        assert service.find_share(connection, share.share_id).count == 3
        hashes = connection.execute(sa.select(share_visit.c.network_hash)).scalars().all()
    assert len(hashes) == 1
    assert prune(filled, START + PERIOD + 1) == 0
    assert visit(filled, share, "198.51.100.2", START + PERIOD + 1) == 3


def test_no_address_is_stored(filled: Services, share: Share) -> None:
    visit(filled, share, "198.51.100.77")
    with filled.database.read() as connection:
        rows = connection.execute(sa.select(share_visit.c.network_hash)).scalars().all()
    assert all(len(row) == 64 and "198" not in row.split(".") and "." not in row for row in rows)


def test_visits_at_once_count_once(filled: Services, share: Share) -> None:
    workers = 8
    barrier = Barrier(workers)

    def race(number: int) -> int:
        barrier.wait()
        return visit(filled, share, f"198.51.100.{number % 2}")

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(race, range(workers)))
    with filled.database.read() as connection:
        assert service.find_share(connection, share.share_id).count == 2


def test_pruning_at_once_with_visits_loses_none(filled: Services, share: Share) -> None:
    for number in range(20):
        visit(filled, share, f"198.51.100.{number}")
    later = START + PERIOD + 1
    barrier = Barrier(6)

    def race(number: int) -> None:
        barrier.wait()
        if number % 2:
            prune(filled, later)
        else:
            visit(filled, share, f"203.0.113.{number}", later)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(race, range(6)))
    with filled.database.read() as connection:
        assert service.find_share(connection, share.share_id).count == 23


def test_shares_made_at_once_are_one(filled: Services) -> None:
    barrier = Barrier(6)

    def race(_: int) -> Share:
        barrier.wait()
        with filled.database.write() as connection:
            visitor_id = ensure_visitor(
                connection, filled.hashes, VisitorCode("sharer000002"), START
            )
            return service.make_share(connection, filled.hashes, visitor_id, VIDEO, HOME, START)

    with ThreadPoolExecutor(6) as pool:
        assert len({one.id for one in pool.map(race, range(6))}) == 1


def test_an_unknown_share(filled: Services) -> None:
    with filled.database.read() as connection, pytest.raises(NotFoundError):
        service.find_share(connection, ShareId(VIDEO, "00" * 8))
