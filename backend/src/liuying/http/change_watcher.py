"""Telling the response cache what another process changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

import sqlalchemy as sa

from liuying.core.catalogue.queries.change_log import MOMENT, Moment
from liuying.http.change_signal import change_signal
from liuying.kit.changes import CacheTopic, Look, changes_after
from liuying.kit.database import Database
from liuying.kit.database_errors import database_reason
from liuying.kit.postgresql import STARTED_AT

# While the database does not answer, cached answers serve for so long: a failover takes less.
MAX_BLIND_S = 60.0
# A look that takes longer counts as no answer; it goes on.
SLOW_LOOK_S = 2.0
EVERYTHING = frozenset(CacheTopic)
# The database's own errors, and no free connection to it.
AWAY = (sa.exc.DBAPIError, sa.exc.TimeoutError)
LOG = logging.getLogger(__name__)


class ChangeWatcher:
    """Follows the change log: at each signal a look, which is one statement while nothing changes.

    Args:
        database: Contains the log.
        on_change: Called in the event loop with the changed topics.
        reread: Rereads what the server itself caches of partners before anybody learns of the
            change.
        follow: Applies changes of videos and of the catalogue, also before; told the log as this
            look found it.
        confirm: Told the newest numbers of the catalogue and of a video; returns whether what is in
            memory is as of them, so that there is nothing to follow.
        doubt: Called once nothing that is cached may be trusted any more.
        begin_anew: Called in a thread where another server answers than before, or numbers went
            back: what was followed may be another log with the same numbers.
    """

    def __init__(
        self,
        database: Database,
        on_change: Callable[[frozenset[CacheTopic]], None],
        reread: Callable[[sa.Connection], None],
        follow: Callable[[sa.Connection, Moment], None],
        confirm: Callable[[int, int], bool],
        doubt: Callable[[], None],
        begin_anew: Callable[[], None],
    ) -> None:
        self._database = database
        self._on_change = on_change
        self._reread = reread
        self._follow = follow
        self._confirm = confirm
        self._doubt = doubt
        self._begin_anew = begin_anew
        # Asked with the log: that of the videos, and which server answers.
        self._of_moment = MOMENT[database.engine.dialect.name]
        self._of_server = () if database.is_sqlite else (STARTED_AT,)
        # What the last look found.
        self._known: Look | None = None
        self._moment = Moment(0, 0, 0, None)
        self._looking: asyncio.Task[frozenset[CacheTopic]] | None = None
        self._answered_at = monotonic()
        self._is_blind = False

    @property
    def is_blind(self) -> bool:
        """Whether the database did not answer the last look."""
        return self._is_blind

    @property
    def blind_s(self) -> float:
        """Seconds since the log was last read; it is read every second and more often."""
        return monotonic() - self._answered_at

    async def begin(self) -> None:
        """Regard what was written so far as known: nothing is cached yet that could be stale."""
        await asyncio.to_thread(self._look)
        self._answered_at = monotonic()

    async def run(self) -> None:
        """Follow until cancelled. A database that does not answer is asked again."""
        signal = change_signal(self._database)
        try:
            while True:
                await self.look()
                await signal.wait()
        finally:
            signal.close()

    async def look(self) -> None:
        """Look once. After `MAX_BLIND_S` without an answer everything counts as changed."""
        if self._looking is None:
            self._looking = asyncio.create_task(asyncio.to_thread(self._look))
        done, _ = await asyncio.wait({self._looking}, timeout=SLOW_LOOK_S)
        if not done:
            self._note_blindness("it does not answer")
            return
        looking, self._looking = self._looking, None
        if isinstance(error := looking.exception(), AWAY):
            self._note_blindness(error)
            return
        if error is not None:
            # Whatever the error, following must not end: answers would be stale for ever.
            LOG.error("changes could not be followed", exc_info=error)
            self._distrust()
            return
        if self._is_blind:
            LOG.warning("the change log can be read again")
        self._is_blind = False
        self._answered_at = monotonic()
        if topics := looking.result():
            self._on_change(topics)

    def look_now(self) -> None:
        """Look once, immediately."""
        if topics := self._look():
            self._on_change(topics)

    def _note_blindness(self, reason: Exception | str) -> None:
        if not self._is_blind:
            known = database_reason(reason) if isinstance(reason, sa.exc.DBAPIError) else None
            LOG.error("the change log could not be read: %s", known.english if known else reason)
        self._is_blind = True
        if monotonic() - self._answered_at >= MAX_BLIND_S:
            self._distrust()

    def _distrust(self) -> None:
        """What changed meanwhile is unknown: nothing cached may be trusted."""
        self._doubt()
        self._on_change(EVERYTHING)

    def _look(self) -> frozenset[CacheTopic]:
        with self._database.read() as connection:
            known = self._known
            newest = 0 if known is None else known.newest
            since = self._moment.of_videos
            beside = (*self._of_moment, *self._of_server)
            found = changes_after(connection, newest, *beside, values=(since,))
            of_moment = len(self._of_moment)
            topics, moment = found.topics, Moment.of(since, *found.beside[:of_moment])
            if known is not None and (
                found.newest < known.newest or known.beside[of_moment:] != found.beside[of_moment:]
            ):
                topics = EVERYTHING
                self._begin_anew()
            if known is None or CacheTopic.CONFIG in topics:
                self._reread(connection)
            if CacheTopic.CATALOGUE in topics or not self._confirm(*moment.newest):
                self._follow(connection, moment)
            # Last: if anything failed, the same changes are seen again.
            self._known, self._moment = found, moment
        return topics
