"""Complete uploads become jobs of the import queue, beside the requests that completed them: a
large film takes longer to move than a client would wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import sqlalchemy as sa
from litestar import Litestar
from litestar.concurrency import sync_to_thread

from liuying.installation.services import Services
from liuying.kit.event_waits import take_event
from liuying.workflows.handing_over import hand_over_next

LOG = logging.getLogger(__name__)
# What a killed process left is looked for as often; what is completed here is taken at once.
LOOK_S = 5.0


class HandingOver:
    """Hands over what is complete while the console runs.

    Args:
        services: The open installation.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._is_wanted = asyncio.Event()

    def begin(self) -> None:
        """Something is complete."""
        self._is_wanted.set()

    @asynccontextmanager
    async def running(self, _: Litestar) -> AsyncIterator[None]:
        """Run until the block ends."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        while True:
            try:
                while await sync_to_thread(hand_over_next, self._services):
                    pass
            except (OSError, sa.exc.SQLAlchemyError) as error:
                LOG.warning("complete uploads could not be handed over: %s", error)
            except Exception:  # Whatever the error, the next upload must not suffer.
                LOG.exception("handing an upload over")
            await take_event(self._is_wanted, LOOK_S)
