"""Beside the server: publishing videos to the second when their time comes."""

from __future__ import annotations

from liuying.http.recurring import repeat
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.workflows.scheduled_publication import publish_due

# One look at an index a second.
INTERVAL_S = 1.0
SHARE_OF_TIME = 20


class ScheduledPublisher:
    """Publishes what is due, again and again until cancelled."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """Publish, then rest. A database that does not answer is asked again."""
        complaint = "scheduled videos could not be published"
        await repeat(self.publish, INTERVAL_S, complaint, SHARE_OF_TIME)

    def publish(self) -> None:
        """Publish once."""
        publish_due(self._database, self._clock())
