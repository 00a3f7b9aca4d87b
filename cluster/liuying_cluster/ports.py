"""Ports of loopback for servers that are killed and start again on them."""

from __future__ import annotations

import random
import socket
from contextlib import suppress
from pathlib import Path

LOWEST, HIGHEST = 10_000, 60_000
RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
TRIES = 1000


def free_port() -> int:
    """A TCP port of loopback that nobody listens on, and that no client is given.

    The kernel gives ports of its own range to outgoing connections. One that is opened while a
    server is down would keep it from starting again.

    Raises:
        OSError: There is none.
    """
    for _ in range(TRIES):
        port = random.randint(LOWEST, _below_clients())  # noqa: S311 - no secret
        if port not in _GIVEN and _is_free(port):
            _GIVEN.add(port)
            return port
    raise OSError("no port of loopback is free")


# Not listened on yet, perhaps.
_GIVEN: set[int] = set()


def _below_clients() -> int:
    """The highest port that the kernel does not give to clients."""
    with suppress(OSError, ValueError):
        first = int(RANGE.read_text().split()[0])
        return max(first - 1, LOWEST)
    return HIGHEST


def _is_free(port: int) -> bool:
    with suppress(OSError), socket.create_server(("127.0.0.1", port)):
        return True
    return False
