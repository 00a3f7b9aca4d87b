"""Telling the response cache what another process changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import sqlalchemy as sa

from liuying.kit.changes import CacheTopic, changes_after
from liuying.kit.database import Database

INTERVAL_S = 0.1
LOG = logging.getLogger(__name__)


class ChangeWatcher:
    """Follows the change log with ten look-ups a second, each an index seek.

    Args:
        database: Contains the log.
        on_change: Called in the event loop with the changed topics.
        reread: Rereads what the server itself caches of partners before anybody learns of the
            change.
        follow: Applies changes of videos, also before.
        doubt: Called if any of this failed.
    """

    def __init__(
        self,
        database: Database,
        on_change: Callable[[frozenset[CacheTopic]], None],
        reread: Callable[[sa.Connection], None],
        follow: Callable[[sa.Connection], None],
        doubt: Callable[[], None],
    ) -> None:
        self._database = database
        self._on_change = on_change
        self._reread = reread
        self._follow = follow
        self._doubt = doubt
        self._seen: int | None = None

    async def begin(self) -> None:
        """Regard what was written so far as known: nothing is cached yet that could be stale."""
        await asyncio.to_thread(self._look)

    async def run(self) -> None:
        """Follow until cancelled. A database that does not answer is asked again."""
        while True:
            await self.look()
            await asyncio.sleep(INTERVAL_S)

    async def look(self) -> None:
        """Look once. If that fails, everything counts as changed."""
        try:
            topics = await asyncio.to_thread(self._look)
        # Whatever the error, following must not end: answers would be stale for ever.
        except Exception:
            LOG.exception("the change log could not be read")
            # What changed meanwhile is unknown, so nothing cached may be trusted.
            self._doubt()
            topics = frozenset(CacheTopic)
        if topics:
            self._on_change(topics)

    def look_now(self) -> None:
        """Look once, immediately."""
        if topics := self._look():
            self._on_change(topics)

    def _look(self) -> frozenset[CacheTopic]:
        with self._database.read() as connection:
            seen, topics = changes_after(connection, self._seen or 0)
            if self._seen is None or CacheTopic.CONFIG in topics:
                self._reread(connection)
            self._follow(connection)
            # Last: if anything failed, the same changes are seen again.
            self._seen = seen
        return topics
