"""The worker's side of the process that imports: starting it, speaking with it, ending it whatever
state it is in.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
from collections import deque
from contextlib import suppress

import msgspec

from liuying.installation.settings import Settings
from liuying.worker.job_messages import CANCEL, Said, Told, line_of

# Putting away what was begun takes moments; the database may keep it waiting.
END_S = 12.0
CHUNK_BYTES = 65536
COMMAND = "run-imports"


class RunnerEndedError(Exception):
    """The process ended, or said something that is no message."""


class RunnerProcess:
    """A process that imports what it is told.

    Args:
        settings: The installation's: the process opens the same one.
    """

    def __init__(self, settings: Settings) -> None:
        environment = {
            **os.environ,
            "LIUYING_DATA_DIR": str(settings.data_dir),
            "LIUYING_DATABASE_URL": settings.database_url,
        }
        # Its own session: Ctrl-C reaches the worker alone, which then ends this one in order.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "liuying", COMMAND],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._selector = selectors.DefaultSelector()
        if self._process.stdout is not None:
            self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self._rest = b""
        self._said: deque[Said] = deque()

    @property
    def pid(self) -> int:
        return self._process.pid

    def tell(self, message: Told) -> None:
        """Say something to it.

        Raises:
            RunnerEndedError: It is gone.
        """
        try:
            if self._process.stdin is not None:
                self._process.stdin.write(line_of(message))
        except OSError as error:
            raise RunnerEndedError from error

    def hear(self, seconds: float) -> Said | None:
        """What it says next, waiting at most so long.

        Raises:
            RunnerEndedError: It is gone.
        """
        if not self._said and self._selector.select(seconds):
            self._read()
        return self._said.popleft() if self._said else None

    def end(self, *, is_cancelled: bool = False) -> None:
        """Let it put away what it began; afterwards it is gone.

        Args:
            is_cancelled: Nobody will take its job up again.
        """
        self._process.send_signal(CANCEL if is_cancelled else signal.SIGTERM)
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            # The transcoder dies with it (`media.sandbox`).
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _read(self) -> None:
        data = b"" if self._process.stdout is None else self._process.stdout.read(CHUNK_BYTES)
        if not data:
            raise RunnerEndedError
        *lines, self._rest = (self._rest + data).split(b"\n")
        try:
            self._said += [msgspec.json.decode(line, type=Said) for line in lines]
        except msgspec.MsgspecError as error:
            raise RunnerEndedError from error
