"""Beside the server: the orders of lists are built at the start, and again whenever the log of changes has a gap."""

from __future__ import annotations

import gc

from liuying.domains.catalogue.video_orders import VideoOrders
from liuying.domains.search.readings import load_dictionaries
from liuying.main.web.recurring import repeat

INTERVAL_S = 1.0
# A build that fails again and again leaves time for answers.
SHARE_OF_TIME = 5


class OrderBuilder:
    """Builds the orders where they are not there; until then the database answers.

    Args:
        orders: The process's own.
    """

    def __init__(self, orders: VideoOrders) -> None:
        self._orders = orders

    async def run(self) -> None:
        """Look again and again until cancelled."""
        await repeat(self._build, INTERVAL_S, "the orders of lists could not be built", SHARE_OF_TIME)

    def _build(self) -> None:
        if not self._orders.is_ready:
            self._orders.build()
            load_dictionaries()
            # What is there now stays: the collector, which stops everybody, need not look at it again and again.
            gc.freeze()
