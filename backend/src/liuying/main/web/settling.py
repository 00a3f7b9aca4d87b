"""Beside the server: what was watched reaches the lists, and ranks are renewed."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.pages.ranks import settle_views

LOG = logging.getLogger(__name__)
INTERVAL_S = 15.0
# However large the catalogue, at most a twentieth of the time goes into it.
SHARE_OF_TIME = 20


class ViewSettler:
    """Settles views again and again until cancelled."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """Settle, then rest. A database that does not answer is asked again."""
        while True:
            began = monotonic()
            try:
                await asyncio.to_thread(settle_views, self._database, self._clock())
            except Exception:  # whatever it is, settling must not end: counts would stand still for ever
                LOG.exception("views could not be settled")
            await asyncio.sleep(max(INTERVAL_S, SHARE_OF_TIME * (monotonic() - began)))
