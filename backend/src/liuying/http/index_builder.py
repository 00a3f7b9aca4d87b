"""Beside the server: reading the orders of lists and the searchable texts at the start, and
again after a gap in the change log.
"""

from __future__ import annotations

import gc

from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.pinyin import load_dictionaries
from liuying.http.recurring import repeat

INTERVAL_S = 1.0
# A build that keeps failing must leave time for answers.
SHARE_OF_TIME = 5


class IndexBuilder:
    """Builds what is not in memory; until then the database answers.

    Args:
        orders: The process's orders of lists.
        texts: The process's searchable texts.
    """

    def __init__(self, orders: SortIndex, texts: MemoryIndex) -> None:
        self._orders = orders
        self._texts = texts

    async def run(self) -> None:
        """Check again and again until cancelled."""
        await repeat(
            self._build,
            INTERVAL_S,
            "lists and searches could not be read into memory",
            SHARE_OF_TIME,
        )

    def _build(self) -> None:
        if not self._orders.is_ready or self._texts.is_to_be_built:
            self._orders.build()
            load_dictionaries()
            self._texts.build()
            # What exists now stays: the garbage collector, which stops everybody, need not look at
            # it again and again.
            gc.freeze()
