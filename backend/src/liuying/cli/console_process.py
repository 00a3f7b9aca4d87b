"""The console beside the site: a process of its own, so that the one that visitors reach holds
none of its code, and neither waits for the other.
"""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from liuying.installation.settings import Settings
from liuying.kit.listening import listen

LOG = logging.getLogger(__name__)
BACKLOG = 128
STOPPED_WITHIN_S = 10
# How long a console that ended by itself stays away.
PAUSE_S = 5.0


class ConsoleProcess:
    """Runs `liuying console serve` on a listening socket, and again where it ended by itself.

    Args:
        descriptor: The socket's file descriptor.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def run(self) -> None:
        """Until `stop`."""
        while self._start():
            code = self._process.wait() if self._process else 0
            if self._is_over.is_set():
                return
            LOG.error("the console ended with code %s and is started again", code)
            self._is_over.wait(PAUSE_S)

    def stop(self) -> None:
        """End it in order, and by force where it does not end."""
        self._is_over.set()
        with self._lock:
            process = self._process
        if process is None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=STOPPED_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self) -> bool:
        with self._lock:
            if self._is_over.is_set():
                return False
            number = str(self._descriptor)
            # Its own session: Ctrl-C reaches the site alone, which then ends the console in order.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "liuying", "console", "serve", "--listener", number],
                pass_fds=[self._descriptor],
                start_new_session=True,
            )
        return True


@contextmanager
def console_beside(settings: Settings) -> Iterator[None]:
    """Run the console until the block ends, where the settings want it.

    Raises:
        ListenError: Its address cannot be listened on.
    """
    if not settings.console_port:
        yield
        return
    with listen(settings.console_host, settings.console_port, BACKLOG) as listener:
        console = ConsoleProcess(listener.fileno())
        thread = threading.Thread(target=console.run, name="console")
        thread.start()
        try:
            yield
        finally:
            console.stop()
            thread.join()
