"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

# Only a test that fails waits so long.
PATIENCE_S = 60.0


def wait_until(condition: Callable[[], object]) -> None:
    """Ask until something holds; fails where it never does."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
