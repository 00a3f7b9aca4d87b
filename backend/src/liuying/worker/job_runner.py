"""The process that imports for a worker, one file after another: a file that crashes it crashes
nothing else.

If its worker has no file, it encodes chunks of films that others import, on this machine or on
another. It ends with its standard input and on SIGTERM, even in the middle of a file. It first
removes what it began, but keeps the finished chunks of a long film; `CANCEL` removes those too.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

import msgspec
import sqlalchemy as sa

from liuying.core.jobs.rules import Fault
from liuying.media.chunks import Chunk
from liuying.media.errors import ChunkError, MediaError
from liuying.worker.job_messages import (
    CANCEL,
    Answer,
    Ended,
    FarHelp,
    FilmFetched,
    Help,
    Helped,
    ImportRequest,
    MendRequest,
    Progressed,
    Published,
    Said,
    Told,
    line_of,
)
from liuying.workflows.chunk_cache import ImportCancelledError
from liuying.workflows.chunk_help import help_with
from liuying.workflows.far_help import FarHelper
from liuying.workflows.import_progress import Stage
from liuying.workflows.import_result import Outcome
from liuying.workflows.import_services import ImportServices
from liuying.workflows.import_video import import_file
from liuying.workflows.inbox import fetched
from liuying.workflows.item_meta import meta_of
from liuying.workflows.job_causes import cause_of
from liuying.workflows.mending import mend_video
from liuying.workflows.video_meta import GivenMeta

LOG = logging.getLogger(__name__)
# Visitors' answers go first. The transcoder inherits it.
NICENESS = 10
# Progress is reported at most this often; the start of a stage always.
REPORT_S = 0.5
# How long a process whose worker is gone may take to clean up.
LAST_S = 15.0


def run_imports(services: ImportServices) -> None:
    """Import what standard input requests until it closes."""
    os.nice(NICENESS)
    signal.signal(signal.SIGTERM, _end)
    signal.signal(CANCEL, _end)
    told: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(told,), daemon=True).start()
    with FarHelper(services) as far:
        runner = _Runner(services, told, _own_output(), far)
        while True:
            runner.take_next()


def _own_output() -> BinaryIO:
    """Reserve standard output for messages: everything else that prints goes to standard error."""
    original = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(original, "wb", buffering=0)


def _end(number: int, _frame: object) -> None:
    # Only once: the clean-up at the end is not interrupted again.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(CANCEL, signal.SIG_IGN)
    raise ImportCancelledError(0) if number == CANCEL else SystemExit(0)


def _listen(told: SimpleQueue[bytes]) -> None:
    # Unbuffered: a buffer's lock, held by this thread, would keep the process from ending.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as lines:
        for line in lines:
            told.put(line)
    # The worker is gone, perhaps killed: another may claim its job, so nothing of this one may
    # continue.
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_S)
    os.kill(os.getpid(), signal.SIGKILL)


def _ended(work: Callable[[], Ended], name: str) -> Ended:
    """How some work ended: the worker must learn it in any case."""
    try:
        return work()
    except Exception as error:
        cause = cause_of(error)
        if cause.fault is Fault.PROGRAM:
            LOG.exception("at %r", name)
        return Ended(cause=cause)


class _Runner:
    def __init__(
        self,
        services: ImportServices,
        told: SimpleQueue[bytes],
        output: BinaryIO,
        far: FarHelper,
    ) -> None:
        self._services = services
        self._told = told
        self._output = output
        self._far = far
        self._last: tuple[Stage, float] | None = None

    def take_next(self) -> None:
        """Wait for an order and carry it out."""
        order = self._next()
        if isinstance(order, ImportRequest | MendRequest):
            self._far.let_go_of_all()
        else:
            self._far.let_go_of_ended()
        if isinstance(order, ImportRequest):
            self._last = None
            self._say(_ended(lambda: self._import(order), order.source))
        elif isinstance(order, MendRequest):
            self._last = None
            self._say(_ended(lambda: self._mend(order), f"video {order.video_id}"))
        elif isinstance(order, Help):
            cache = Path(order.cache)
            self._say(self._help(cache.name, lambda: help_with(cache)))
        elif isinstance(order, FarHelp):
            self._say(self._help(order.film, lambda: self._help_far(order.film)))

    def _import(self, order: ImportRequest) -> Ended:
        services = self._services
        with fetched(services.objects, services.layout, order.source, order.wanted) as item:
            meta, _ = meta_of(item, GivenMeta())
            result = import_file(
                services, item.source, meta, self._report, is_rest_left=self._is_rest_left
            )
        return Ended(is_whole=result.outcome is not Outcome.BEGUN, video_id=result.video_id)

    def _mend(self, order: MendRequest) -> Ended:
        mend_video(self._services, order.video_id, lambda share: self._report(Stage.MEND, share))
        return Ended(is_whole=True, video_id=order.video_id)

    def _help(self, film: str, make: Callable[[], Chunk | None]) -> Helped:
        try:
            made = make()
        except (
            ChunkError,
            MediaError,
            OSError,
        ) as error:  # The film's own process will find out whether the film is at fault.
            LOG.warning("a chunk of %s is left to the process that imports it: %r", film, error)
            return Helped(is_failed=True)
        except sa.exc.SQLAlchemyError as error:
            LOG.warning("no chunk of %s is made here now: %s", film, error)
            return Helped()
        if made is not None:
            LOG.info("made %s of %s for another process", made.name, film)
        return Helped(is_made=made is not None)

    def _help_far(self, film: str) -> Chunk | None:
        return self._far.help_with(film, lambda: self._say(FilmFetched()))

    def _is_rest_left(self) -> bool:
        self._say(Published())
        answer = self._next()
        return isinstance(answer, Answer) and answer.is_rest_left

    def _report(self, stage: Stage, share: float) -> None:
        now = time.monotonic()
        if self._last is not None and self._last[0] is stage and now - self._last[1] < REPORT_S:
            return
        self._last = (stage, now)
        self._say(Progressed(stage, share))

    def _next(self) -> Told:
        told: Told = msgspec.json.decode(self._told.get(), type=Told)
        return told

    def _say(self, message: Said) -> None:
        self._output.write(line_of(message))
