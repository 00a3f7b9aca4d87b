"""What wakes a process that follows the change log (docs/decisions/0003-a-numbered-change-log.md).

It only says when to look: what changed stands in the log, so nothing is lost with a signal.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Protocol

import sqlalchemy as sa

from liuying.kit.changes import CHANGE_CHANNEL
from liuying.kit.database import Database
from liuying.kit.event_waits import take_event
from liuying.kit.postgresql import listen

# SQLite tells nobody anything: a look is an index seek in this process.
POLL_INTERVAL_S = 0.1
# PostgreSQL notifies; this catches what was lost with a connection.
LONGEST_WAIT_S = 1.0
LOG = logging.getLogger(__name__)


class ChangeSignal(Protocol):
    """Tells when to look at the log."""

    async def wait(self) -> None:
        """Return when it is time to look; never raises because of the database."""

    def close(self) -> None:
        """Release what it holds."""


def change_signal(database: Database) -> ChangeSignal:
    """The signal that a database has."""
    return Interval() if database.is_sqlite else Notifications(database)


class Interval:
    """Ten looks a second."""

    async def wait(self) -> None:
        """Wait for the next look."""
        await asyncio.sleep(POLL_INTERVAL_S)

    def close(self) -> None:
        """Nothing to release."""


class Notifications:
    """`LISTEN`, and a look every second whatever was heard
    (https://www.postgresql.org/docs/current/sql-notify.html).

    Args:
        database: On PostgreSQL. Listening takes one connection of its own.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: sa.Connection | None = None
        # Its socket, as long as the event loop watches it.
        self._descriptor: int | None = None
        self._heard = asyncio.Event()
        self._is_deaf = False
        self._beginning: asyncio.Future[sa.Connection] | None = None

    async def wait(self) -> None:
        """Wait until a transaction with changes was committed, at most a second."""
        if self._connection is None:
            await self._begin()
        await take_event(self._heard, LONGEST_WAIT_S)

    def close(self) -> None:
        """End the connection, also one that is still being made."""
        if self._beginning is not None:
            self._beginning.add_done_callback(_end)
            self._beginning = None
        if self._descriptor is not None:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            self._descriptor = None
        # Forgotten first: closing one that broke may fail, and another one is to be made.
        connection, self._connection = self._connection, None
        if connection is not None:
            _close(connection)

    async def _begin(self) -> None:
        """Listen from now on. A server that stands still is not waited for; it is asked on."""
        if self._beginning is None:
            self._beginning = asyncio.get_running_loop().run_in_executor(None, self._listen)
        done, _ = await asyncio.wait({self._beginning}, timeout=LONGEST_WAIT_S)
        if not done:
            return
        beginning, self._beginning = self._beginning, None
        if (error := beginning.exception()) is not None:  # Whatever it is, looking goes on.
            if not self._is_deaf:
                LOG.warning("changes are looked for every second: %s", type(error).__name__)
            self._is_deaf = True
            return
        self._is_deaf = False
        self._connection = beginning.result()
        self._descriptor = _driver(self._connection).fileno()
        asyncio.get_running_loop().add_reader(self._descriptor, self._read)
        # What was committed before it listened was not heard.
        self._heard.set()

    def _listen(self) -> sa.Connection:
        connection = self._database.detached()
        try:
            listen(connection, CHANGE_CHANNEL)
        except BaseException:
            connection.close()
            raise
        return connection

    def _read(self) -> None:
        """Take what arrived from the socket. A connection that broke is made anew."""
        self._heard.set()
        if self._connection is None:  # Closed while this call was under way.
            return
        try:
            held = _driver(self._connection).pgconn
            held.consume_input()
            while held.notifies() is not None:
                pass
        except Exception:  # noqa: BLE001  # psycopg's OperationalError: the server is gone
            self.close()


def _end(beginning: asyncio.Future[sa.Connection]) -> None:
    """Close a connection that nobody waits for any more."""
    if not beginning.cancelled() and beginning.exception() is None:
        _close(beginning.result())


def _close(connection: sa.Connection) -> None:
    with suppress(sa.exc.DBAPIError):
        connection.close()


def _driver(connection: sa.Connection) -> Any:
    """psycopg's own connection; the pool's record of it is gone."""
    return connection.connection.dbapi_connection
