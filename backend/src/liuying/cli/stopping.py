"""Stopping a long command in order: the first signal asks, the second ends the program."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from liuying.cli.output import EXIT_REFUSED

STANDARD_ERROR = 2


class StopRequest:
    """Whether somebody asked to stop. Set by signals: a lock, as in `threading.Event`, could be
    held at that moment.

    Args:
        answer: A line for standard error, once it was asked.
    """

    def __init__(self, answer: str = "") -> None:
        self._answer = answer
        self.is_made = False

    def on_signal(self, _number: int, _frame: FrameType | None) -> None:
        """The first signal asks to stop, the second ends the program at once."""
        if self.is_made:
            sys.exit(EXIT_REFUSED)
        self.is_made = True
        if self._answer:
            # The work that is to be finished must not meet an error of the terminal.
            with suppress(OSError):
                os.write(STANDARD_ERROR, f"{self._answer}\n".encode())


@contextmanager
def told_by_signals(stop: StopRequest) -> Iterator[None]:
    """SIGTERM and Ctrl-C ask to stop, until the block ends."""
    before = {
        number: signal.signal(number, stop.on_signal) for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
