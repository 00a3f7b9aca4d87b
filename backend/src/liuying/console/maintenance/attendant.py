"""Does what was asked for and what is due, beside the requests, while the console runs."""

from __future__ import annotations

import asyncio
import logging
import platform
import shutil
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import sqlalchemy as sa
from litestar import Litestar
from litestar.concurrency import sync_to_thread
from litestar.di import NamedDependency

from liuying.console.maintenance.work import WORK, Progress, StoppedError
from liuying.features.maintenance import service
from liuying.features.maintenance.rules import Kind, RunState
from liuying.installation.services import Services
from liuying.kit.database import AnyRow
from liuying.kit.database_errors import database_fault
from liuying.kit.errors import ConflictError, LiuyingError
from liuying.kit.event_waits import take_event
from liuying.kit.system_errors import fault_of
from liuying.workflows.backup_folder import clear_unfinished, drill_folder

LOG = logging.getLogger(__name__)
LOOK_S, WORKING_LOOK_S = 5.0, 1.0
# A starting console has more urgent work than what was due in the night.
PLANNING_DELAY_S = 15.0
CLOSED_WITHIN_S = 4.0
FAILURE = "内部错误，详情在控制台进程的日志里"


class Attendant:
    """Works on runs, one of each kind at a time, in threads of its own.

    Args:
        services: The open installation.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._is_wanted = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closing = False
        self._working: dict[int, tuple[threading.Thread, Progress]] = {}

    def begin(self) -> None:
        """Something was asked for. Any thread may say so."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._is_wanted.set)

    @asynccontextmanager
    async def running(self, _: Litestar) -> AsyncIterator[None]:
        """Work until the block ends; what is not done by then counts as interrupted."""
        self._loop = asyncio.get_running_loop()
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await sync_to_thread(self.close)

    def look(self, *, is_planning: bool = True) -> None:
        """Look once: give signs of life, end what others gave up, begin what waits or is due.

        Args:
            is_planning: Whether what is due is asked for.
        """
        self._keep()
        now = self._services.clock()
        with self._services.database.read() as connection:
            if not service.has_work(connection, now, is_planning=is_planning):
                return
        with self._services.database.write() as connection:
            lapsed = list(service.end_lapsed(connection, now))
        for row in lapsed:
            self._clear(row)
        if is_planning:
            with self._services.database.write() as connection:
                service.plan_due(connection, now)
        while self._begin_next():
            pass

    def wait(self) -> None:
        """Until everything that was begun here has ended."""
        for thread, _ in list(self._working.values()):
            thread.join()

    def finish(self) -> list[int]:
        """Do what waits or is due until nothing of it is left, without a server.

        Returns:
            The numbers of the runs that were worked on here.
        """
        worked_on: dict[int, None] = {}
        try:
            self.look()
            while self._working:
                worked_on |= dict.fromkeys(self._working)
                for thread, _ in list(self._working.values()):
                    thread.join(WORKING_LOOK_S)
                self.look(is_planning=False)
        finally:
            self.close()
        return list(worked_on)

    def close(self) -> None:
        """End what is being worked on, as far as it ends soon."""
        self._is_closing = True
        until = time.monotonic() + CLOSED_WITHIN_S
        for _, progress in list(self._working.values()):
            progress.stop()
        for thread, _ in list(self._working.values()):
            thread.join(max(0.0, until - time.monotonic()))

    async def _run(self) -> None:
        began = time.monotonic()
        while True:
            is_planning = time.monotonic() - began >= PLANNING_DELAY_S
            try:
                await sync_to_thread(self.look, is_planning=is_planning)
            except (OSError, sa.exc.SQLAlchemyError) as error:
                LOG.warning("maintenance could not be looked after: %s", error)
            except Exception:  # Whatever the error, the next look must not suffer.
                LOG.exception("looking after maintenance")
            await take_event(self._is_wanted, WORKING_LOOK_S if self._working else LOOK_S)

    def _keep(self) -> None:
        for run_id, (thread, progress) in list(self._working.items()):
            if not thread.is_alive():
                del self._working[run_id]
                continue
            now = self._services.clock()
            with self._services.database.write() as connection:
                is_wanted = service.keep_run(
                    connection, run_id, progress.stage, progress.done, progress.total, now
                )
            if not is_wanted:
                progress.stop()

    def _begin_next(self) -> bool:
        with self._services.database.write() as connection:
            row = service.claim_next(connection, platform.node(), self._services.clock())
        if row is None:
            return False
        progress = Progress()
        thread = threading.Thread(
            target=self._work, args=(row, progress), name=f"maintenance {row.kind}", daemon=True
        )
        self._working[row.id] = (thread, progress)
        thread.start()
        return True

    def _work(self, row: AnyRow, progress: Progress) -> None:
        kind = Kind(row.kind)
        try:
            result = WORK[kind](self._services, self._options(row), progress)
        except StoppedError:
            state = RunState.FAILED if self._is_closing else RunState.STOPPED
            self._end(row, state, fault=service.INTERRUPTED if self._is_closing else "")
        except LiuyingError as error:
            self._end(row, RunState.FAILED, fault=error.message)
        except OSError as error:
            self._end(row, RunState.FAILED, fault=fault_of(error))
        except sa.exc.DBAPIError as error:
            self._end(row, RunState.FAILED, fault=f"数据库出错：{database_fault(error)}")
        except Exception:
            LOG.exception("maintenance %s", row.kind)
            self._end(row, RunState.FAILED, fault=FAILURE)
        else:
            self._end(row, RunState.DONE, result)

    def _options(self, row: AnyRow) -> dict[str, object]:
        with self._services.database.read() as connection:
            drilled = service.open_run(connection, Kind.DRILL)
        return {
            **row.options,
            "is_scheduled": row.scheduled_for is not None,
            "spared": "" if drilled is None else drilled.options["file"],
        }

    def _end(self, row: AnyRow, state: RunState, result: object = None, fault: str = "") -> None:
        now = self._services.clock()
        try:
            with self._services.database.write() as connection:
                service.end_run(connection, row.id, state, now, result=result, fault=fault)
                if row.kind == Kind.REPAIR.value:
                    # What is left is asked of the doctor, unless he is at it.
                    with suppress(ConflictError):
                        service.ask_for(connection, Kind.DOCTOR, {}, row.asked_by, now)
        except sa.exc.SQLAlchemyError as error:
            # Without signs of life it counts as interrupted soon.
            LOG.warning("the end of maintenance %s could not be noted: %s", row.kind, error)

    def _clear(self, row: AnyRow) -> None:
        """Remove what a killed process left."""
        folder = self._services.settings.backups
        if row.kind == Kind.BACKUP.value:
            clear_unfinished(folder)
        elif row.kind == Kind.DRILL.value:
            shutil.rmtree(drill_folder(folder, row.options["folder"]), ignore_errors=True)


GivenAttendant = NamedDependency[Attendant]
