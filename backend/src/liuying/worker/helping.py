"""What an idle worker does for others: encode chunks of the long films that they import.

A film of this machine goes before those of others, which must be fetched. A film whose chunks fail
here is left alone for a while; its importer encodes them, or reports the error.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from liuying.installation.services import Services
from liuying.media.chunk_offer import is_offered
from liuying.media.errors import MediaError
from liuying.worker.job_messages import FarHelp, FilmFetched, Help, Helped
from liuying.worker.runner_process import RunnerEndedError, RunnerProcess
from liuying.workflows.chunk_help import find_film
from liuying.workflows.far_help import (
    far_film,
    find_far_films,
    is_far_film_wanted,
    is_made_alike,
)
from liuying.workflows.inbox import has_inbox
from liuying.workflows.job_folders import JobFolders

LOG = logging.getLogger(__name__)
# How long a film is left alone after a failure.
PASSED_OVER_S = 300.0


class Helping:
    """The films that want help.

    Args:
        services: The installation.
        look_s: Seconds between two checks whether help is still wanted.
    """

    def __init__(self, services: Services, look_s: float) -> None:
        self._database = services.database
        self._folders = JobFolders(services.layout.jobs)
        self._has_inbox = has_inbox(services.objects)
        self._look_s = look_s
        self._passed_over: dict[str, float] = {}
        self._is_readable = True

    def find(self) -> Help | FarHelp | None:
        """Which film to help with; None if there is none."""
        now = time.monotonic()
        self._passed_over = {
            name: until for name, until in self._passed_over.items() if until > now
        }
        try:
            cache = find_film(self._folders, self._passed_over)
            found = self._find_far() if cache is None else Help(str(cache))
        except (OSError, MediaError, sa.exc.SQLAlchemyError) as error:
            if self._is_readable:  # Logged once: they are looked for every second.
                LOG.warning("there is no helping with long films: %s", error)
            self._is_readable = False
            return None
        self._is_readable = True
        return found

    def help_with(
        self,
        order: Help | FarHelp,
        runner: RunnerProcess,
        is_stopped: Callable[[], bool],
        is_called_away: Callable[[], bool],
    ) -> bool | None:
        """Have a process encode one chunk.

        Args:
            order: The film.
            runner: The process.
            is_stopped: Asked at every look.
            is_called_away: Likewise, while the film is fetched: that may take much longer than to
                encode a chunk.

        Returns:
            Whether a chunk was encoded; None if the process is in the middle of something and must
            be ended.

        Raises:
            RunnerEndedError: The process ended.
        """
        is_fetching = isinstance(order, FarHelp)
        name = order.film if isinstance(order, FarHelp) else Path(order.cache).name
        try:
            runner.tell(order)
            while True:
                said = runner.hear(self._look_s)
                if isinstance(said, Helped):
                    if said.is_failed:
                        self._pass_over(name)
                    return said.is_made
                if isinstance(said, FilmFetched):
                    is_fetching = False
                if is_stopped() or not self._is_wanted(order):
                    return None
                if is_fetching and is_called_away():
                    return None
        except RunnerEndedError:
            LOG.warning("the process that helped with %s ended", name)
            self._pass_over(name)
            raise

    def _find_far(self) -> FarHelp | None:
        if not self._has_inbox:
            return None
        for name in find_far_films(self._database, self._folders, self._passed_over):
            film = far_film(self._database, name)
            if film is None:
                continue
            if is_made_alike(film):
                return FarHelp(name)
            self._pass_over(name)
        return None

    def _is_wanted(self, order: Help | FarHelp) -> bool:
        if isinstance(order, Help):
            return is_offered(Path(order.cache))
        try:
            return is_far_film_wanted(self._database, order.film)
        except sa.exc.SQLAlchemyError:  # Asked again at the next look.
            return True

    def _pass_over(self, name: str) -> None:
        self._passed_over[name] = time.monotonic() + PASSED_OVER_S
