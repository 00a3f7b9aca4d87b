"""Running the transcoder for a plan, within the time and space that its result may take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TypeVar

import msgspec

from liuying.media.ffmpeg import Job, JobResult, Report, run
from liuying.media.plan import Plan

# Wall-clock time of one run: a slow machine needs many seconds for one second of a large picture.
BASE_TIMEOUT_S, TIMEOUT_FACTOR = 120.0, 60.0


Made = TypeVar("Made")


class PlannedRun(msgspec.Struct, frozen=True, kw_only=True):
    """Runs the transcoder.

    Attributes:
        plan: What is made.
        work: The folder to run in where no other is named.
        stop: Ends running and future runs; None if nobody else may.
    """

    plan: Plan
    work: Path
    stop: Event | None = None

    def __call__(
        self,
        arguments: list[str],
        report: Report | None = None,
        *,
        folder: Path | None = None,
        start: float = 0.0,
        duration: float | None = None,
    ) -> JobResult:
        """Run it to its end.

        Args:
            arguments: Inputs, filters and outputs.
            report: Called with the completed share.
            folder: Where it runs and writes its outputs.
            start: When the output's clock begins, in seconds.
            duration: Expected seconds of output; None for the whole film.

        Raises:
            CancelledError: `stop` was set.
            MediaError: As in `media.ffmpeg.run`.
        """
        seconds = self.plan.probe.timing.duration if duration is None else duration
        job = Job(
            arguments=arguments,
            folder=folder or self.work,
            duration=seconds,
            timeout=BASE_TIMEOUT_S + TIMEOUT_FACTOR * seconds,
            output_bytes=self.plan.output_bytes,
            start=start,
            stop=self.stop,
            accepts_damage=self.plan.accepts_damage,
        )
        return run(job, report)


@contextmanager
def beside(work: Callable[[PlannedRun], Made], run: PlannedRun) -> Iterator[Future[Made]]:
    """Make something in parallel with the block; it is stopped if the block ends before asking for
    it.

    Args:
        work: What to make, with runs of the transcoder that can be stopped.
        run: The same without a stop.

    Yields:
        Returns the result, or raises its error.
    """
    stop, made = Event(), Future[Made]()

    def make() -> None:
        try:
            made.set_result(work(msgspec.structs.replace(run, stop=stop)))
        except BaseException as error:  # noqa: BLE001 - raised where what is made is asked for
            made.set_exception(error)

    # Not a pool's thread: the interpreter would wait for it at exit.
    thread = Thread(target=make, name="beside", daemon=True)
    try:
        thread.start()
        yield made
    finally:
        stop.set()
        if thread.ident is not None:
            thread.join()
