"""A worker: claims jobs from the ledger, has a process import them, and keeps the ledger up to
date.

If nothing is due, it helps with somebody else's long film, one chunk at a time.

Whatever dies, the work continues. If the process dies, the job is retried later; if the worker
dies, its lease expires and another worker claims the job. A cancelled or lost job ends its process
at the next look.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.jobs.queries import ledger
from liuying.core.jobs.queries.ledger import Claim
from liuying.core.jobs.rules import LEASE_MS, Kind
from liuying.installation.services import Services
from liuying.kit.errors import LiuyingError
from liuying.worker.dead_imports import sweep_dead_imports
from liuying.worker.helping import Helping
from liuying.worker.job_messages import (
    Answer,
    Ended,
    ImportRequest,
    MendRequest,
    Progressed,
    Published,
    Said,
)
from liuying.worker.runner_process import RunnerEndedError, RunnerProcess
from liuying.workflows.import_progress import overall
from liuying.workflows.inbox import release
from liuying.workflows.job_causes import ENDED
from liuying.workflows.late_details import differs, write_details_of

LOG = logging.getLogger(__name__)
# How often an idle worker looks at the ledger, and a busy one whether its job was cancelled.
LOOK_S = 1.0
# Leases are renewed often enough to survive a database that keeps a writer waiting for ten seconds.
BEAT_S = 3.0
# After so long a job is taken by a worker that fetches a film to help with it.
CALLED_AFTER_MS = 3000
# An idle process, which takes memory, is ended after so long. Leftovers of dead imports are looked
# for as often.
IDLE_S = 30.0


def _order_of(held: Claim) -> ImportRequest | MendRequest:
    if held.kind is Kind.MEND:
        return MendRequest(int(held.wanted["video_id"]))
    return ImportRequest(held.source, held.wanted)


class _Work(msgspec.Struct):
    """A running job: its claim, when the lease was renewed, and its progress."""

    held: Claim
    beaten_at: float
    progress: float = 0.0
    stage: str = ""
    # What was last written of what the job says.
    written: dict[str, Any] | None = None


class Worker:
    """Works until told to stop.

    Args:
        services: The installation.
        is_stopped: Asked at every look.
        pause: Waits between two looks at an empty ledger.
    """

    def __init__(
        self,
        services: Services,
        is_stopped: Callable[[], bool],
        pause: Callable[[], None] = lambda: time.sleep(LOOK_S),
    ) -> None:
        self._services = services
        self._database = services.database
        self._is_stopped = is_stopped
        self._pause = pause
        self._runner: RunnerProcess | None = None
        self._helping = Helping(services, LOOK_S)
        self._is_answered = True
        self._name = f"{socket.gethostname()[:40]}:{os.getpid()}"

    def run(self, *, is_until_empty: bool = False) -> None:
        """Work until stopped.

        Args:
            is_until_empty: Return as soon as nothing is due, nobody needs help, and nobody holds a
                job: one that its worker died with is due again when its lease runs out.
        """
        swept_at = -IDLE_S
        try:
            while not self._is_stopped():
                if self._take() or self._help():
                    swept_at = time.monotonic()
                    continue
                if time.monotonic() - swept_at >= IDLE_S:
                    # Nothing has been due for so long, or this is the start.
                    self._end_runner()
                    sweep_dead_imports(self._services)
                    swept_at = time.monotonic()
                if is_until_empty and not self._is_leased():
                    return
                self._pause()
        finally:
            self._end_runner()

    def _is_leased(self) -> bool:
        try:
            with self._database.read() as connection:
                return ledger.is_leased(connection)
        except sa.exc.SQLAlchemyError:  # Asked again at the next look.
            return True

    def _take(self) -> bool:
        """Claim a job and work on it; False if there was none or the database did not answer."""
        work = self._claim()
        if work is not None:
            self._carry_out(work)
        return work is not None

    def _carry_out(self, work: _Work) -> None:
        try:
            self._work(work)
        except Exception:  # Whatever the error, the queue must not stand still.
            # The job's state is unknown: its lease expires, and somebody claims it again.
            LOG.exception("job %d was left in the middle", work.held.job_id)
            self._end_runner()

    def _help(self) -> bool:
        """Encode a chunk of a film that another process imports, or work on a job that became due
        while such a film was fetched; False if neither was done.
        """
        order = self._helping.find()
        if order is None:
            return False
        work: _Work | None = None

        def is_called_away() -> bool:
            nonlocal work
            # Idle workers take it sooner, and the film is fetched on.
            work = self._claim(waited_ms=CALLED_AFTER_MS)
            return work is not None

        try:
            runner = self._runner = self._runner or RunnerProcess(self._services.settings)
            is_made = self._helping.help_with(order, runner, self._is_stopped, is_called_away)
        except RunnerEndedError:
            is_made = None
        except OSError as error:
            LOG.warning("no process to help with a long film: %s", error)
            return False
        if is_made is None:
            self._end_runner()
        if work is not None:
            self._carry_out(work)
        return bool(is_made or work)

    def _claim(self, waited_ms: int = 0) -> _Work | None:
        """A job that has been due for so long; None if there is none or the database does not
        answer.
        """
        # The lease counts from here, whatever must end before the work begins.
        now, claimed_at, held = self._services.clock(), time.monotonic(), None
        try:
            with self._database.read() as connection:
                is_due = ledger.is_due(connection, now - waited_ms)
            if is_due:
                with self._database.write() as connection:
                    held = ledger.claim(connection, f"{self._name}:{secrets.token_hex(8)}", now)
        except sa.exc.SQLAlchemyError as error:
            if self._is_answered:  # Logged once: it is asked every second.
                LOG.warning("the ledger does not answer: %s", error)
            self._is_answered = False
        else:
            self._is_answered = True
        return None if held is None else _Work(held, claimed_at)

    def _work(self, work: _Work) -> None:
        held = work.held
        try:
            runner = self._runner = self._runner or RunnerProcess(self._services.settings)
            runner.tell(_order_of(held))
            while True:
                said = runner.hear(LOOK_S)
                if isinstance(said, Ended):
                    self._note_end(work, said)
                    return
                if self._is_stopped():
                    self._end_runner()
                    with self._database.write() as connection:
                        ledger.release(connection, held, self._services.clock())
                    return
                if not self._go_on(runner, work, said):
                    self._end_runner(is_cancelled=self._is_cancelled(held))
                    return
        except RunnerEndedError:
            LOG.warning("the process that imported job %d ended", held.job_id)
            self._end_runner()
            sweep_dead_imports(self._services)
            with self._database.write() as connection:
                ledger.fail(connection, held, ENDED, self._services.clock())

    def _go_on(self, runner: RunnerProcess, work: _Work, said: Said | None) -> bool:
        """Process a message; False if the job is no longer ours."""
        if isinstance(said, Progressed):
            work.progress, work.stage = overall(said.stage, said.share), said.stage.value
        is_rest_left = False
        try:
            if isinstance(said, Published):
                is_rest_left = self._note_published(work.held)
                self._write_late_details(work)
            is_ours = self._renew(work)
        except sa.exc.SQLAlchemyError as error:
            LOG.warning("job %d could not be kept in the ledger: %s", work.held.job_id, error)
            is_ours = time.monotonic() - work.beaten_at < LEASE_MS / 1000
        if isinstance(said, Published):
            runner.tell(Answer(is_rest_left))
        return is_ours

    def _renew(self, work: _Work) -> bool:
        if time.monotonic() < work.beaten_at + BEAT_S:
            with self._database.read() as connection:
                return ledger.is_held(connection, work.held)
        with self._database.write() as connection:
            is_ours = ledger.beat(
                connection, work.held, work.progress, work.stage, self._services.clock()
            )
        work.beaten_at = time.monotonic()
        return is_ours

    def _note_published(self, held: Claim) -> bool:
        """The first rendition is published; tells whether another job goes before the rest."""
        with self._database.write() as connection:
            ledger.note_published(connection, held)
            return ledger.is_more_urgent_due(connection, held, self._services.clock())

    def _write_late_details(self, work: _Work) -> None:
        """What the operator typed since the file was claimed. What cannot be written now may be at
        the end.
        """
        if not work.held.wanted.get("inbox"):
            return
        with self._database.read() as connection:
            wanted = ledger.wanted_of(connection, work.held.job_id)
        if not differs(work.held.wanted if work.written is None else work.written, wanted):
            return
        try:
            write_details_of(self._services, wanted)
            work.written = wanted
        except (LiuyingError, OSError) as error:
            LOG.warning("what was typed of job %d is not written: %s", work.held.job_id, error)

    def _note_end(self, work: _Work, ended: Ended) -> None:
        held = work.held
        if ended.cause is None and ended.is_whole:
            self._write_late_details(work)
        now = self._services.clock()
        with self._database.write() as connection:
            if ended.cause is not None:
                ledger.fail(connection, held, ended.cause, now)
            elif ended.is_whole:
                ledger.finish(connection, held, ended.video_id, now)
            else:
                ledger.release(connection, held, now)
        if ended.cause is None and ended.is_whole:
            try:
                release(self._database, self._services.objects, held.wanted)
            except (OSError, sa.exc.SQLAlchemyError) as error:  # The sweep tries again.
                LOG.warning("the files of job %d stay in the inbox: %s", held.job_id, error)

    def _is_cancelled(self, held: Claim) -> bool:
        try:
            with self._database.read() as connection:
                return ledger.is_cancelled(connection, held)
        except sa.exc.SQLAlchemyError:  # Finished chunks are then kept for a while.
            return False

    def _end_runner(self, *, is_cancelled: bool = False) -> None:
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.end(is_cancelled=is_cancelled)
