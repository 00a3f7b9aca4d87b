"""`/healthz`: the process answers. `/readyz`: it can do its work, and in which settings the site's
processes differ. Neither reveals more.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

from litestar.types import HTTPScope, Send

from liuying.installation.migrating import is_usable
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.workflows.queries.processes import differing_settings

LOG = logging.getLogger(__name__)
LIVE_PATH, READY_PATH = "/healthz", "/readyz"
PATHS = frozenset({LIVE_PATH, READY_PATH})
# A slower database is of no use to visitors either.
TIMEOUT_S = 2.0
# However many ask, the database is asked at most once in this time.
KEPT_S = 1.0


class Readiness:
    """Whether the database answers, and this version works with it; and whether other processes
    have other settings.

    Args:
        database: The one to ask.
        clock: The time.
        timeout: Seconds after which it counts as unavailable.
    """

    def __init__(self, database: Database, clock: Clock, timeout: float = TIMEOUT_S) -> None:
        self._database = database
        self._clock = clock
        self._timeout = timeout
        self._checked = -KEPT_S
        self._is_ready = False
        self._differing: list[str] = []
        self._pending: asyncio.Task[None] | None = None
        # Set when the process is to end: whoever distributes requests sends no more.
        self.is_ending = False

    @property
    def differing(self) -> list[str]:
        """Names of settings in which the processes of the site differ, as last seen."""
        return self._differing

    async def is_ready(self) -> bool:
        """Ask, or repeat a recent answer. Never takes much longer than the timeout."""
        if self.is_ending:
            return False
        if monotonic() - self._checked < KEPT_S:
            return self._is_ready
        # One question at a time: a database that hangs must not take all threads.
        if self._pending is None or self._pending.done():
            self._pending = asyncio.create_task(self._check())
        done, _ = await asyncio.wait({self._pending}, timeout=self._timeout)
        return bool(done) and self._is_ready

    async def _check(self) -> None:
        try:
            self._is_ready = await asyncio.to_thread(is_usable, self._database)
            if not self._is_ready:
                LOG.error("the database does not answer, or is not of this version's form")
            elif not self._database.is_sqlite:
                self._differing = await asyncio.to_thread(self._compare)
        except Exception:  # Whatever the error, the answer is no.
            self._is_ready = False
            LOG.exception("the database does not answer")
        self._checked = monotonic()

    def _compare(self) -> list[str]:
        with self._database.read() as connection:
            return sorted(differing_settings(connection, self._clock()))


class HealthAnswers:
    """Answers both paths outside the framework: they must work when it does not."""

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness

    async def __call__(self, scope: HTTPScope, send: Send) -> None:
        if scope["method"] not in {"GET", "HEAD"}:
            status, body = 405, b"method not allowed\n"
        elif scope["path"] == LIVE_PATH or await self._readiness.is_ready():
            status, body = 200, b"ok\n"
            if scope["path"] == READY_PATH and (differing := self._readiness.differing):
                body += f"settings differ: {', '.join(differing)}\n".encode()
        else:
            status, body = 503, b"unavailable\n"
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
        ]
        if status == 405:
            headers.append((b"allow", b"GET, HEAD"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        sent = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": sent, "more_body": False})
