"""Taking connections as fast as they come.

An event loop takes one connection a turn, however many wait. Under load a turn takes 100 ms and
more: the listener's queue overflows, and who is dropped there waits for seconds until the system
tries again, where the server could have answered, if only 503.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Self

# So many a turn, beside the one that the event loop takes.
TAKEN_A_TURN = 256


class WaitingConnections:
    """The connections that wait in a listener's queue. A context manager, which lets go of it.

    Args:
        listener: The one that the event loop listens on.
    """

    def __init__(self, listener: socket.socket) -> None:
        listener.settimeout(0)
        # Under a descriptor of its own: a queue ends with the last descriptor, and who waits in it
        # would be cut off.
        self._listener = listener.dup()
        self._arriving: set[asyncio.Task[object]] = set()
        self._is_taking = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._listener.close()

    def take(
        self, loop: asyncio.AbstractEventLoop, make_protocol: Callable[[], asyncio.Protocol]
    ) -> None:
        """Take those that wait beside one that was just made, once a turn.

        Args:
            make_protocol: Makes a connection's protocol.
        """
        if self._is_taking:
            return
        self._is_taking = True
        loop.call_soon(self._end_turn)
        for _ in range(TAKEN_A_TURN):
            if not self._take_one(loop, make_protocol):
                return

    def take_last(
        self, loop: asyncio.AbstractEventLoop, make_protocol: Callable[[], asyncio.Protocol]
    ) -> None:
        """Take all that wait, and let nobody else in: whoever comes later is told at once that
        nobody listens, and may ask elsewhere.

        The listener itself must be closed before.

        Args:
            make_protocol: Makes a connection's protocol.
        """
        while self._take_one(loop, make_protocol):
            pass
        self._listener.close()

    def _take_one(
        self, loop: asyncio.AbstractEventLoop, make_protocol: Callable[[], asyncio.Protocol]
    ) -> bool:
        try:
            connection, _ = self._listener.accept()
        except OSError:  # None waits, no descriptor is left, or the server has ended.
            return False
        connection.settimeout(0)
        task = loop.create_task(self._hand_over(loop, make_protocol, connection))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)
        return True

    def _end_turn(self) -> None:
        self._is_taking = False

    async def _hand_over(
        self,
        loop: asyncio.AbstractEventLoop,
        make_protocol: Callable[[], asyncio.Protocol],
        connection: socket.socket,
    ) -> None:
        try:
            await loop.connect_accepted_socket(make_protocol, connection)
        except OSError:  # It has ended meanwhile.
            connection.close()
