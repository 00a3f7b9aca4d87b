"""The worker's side of the importing process: starting it, talking to it, ending it in whatever
state it is.
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

# Cleaning up takes moments, but the database may keep it waiting.
END_S = 12.0
CHUNK_BYTES = 65536
COMMAND = "run-imports"
STORE_SETTINGS = ("store", "s3_endpoint", "s3_region", "s3_access_key", "s3_secret_key")


class RunnerEndedError(Exception):
    """The process ended, or sent something that is no message."""


class RunnerProcess:
    """A process that imports what it is told to.

    Args:
        settings: The installation's: the process opens the same one.
    """

    def __init__(self, settings: Settings) -> None:
        environment = {
            **os.environ,
            "LIUYING_DATA_DIR": str(settings.data_dir),
            "LIUYING_DATABASE_URL": settings.database_url,
            **{f"LIUYING_{name.upper()}": getattr(settings, name) for name in STORE_SETTINGS},
        }
        # Its own session: Ctrl-C reaches only the worker, which then ends this process in order.
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
        """Send it a message.

        Raises:
            RunnerEndedError: It has ended.
        """
        try:
            if self._process.stdin is not None:
                self._process.stdin.write(line_of(message))
        except OSError as error:
            raise RunnerEndedError from error

    def hear(self, seconds: float) -> Said | None:
        """Its next message, waiting for a limited time.

        Raises:
            RunnerEndedError: It has ended.
        """
        if not self._said and self._selector.select(seconds):
            self._read()
        return self._said.popleft() if self._said else None

    def end(self, *, is_cancelled: bool = False) -> None:
        """Let it clean up, then end it.

        Args:
            is_cancelled: Nobody will continue its job.
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
