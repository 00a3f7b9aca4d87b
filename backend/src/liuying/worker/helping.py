"""What an idle worker does for others: encode chunks of the long films that they import.

A film whose chunks fail here is left alone for a while; its importer encodes them, or reports the
error.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from liuying.kit.storage_layout import StorageLayout
from liuying.media.chunk_offer import is_offered
from liuying.media.errors import MediaError
from liuying.worker.job_messages import Help, Helped
from liuying.worker.runner_process import RunnerEndedError, RunnerProcess
from liuying.workflows.chunk_help import find_film
from liuying.workflows.job_folders import JobFolders

LOG = logging.getLogger(__name__)
# How long a film is left alone after a failure.
PASSED_OVER_S = 300.0


class Helping:
    """The films that want help.

    Args:
        layout: The installation's.
        look_s: Seconds between two checks whether help is still wanted.
    """

    def __init__(self, layout: StorageLayout, look_s: float) -> None:
        self._folders = JobFolders(layout.jobs)
        self._look_s = look_s
        self._passed_over: dict[str, float] = {}
        self._is_readable = True

    def find(self) -> Path | None:
        """The folder of a film to help with; None if there is none."""
        now = time.monotonic()
        self._passed_over = {
            name: until for name, until in self._passed_over.items() if until > now
        }
        try:
            found = find_film(self._folders, self._passed_over)
        except (OSError, MediaError) as error:
            if self._is_readable:  # Logged once: they are looked for every second.
                LOG.warning("there is no helping with long films: %s", error)
            self._is_readable = False
            return None
        self._is_readable = True
        return found

    def help_with(
        self, cache: Path, runner: RunnerProcess, is_stopped: Callable[[], bool]
    ) -> bool | None:
        """Have a process encode one chunk.

        Args:
            cache: The film's folder.
            runner: The process.
            is_stopped: Asked at every look.

        Returns:
            Whether a chunk was encoded; None if the process is in the middle of one and must be
            ended.

        Raises:
            RunnerEndedError: The process ended.
        """
        try:
            runner.tell(Help(str(cache)))
            while True:
                said = runner.hear(self._look_s)
                if isinstance(said, Helped):
                    if said.is_failed:
                        self._pass_over(cache)
                    return said.is_made
                if is_stopped() or not is_offered(cache):
                    return None
        except RunnerEndedError:
            LOG.warning("the process that helped with %s ended", cache.name)
            self._pass_over(cache)
            raise

    def _pass_over(self, cache: Path) -> None:
        self._passed_over[cache.name] = time.monotonic() + PASSED_OVER_S
