"""A visitor who was told 503 while his write went on, and sends it again: it is kept once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from litestar.concurrency import get_asyncio_executor, set_asyncio_executor

from liuying.features.feedback.tables import feedback
from liuying.features.reports.tables import report
from liuying.kit.answering import AnsweringThreads
from tests.conftest import Client

PATIENCE_S = 20.0
FEEDBACK = ("/api/syssuggest", {"content": "画面一直停在开头，声音正常"}, feedback)
REPORT = ("/api/report", {"video_id": 105, "reason": "侵犯版权"}, report)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def _impatient() -> Iterator[None]:
    """The threads of a server, for calls that wait half a second."""
    before = get_asyncio_executor()
    threads = AnsweringThreads(patience=0.5)
    set_asyncio_executor(threads)
    yield
    set_asyncio_executor(before)
    threads.shutdown()


class SlowCommit:
    """The first transaction that inserts into a table does not come back from its commit."""

    def __init__(self, engine: sa.Engine, table: sa.Table) -> None:
        self._start = f"INSERT INTO {table.name} "
        self.is_reached, self.may_end = threading.Event(), threading.Event()
        sa.event.listen(engine, "before_cursor_execute", self._note)
        sa.event.listen(engine, "commit", self._hold)

    def _note(self, connection: sa.Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(self._start) and not self.is_reached.is_set():
            connection.info["is_held"] = True

    def _hold(self, connection: sa.Connection) -> None:
        if connection.info.pop("is_held", False):
            self.is_reached.set()
            self.may_end.wait(PATIENCE_S)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(("path", "body", "table"), [FEEDBACK, REPORT])
def test_it_is_kept_once(
    client: Client, path: str, body: dict[str, object], table: sa.Table
) -> None:
    commit = SlowCommit(client.services.database.engine, table)
    refused = client.request("POST", path, json=body)
    assert refused.status_code == 503
    assert commit.is_reached.wait(PATIENCE_S)
    commit.may_end.set()
    again = [client.request("POST", path, json=body) for _ in range(2)]
    assert [one.status_code for one in again] == [200, 200]
    assert again[0].json() == again[1].json()
    with client.services.database.read() as connection:
        assert len(connection.execute(sa.select(table)).all()) == 1
