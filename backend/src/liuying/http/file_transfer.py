"""One file on its way to a client, moved by the kernel: its bytes never enter this process."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Protocol

import msgspec

from liuying.kit.object_store import OpenObject

# Bytes that one connection may be given before others have their turn.
MAX_TURN = 512 * 1024
# Bytes that are read ahead, by a thread, of a file that is not in the page cache.
READ_AHEAD = 512 * 1024


class SendableFile(msgspec.Struct):
    """An answer with a file.

    Attributes:
        head: In wire form, with the empty line after it.
        content: The file; closed after it was sent.
        descriptor: The file, for the kernel.
        offset: The first byte to send.
        left: Number of bytes to send; 0 for an answer without a body.
    """

    head: bytes
    content: OpenObject
    descriptor: int
    offset: int
    left: int


class Connection(Protocol):
    """What a transfer tells the connection that it belongs to."""

    def transfer_ended(self) -> None:
        """Everything was sent."""

    def transfer_failed(self) -> None:
        """The client is gone, does not read, or the file cannot be read."""


class _NoEvent:
    """Stands in for the event by which uvicorn wakes an application."""

    def set(self) -> None:
        pass


class FileTransfer:
    """Sends a file as fast as its client reads.

    It takes the place of uvicorn's cycle of request and response while it lasts, so that further
    requests on the connection wait for it.

    Args:
        file: What to send.
        client: A socket of the connection, not the transport's own descriptor.
        connection: Learns the end.
        loop: The event loop.
        patience: Seconds for which a client may read nothing.
    """

    message_event = _NoEvent()
    more_body = False

    def __init__(
        self,
        file: SendableFile,
        client: socket.socket,
        connection: Connection,
        loop: asyncio.AbstractEventLoop,
        patience: float,
    ) -> None:
        self._file = file
        self._client = client
        self._connection = connection
        self._loop = loop
        self._patience = patience
        self._is_waiting = False
        self._deadline: asyncio.TimerHandle | None = None
        self._moved_at = loop.time()
        self._reading: asyncio.Future[None] | None = None
        self._read_until = 0
        # As of uvicorn's cycle.
        self.response_complete = self.disconnected = False
        self.keep_alive = True
        self.body = bytearray()

    def begin(self) -> bool:
        """Send what the client takes at once; returns whether that was everything."""
        return self._move()

    def abandon(self) -> None:
        """The connection is gone: send no more, and close the file."""
        if not self.response_complete:
            self._end()

    def _move(self) -> bool:
        """Send until the client or the disk keeps it waiting; returns whether it has ended well."""
        try:
            self._send()
        except BlockingIOError:
            self._await_client()
            return False
        except OSError:
            self._fail()
            return False
        if self._file.head or self._file.left:
            if self._reading is None:
                self._await_client()  # The others' turn.
            return False
        self._end()
        return True

    def _send(self) -> None:
        file = self._file
        while file.head:
            file.head = file.head[
                self._client.send(file.head, socket.MSG_MORE if file.left else 0) :
            ]
            self._moved_at = self._loop.time()
        budget = MAX_TURN
        while file.left and budget > 0:
            if file.offset >= self._read_until and not _is_cached(file.descriptor, file.offset):
                self._read_ahead()
                return
            count = min(file.left, budget)
            sent = os.sendfile(self._client.fileno(), file.descriptor, file.offset, count)
            if sent == 0:
                raise OSError("the file shrank while it was sent")
            file.offset += sent
            file.left -= sent
            budget -= sent
            self._moved_at = self._loop.time()

    def _read_ahead(self) -> None:
        """Have a thread read what comes next: the event loop never waits for a disk."""
        self._stop_waiting()
        file = self._file
        length = min(file.left, READ_AHEAD)
        self._read_until = file.offset + length
        self._reading = self._loop.run_in_executor(
            None, _touch, file.descriptor, file.offset, length
        )
        self._reading.add_done_callback(self._on_read)

    def _on_read(self, reading: asyncio.Future[None]) -> None:
        self._reading = None
        if self.response_complete:  # Abandoned meanwhile.
            self._file.content.close()
        elif reading.exception() is not None:
            self._fail()
        else:
            self._go_on()

    def _go_on(self) -> None:
        if self._move():
            self._connection.transfer_ended()

    def _await_client(self) -> None:
        if not self._is_waiting:
            self._is_waiting = True
            self._loop.add_writer(self._client.fileno(), self._go_on)
        if self._deadline is None:
            self._deadline = self._loop.call_later(self._patience, self._check)

    def _check(self) -> None:
        rest = self._moved_at + self._patience - self._loop.time()
        if rest > 0:
            self._deadline = self._loop.call_later(rest, self._check)
        else:
            self._deadline = None
            self._fail()

    def _stop_waiting(self) -> None:
        if self._is_waiting:
            self._is_waiting = False
            self._loop.remove_writer(self._client.fileno())
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _fail(self) -> None:
        self._end()
        self._connection.transfer_failed()

    def _end(self) -> None:
        self.response_complete = True
        self._stop_waiting()
        if self._reading is None:
            self._file.content.close()


def _is_cached(descriptor: int, offset: int) -> bool:
    """Whether the next byte can be had without a disk, as far as the system tells."""
    try:
        os.preadv(descriptor, [bytearray(1)], offset, os.RWF_NOWAIT)
    except BlockingIOError:
        return False
    except OSError:  # The file system does not tell.
        return True
    return True


def _touch(descriptor: int, offset: int, length: int) -> None:
    """Read a part of a file into the page cache.

    Raises:
        OSError: It cannot be read.
    """
    os.pread(descriptor, length, offset)
