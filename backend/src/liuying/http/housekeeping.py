"""Regular clean-up: hashes of networks and used codes (docs/security.md#t25), old jobs and
changes, the bin, uploads that nobody went on with, pictures that nothing shows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.name_counts import fold_changes, has_changes
from liuying.core.jobs.service import prune_jobs
from liuying.features.embedding.queries import prune_codes
from liuying.features.reports.queries import prune_marks
from liuying.features.search.terms import prune_searches
from liuying.features.sharing.queries import prune_visits
from liuying.http.recurring import always, repeat
from liuying.kit.changes import prune_changes
from liuying.kit.repeated_writes import prune_written
from liuying.kit.shared_limits import prune_limits
from liuying.workflows.pictures import settle_pictures, sweep_pictures
from liuying.workflows.protection import restore_places
from liuying.workflows.purging import purge_expired, remove_leftovers
from liuying.workflows.queries.web_assets import prune_assets
from liuying.workflows.removal import Installation
from liuying.workflows.repacking import remove_superseded
from liuying.workflows.taking_down import finish_take_downs
from liuying.workflows.uploading import expire_uploads

INTERVAL_S = 600.0
# What is not folded is read with every answer that counts names.
FOLDING_INTERVAL_S = 60.0
# What a kill left: files that are not where their rows say, covers that somebody may still see.
SETTLING_INTERVAL_S = 60.0
# The sweep reads the folder and every row with a picture: rarely, and at most a fiftieth of the
# time.
SWEEP_INTERVAL_S = 6 * 3600.0
# A starting server has more urgent work than reading every row.
SWEEP_DELAY_S = 300.0
SHARE_OF_TIME = 50


class Housekeeping:
    """Prunes at the start and every ten minutes, settles what a kill left and folds counts every
    minute, sweeps later and every six hours. Several processes may do so at once, but one is
    enough.

    Args:
        installation: What is pruned; ages are counted from its clock.
        is_ours: Whether it is this process's turn (`SingleRunner`).
    """

    def __init__(
        self,
        installation: Installation,
        is_ours: Callable[[], bool] = always,
    ) -> None:
        self._installation = installation
        self._database = installation.database
        self._is_ours = is_ours
        # The newest change of a video at the last turn; whoever is behind that rebuilds.
        self._logged = 0

    async def run(self) -> None:
        """Prune until cancelled. A database that does not answer is asked again at the next
        turn.
        """
        turns = (
            (self.prune, INTERVAL_S, "old rows could not be pruned"),
            (self.empty_bin, INTERVAL_S, "the bin could not be emptied"),
            (self.settle, SETTLING_INTERVAL_S, "files of removed videos could not be moved"),
            (self.fold, FOLDING_INTERVAL_S, "numbers of videos could not be folded"),
            (self.remove_superseded, INTERVAL_S, "superseded files could not be removed"),
            (self.expire_uploads, INTERVAL_S, "old uploads could not be removed"),
        )
        async with asyncio.TaskGroup() as running:
            for work, interval, complaint in turns:
                running.create_task(repeat(work, interval, complaint, is_ours=self._is_ours))
            running.create_task(
                repeat(
                    self.sweep,
                    SWEEP_INTERVAL_S,
                    "old pictures could not be swept",
                    SHARE_OF_TIME,
                    SWEEP_DELAY_S,
                    self._is_ours,
                )
            )

    def prune(self) -> None:
        """Prune once."""
        now = self._installation.clock()
        with self._database.write() as connection:
            prune_visits(connection, now)
        with self._database.write() as connection:
            prune_marks(connection, now)
        with self._database.write() as connection:
            prune_written(connection, now)
        with self._database.write() as connection:
            prune_codes(connection, now)
        with self._database.write() as connection:
            prune_searches(connection, now)
        with self._database.write() as connection:
            prune_jobs(connection, now)
        with self._database.write() as connection:
            prune_limits(connection, now)
        with self._database.write() as connection:
            prune_assets(connection, now)
        self._prune_changes()

    def empty_bin(self) -> None:
        """Purge what was taken down, what has been in the bin for long, and what a kill left."""
        finish_take_downs(self._installation)
        while purge_expired(self._installation, self._installation.clock()):
            pass
        remove_leftovers(self._installation)

    def remove_superseded(self) -> None:
        """Remove files of films that were published anew, once nobody plays them any more."""
        remove_superseded(self._installation, self._installation.clock())

    def settle(self) -> None:
        """Move files where their rows say, and take covers of removed videos out of the store."""
        restore_places(self._installation)
        settle_pictures(self._database, self._installation.objects)

    def fold(self) -> None:
        """Add what changed to the stored numbers of videos of artists and labels."""
        with self._database.read() as connection:
            is_left = has_changes(connection)
        while is_left:
            with self._database.write() as connection:
                is_left = fold_changes(connection)

    def _prune_changes(self) -> None:
        """The log of videos is kept from the turn before on: by age, however much is written."""
        with self._database.read() as connection:
            logged = change_log.newest_number(connection)
        while self._prune_videos():
            pass
        self._logged = logged
        while self._prune_topics():
            pass

    def _prune_videos(self) -> bool:
        with self._database.write() as connection:
            return change_log.prune_changes(connection, self._logged)

    def _prune_topics(self) -> bool:
        with self._database.write() as connection:
            return prune_changes(connection)

    def sweep(self) -> None:
        """Remove pictures that nothing shows."""
        sweep_pictures(self._database, self._installation.objects)

    def expire_uploads(self) -> None:
        """Remove uploads that nobody went on with."""
        expire_uploads(self._installation)
