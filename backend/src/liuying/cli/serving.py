"""Running the server, and beside it what imports: workers, and the demo catalogue."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

import uvicorn
from litestar.concurrency import set_asyncio_executor

from liuying.cli.console_process import console_beside
from liuying.http.application import Application
from liuying.http.health import Readiness
from liuying.http.metrics_listener import metrics_served
from liuying.http.server_protocol import protocol_for
from liuying.installation.json_logs import write_json_logs
from liuying.installation.services import Services
from liuying.installation.settings import Settings
from liuying.kit.answering import AnsweringThreads
from liuying.kit.connection_limit import ConnectionLimit
from liuying.kit.deadline_protocol import DeadlineProtocol
from liuying.kit.listening import ListenError, listen
from liuying.kit.server_config import server_config
from liuying.kit.storage_layout import StorageLayout
from liuying.kit.waiting_connections import WaitingConnections
from liuying.worker.claiming import Worker
from liuying.workflows.restore import take_restore_note

KEEP_ALIVE_S = 15
GRACEFUL_S = 5
# Connections that wait to be taken, as far as the system allows (`net.core.somaxconn`): those of a
# second under three times the load that can be served. One more would be lost, and try again after
# 1, 3 and 7 s.
BACKLOG = 4096
MAX_CONNECTIONS = 2000
# A request is sent right after its connection was made.
LETTING_IN_S = 0.05
# A connection that is sent a file holds three: its own, a second one for its socket, and the file.
DESCRIPTORS_A_CONNECTION = 3
# How long a thread may compute while another one waits. The event loop waits, too: a fifth of the
# default.
TURN_S = 0.001
# New objects after which the collector of cycles looks at them, and how many looks later at those
# that stayed. Answers make thousands and leave almost none: looking at every 700, as is usual,
# takes a thirtieth of the processor.
COLLECTED_AFTER = (10_000, 20, 20)


class DrainingServer(uvicorn.Server):
    """A server that says for a while that it is about to end, and answers on meanwhile: whoever
    distributes requests stops sending it any. A second signal ends it at once.

    Every answer of that time is the last one of its connection. So at the end a proxy holds none
    open on which it might send what it may not send again, were the connection to end.

    Args:
        config: uvicorn's, with the protocol.
        readiness: What says so.
        seconds: For how long; 0 ends at once.
        waiting: The connections that the server has not taken yet.
        protocol: As in `config`.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        readiness: Readiness,
        seconds: int,
        waiting: WaitingConnections,
        protocol: type[DeadlineProtocol],
    ) -> None:
        super().__init__(config)
        self._readiness = readiness
        self._seconds = seconds
        self._waiting = waiting
        self._protocol = protocol

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Called by a signal."""
        self._protocol.is_ending = True
        if self._seconds and not self._readiness.is_ending:
            self._readiness.is_ending = True
            timer = threading.Timer(self._seconds, super().handle_exit, (sig, frame))
            timer.daemon = True
            timer.start()
        else:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Called when it ends: nobody is let in any more, and who came before is answered."""
        for server in self.servers:
            server.close()
        for one in sockets or ():
            one.close()
        # The event loop has closed the listener then; who waits now is in the queue alone.
        await asyncio.sleep(LETTING_IN_S)
        self._waiting.take_last(asyncio.get_running_loop(), self._make_protocol)
        await asyncio.sleep(LETTING_IN_S)
        await super().shutdown(sockets)

    def _make_protocol(self) -> DeadlineProtocol:
        return self._protocol(self.config, self.server_state, self.lifespan.state)


def serve(services: Services, with_demo: bool, workers: int = 0) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        services: The open installation.
        with_demo: Import the demo catalogue in a process beside the server.
        workers: How many work on the import queue.

    Raises:
        ListenError: The site's address, or that of the metrics, cannot be listened on.
    """
    write_json_logs()
    _log_restore(services.layout)
    settings = services.settings
    listener = listen(settings.host, settings.port, BACKLOG)
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    print(f"流影 http://{shown}:{listener.getsockname()[1]}/  （按 Ctrl-C 停止）", flush=True)
    sys.setswitchinterval(TURN_S)
    gc.set_threshold(*COLLECTED_AFTER)
    set_asyncio_executor(AnsweringThreads())
    application = Application(services)
    waiting = WaitingConnections(listener)
    limit = ConnectionLimit(settings.proxy_trust, settings.connections_per_network)
    protocol = protocol_for(application, limit, waiting)
    config = server_config(
        application,
        protocol,
        loop="auto",
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACEFUL_S,
        limit_concurrency=min(
            MAX_CONNECTIONS, _raise_descriptor_limit() // DESCRIPTORS_A_CONNECTION
        ),
    )
    with (
        listener,
        waiting,
        _ended_in_order(),
        _metrics_beside(settings, application),
        _demo_beside(with_demo),
        console_beside(settings),
        _workers_beside(services, workers),
    ):
        DrainingServer(
            config, application.readiness, settings.drain_seconds, waiting, protocol
        ).run(sockets=[listener])


def _log_restore(layout: StorageLayout) -> None:
    """Log once that the data are those of a backup."""
    about = take_restore_note(layout)
    if about is not None:
        logging.getLogger("liuying.security").warning(
            "the installation was restored from the backup of %s, version %s",
            about.created_at,
            about.version,
            extra={"event": "restored"},
        )


def _raise_descriptor_limit() -> int:
    """Take as many file descriptors as the system grants, and say how many."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = (
        hard if hard != resource.RLIM_INFINITY else 2 * DESCRIPTORS_A_CONNECTION * MAX_CONNECTIONS
    )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """After its own end the server raises the signal that ended it again: what runs beside it must
    end first.
    """
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _metrics_beside(settings: Settings, application: Application) -> Iterator[None]:
    if not settings.metrics_port:
        yield
        return
    with ExitStack() as stack:
        try:
            stack.enter_context(
                metrics_served(
                    settings.metrics_host, settings.metrics_port, application.metrics.text
                )
            )
        except OSError as error:
            raise ListenError(settings.metrics_host, settings.metrics_port, error) from error
        yield


@contextmanager
def _demo_beside(wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    # Its own session: Ctrl-C reaches this process alone, which then ends the other one in order.
    process = subprocess.Popen(
        [sys.executable, "-m", "liuying", "demo", "--parent", str(os.getpid())],
        start_new_session=True,
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=GRACEFUL_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _workers_beside(services: Services, count: int) -> Iterator[None]:
    """Threads that do no work themselves: each has a process for it, at the first job."""
    is_over = False
    workers = [Worker(services, lambda: is_over) for _ in range(count)]
    threads = [
        threading.Thread(target=one.run, name=f"worker-{number}")
        for number, one in enumerate(workers, 1)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over = True
        for thread in threads:
            thread.join()
