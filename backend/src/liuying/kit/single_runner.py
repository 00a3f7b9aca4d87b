"""Of all serving processes the one that does what needs doing once: aggregating views, ranks,
pruning, sweeping, publishing at a time.

Doing it twice would be right, too, but a waste: every process would compute what one has computed.
"""

from __future__ import annotations

import logging
import threading
from time import monotonic

import sqlalchemy as sa

from liuying.kit.advisory_locks import AdvisoryLock
from liuying.kit.database import Database
from liuying.kit.postgresql import end_when_silent

# A runner whose connection broke may go on for so long beside the next one.
ASKED_AGAIN_S = 2.0
# It asks more often than that. One that stands still gives the seat up then.
SILENT_S = 30
LOG = logging.getLogger(__name__)


class SingleRunner:
    """A seat that one process at a time holds, by an advisory lock of a connection of its own: when
    the process or the connection ends, the next one that asks has it.

    SQLite has one serving process, which always holds it.

    Args:
        database: The one that all processes share.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        # None where another process has the seat.
        self._connection: sa.Connection | None = None
        self._asked_at = -ASKED_AGAIN_S
        self._lock = threading.Lock()

    def is_ours(self) -> bool:
        """Whether this process holds the seat, after asking for it where nobody else does.

        Raises:
            sqlalchemy.exc.DBAPIError: The database does not answer.
        """
        if self._database.is_sqlite:
            return True
        with self._lock:
            if monotonic() - self._asked_at >= ASKED_AGAIN_S:
                self._ask()
                self._asked_at = monotonic()
            return self._connection is not None

    @property
    def is_held(self) -> bool:
        """Whether this process held the seat when it was last asked for."""
        return self._database.is_sqlite or self._connection is not None

    def close(self) -> None:
        """Leave the seat."""
        with self._lock:
            self._release()

    def _ask(self) -> None:
        if self._connection is not None:
            try:
                self._connection.exec_driver_sql("SELECT 1")
            except Exception:
                self._release()
                raise
            return
        if (connection := self._try_seat()) is None:
            return
        try:
            end_when_silent(connection, SILENT_S)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        LOG.info("this process now does what one process does for all")

    def _try_seat(self) -> sa.Connection | None:
        """A connection of its own that holds the seat; None if another process has it.

        Whoever does not get it asks every two seconds: by a connection of the pool, since a new one
        would cost the server more than everything else that a process does idle.
        """
        connection = self._database.engine.connect()
        statement = f"SELECT pg_try_advisory_lock({AdvisoryLock.RUNNER.value})"
        try:
            is_free = connection.exec_driver_sql(statement).scalar_one()
        except BaseException:
            connection.invalidate()  # It may hold the seat.
            connection.close()
            raise
        if not is_free:
            connection.close()
            return None
        connection.detach()
        return connection

    def _release(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
