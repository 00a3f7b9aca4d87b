"""Old hashes and used codes go by themselves, whatever happens."""

from __future__ import annotations

import asyncio
import logging

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries import name_counts
from liuying.core.visitors.service import ensure_visitor
from liuying.features.embedding import service as embedding
from liuying.features.embedding.schemas import Perks
from liuying.features.embedding.tables import used_code
from liuying.features.sharing import service as sharing
from liuying.features.sharing.rules import PERIOD
from liuying.features.sharing.tables import share_visit
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.client_network import ClientNetwork
from liuying.kit.visitor_code import VisitorCode
from tests.catalogue_factory import NOW


def test_it_prunes_what_is_old(filled: Services) -> None:
    with filled.database.write() as connection:
        visitor_id = ensure_visitor(connection, filled.hashes, VisitorCode("sharer000001"), NOW)
        network = ClientNetwork("192.0.2.1")
        sharing.make_share(connection, filled.hashes, visitor_id, 300, network, NOW - PERIOD - 1)
        sharing.make_share(connection, filled.hashes, visitor_id, 301, network, NOW)
        embedding.add_vendor(
            connection, filled.hashes, "acme", "艾克米", "https://acme.example", Perks(), NOW
        )
        rows = [
            {"vendor_id": "acme", "jti": str(age), "expires_at": NOW - age} for age in (-1, 0, 1)
        ]
        connection.execute(sa.insert(used_code), rows)
    Housekeeping(filled).prune()
    with filled.database.read() as connection:
        assert len(connection.execute(sa.select(share_visit)).all()) == 1
        assert connection.execute(sa.select(used_code.c.jti)).scalars().all() == ["-1"]


def test_it_folds_what_changed_of_the_numbers_of_names(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_counts, "FOLDED_AT_ONCE", 3)
    with filled.database.read() as connection:
        before = name_counts.listed_counts(connection, "label")
        assert name_counts.has_changes(connection)
    Housekeeping(filled).fold()
    with filled.database.read() as connection:
        assert not name_counts.has_changes(connection)
        assert name_counts.listed_counts(connection, "label") == before


def test_a_fault_does_not_end_it(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turns: list[int] = []
    keeping = Housekeeping(services)

    def prune() -> None:
        turns.append(len(turns))
        if len(turns) == 1:
            raise RuntimeError("the database is away")

    monkeypatch.setattr("liuying.http.housekeeping.INTERVAL_S", 0.0)
    monkeypatch.setattr(keeping, "prune", prune)

    async def scenario() -> None:
        task = asyncio.create_task(keeping.run())
        while len(turns) < 3:
            await asyncio.sleep(0.01)
        task.cancel()

    with caplog.at_level(logging.ERROR):
        asyncio.run(scenario())
    assert "could not be pruned" in caplog.text
