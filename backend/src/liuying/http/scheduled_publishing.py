"""Beside the server: publishing videos to the second when their time comes."""

from __future__ import annotations

from collections.abc import Callable

from liuying.http.recurring import always, repeat
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.workflows.scheduled_publication import publish_due

# One look at an index a second.
INTERVAL_S = 1.0
SHARE_OF_TIME = 20


class ScheduledPublisher:
    """Publishes what is due, again and again until cancelled.

    Args:
        database: Contains the videos.
        clock: The time.
        is_ours: Whether it is this process's turn (`SingleRunner`).
    """

    def __init__(
        self, database: Database, clock: Clock, is_ours: Callable[[], bool] = always
    ) -> None:
        self._database = database
        self._clock = clock
        self._is_ours = is_ours

    async def run(self) -> None:
        """Publish, then rest. A database that does not answer is asked again."""
        complaint = "scheduled videos could not be published"
        await repeat(self.publish, INTERVAL_S, complaint, SHARE_OF_TIME, is_ours=self._is_ours)

    def publish(self) -> None:
        """Publish once."""
        publish_due(self._database, self._clock())
