"""What the server measures of itself. No metric names a visitor, an address or a video."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa
from litestar.types import HTTPScope, Message, Send

from liuying import __version__
from liuying.core.jobs.rules import State
from liuying.core.jobs.service import measure_queue
from liuying.core.playback.queries.assets import count_states
from liuying.features.views.service import list_failing
from liuying.http.files import DataFiles
from liuying.http.response_cache import ResponseCache
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.metrics import Counter, Family, Histogram, Labels, document, sampled

REQUEST_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
WAIT_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
OUTCOMES = {"complete": "complete", "low": "partial", "failed": "failed", "registered": "under_way"}
CACHED_STATUSES = ("200", "304")
CLASSES = {"/api": "api", "/media": "media", "/enc": "pictures", "/assets": "assets"}
PAGE_CLASS, HEALTH_CLASS, CACHED_CLASS = "pages", "health", "cached"


class ServerMetrics:
    """The metrics of one server process.

    Args:
        response_cache: Caches answers and counts them.
        files: Sends files and counts those that the protocol sends by itself.
        database: Asked about imports at each reading.
        clock: The time by which play health is summed.
        standing: Further metrics at each reading (`http/standing.py`).
    """

    def __init__(
        self,
        response_cache: ResponseCache,
        files: DataFiles,
        database: Database,
        clock: Clock,
        standing: Callable[[], Iterator[Iterator[str]]],
    ) -> None:
        self._standing = standing
        self._response_cache = response_cache
        self._files = files
        self._database = database
        self._clock = clock
        self._began = time.time()
        self._requests = Counter(
            Family(
                "liuying_requests_total",
                "counter",
                "Requests by route class and status.",
                ("route", "status"),
            )
        )
        self._seconds = Histogram(
            Family(
                "liuying_request_seconds",
                "histogram",
                "Time from a request's head to its answer's end.",
                ("route",),
            ),
            REQUEST_BOUNDS,
        )
        self._write_wait = Histogram(
            Family(
                "liuying_database_write_wait_seconds",
                "histogram",
                "Time until a write transaction had its lock.",
            ),
            WAIT_BOUNDS,
        )
        database.on_write = self._write_wait.observe

    def follow(self, scope: HTTPScope, send: Send) -> Send:
        """A `send` that counts the answer of a request."""
        began = time.perf_counter()
        route, status = route_class(scope["path"]), ""

        async def send_counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                self._requests.add(route, status)
                self._seconds.observe(time.perf_counter() - began, route)

        return send_counted

    def text(self) -> str:
        """All metrics in Prometheus' text format."""
        return document((*self._counted(), *self._standing(), *self._rows(), *self._process()))

    def _counted(self) -> Iterator[Iterator[str]]:
        cached = self._response_cache.counts
        # What the protocol answers by itself is counted there, without a lock.
        direct: dict[Labels, float] = {
            (CACHED_CLASS, status): count
            for status, count in zip(CACHED_STATUSES, cached.direct, strict=True)
        }
        for (area, status), count in self._files.counts.items():
            direct[CLASSES[f"/{area}"], status] = count
        yield self._requests.lines(direct)
        yield self._seconds.lines()
        hits: dict[Labels, float] = {
            ("hit",): cached.hits + sum(cached.direct),
            ("miss",): cached.misses,
        }
        family = Family(
            "liuying_cached_responses_total",
            "counter",
            "Reads of cached responses by result.",
            ("result",),
        )
        yield sampled(family, hits)
        composed = Family(
            "liuying_composed_responses_total",
            "counter",
            "Lists put together at once, out of memory.",
        )
        yield sampled(composed, {(): cached.composed})
        yield sampled(
            Family("liuying_cached_responses_bytes", "gauge", "Memory of cached responses."),
            {(): self._response_cache.held_bytes},
        )
        yield self._write_wait.lines()

    def _rows(self) -> Iterator[Iterator[str]]:
        """What the database reports; if it does not answer, only that."""
        up = Family("liuying_database_up", "gauge", "Whether the database answered this reading.")
        try:
            with self._database.read() as connection:
                states = count_states(connection)
                failing = len(list_failing(connection, self._clock()))
                queue = measure_queue(connection, self._clock())
        except sa.exc.SQLAlchemyError:
            yield sampled(up, {(): 0})
            return
        yield sampled(up, {(): 1})
        imports: dict[Labels, float] = {
            (outcome,): states.get(state, 0) for state, outcome in OUTCOMES.items()
        }
        yield sampled(
            Family("liuying_imports", "gauge", "Imported files by outcome.", ("outcome",)), imports
        )
        jobs: dict[Labels, float] = {(state.value,): getattr(queue, state.value) for state in State}
        yield sampled(
            Family("liuying_jobs", "gauge", "Jobs of the import queue by state.", ("state",)), jobs
        )
        waited = Family(
            "liuying_jobs_oldest_wait_seconds",
            "gauge",
            "How long the first job that is due has been so.",
        )
        yield sampled(waited, {(): queue.oldest_wait_ms / 1000})
        yield sampled(
            Family("liuying_videos_failing", "gauge", "Videos that fail for many visitors."),
            {(): failing},
        )

    def _process(self) -> Iterator[Iterator[str]]:
        used = resource.getrusage(resource.RUSAGE_SELF)
        values = {
            ("process_cpu_seconds_total", "counter", "CPU time."): used.ru_utime + used.ru_stime,
            (
                "process_start_time_seconds",
                "gauge",
                "When the process began, seconds since 1970.",
            ): self._began,
            ("process_resident_memory_bytes", "gauge", "Resident memory."): resident_bytes(
                used.ru_maxrss
            ),
        }
        with suppress(OSError):
            values["process_open_fds", "gauge", "Open file descriptors."] = sum(
                1 for _ in Path("/proc/self/fd").iterdir()
            )
        for (name, kind, text), value in values.items():
            yield sampled(Family(name, kind, text), {(): value})
        build = Family("liuying_build_info", "gauge", "The version.", ("version",))
        yield sampled(build, {(__version__,): 1})


def route_class(path: str) -> str:
    """Which part of the server answers a path: few names, however many paths there are."""
    head = path[: path.find("/", 1)] if path.find("/", 1) > 0 else path
    return HEALTH_CLASS if head in {"/healthz", "/readyz"} else CLASSES.get(head, PAGE_CLASS)


def resident_bytes(peak: int) -> int:
    """Resident memory now (Linux); the maximum so far elsewhere.

    Args:
        peak: `ru_maxrss`: KiB, or bytes on macOS.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * resource.getpagesize()
