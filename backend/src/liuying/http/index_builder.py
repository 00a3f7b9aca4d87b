"""Beside the server: reading the orders of lists, the items of videos, the searchable texts and the
names at the start, and again after a gap in the change log; items and names also when they changed.
"""

from __future__ import annotations

import asyncio
import gc

from liuying.core.catalogue.service import read_again, read_ahead
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.names_index import NamesIndex
from liuying.features.search.pinyin import load_dictionaries
from liuying.http.recurring import repeat
from liuying.kit.database import Database
from liuying.kit.freed_memory import give_memory_back

INTERVAL_S = 1.0
# A build that keeps failing must leave time for answers.
SHARE_OF_TIME = 5
# How long the first visitors wait for what is read before them. Without it each of their requests
# takes ten times as long and delays the reading. A million videos take longer.
BEFORE_ANSWERING_S = 3.0


class IndexBuilder:
    """Builds what is not in memory; until then the database answers.

    Args:
        database: The source of the list items.
        orders: The process's orders of lists.
        texts: The process's searchable texts.
        names: The process's names of artists and labels.
    """

    def __init__(
        self, database: Database, orders: SortIndex, texts: MemoryIndex, names: NamesIndex
    ) -> None:
        self._database = database
        self._orders = orders
        self._texts = texts
        self._names = names
        self._first: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Build for the first time, before anything is answered. Whatever takes longer than
        `BEFORE_ANSWERING_S` is left to `run`.
        """
        self._first = asyncio.create_task(asyncio.to_thread(self._build))
        await asyncio.wait({self._first}, timeout=BEFORE_ANSWERING_S)

    async def run(self) -> None:
        """Check again and again until cancelled."""
        try:
            if self._first is not None:
                # A failure is met again at once, and logged then.
                await asyncio.gather(self._first, return_exceptions=True)
            await repeat(
                self._build,
                INTERVAL_S,
                "lists and searches could not be read into memory",
                SHARE_OF_TIME,
            )
        finally:
            # The thread is not cancelled with it.
            self._texts.end()

    def _build(self) -> None:
        if not self._orders.is_ready or not self._texts.is_ready:
            self._orders.build()
            read_ahead(self._database, self._orders)
            give_memory_back()
            load_dictionaries()
            self._texts.build()
            # What exists now stays: the garbage collector, which stops everybody, need not look at
            # it again and again.
            gc.freeze()
            give_memory_back()
        read_again(self._database, self._orders)
        self._names.read_again()
        self._texts.save()
