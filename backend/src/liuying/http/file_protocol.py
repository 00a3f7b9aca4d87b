"""Files sent by the kernel, straight from the disk's cache to the client: no task, no scope, no
copy through this process.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress

from liuying.http.cached_response_protocol import UNUSUAL, CachedResponseProtocol
from liuying.http.file_transfer import FileTransfer
from liuying.http.files import DataFiles

# What makes a request more than a plain read of a file: ranges are plain here.
UNUSUAL_FOR_FILES = UNUSUAL - {b"range"}
FILE_PREFIXES = (b"/media/", b"/enc/")
# Requests in one packet that are answered before others have their turn.
MAX_FILES_A_TURN = 4
# `sendfile` to a socket with these arguments, and reads that never wait, are Linux's.
CAN_SEND_FILES = sys.platform == "linux"


class FileProtocol(CachedResponseProtocol):
    """A protocol that sends published files without the application.

    This applies to what the base class calls ordinary requests, ranges and conditions included.
    Whatever is refused, and what another request on the connection is still waiting for, takes the
    usual way.

    Attributes:
        files: Finds files.
    """

    files: DataFiles
    _transfer: FileTransfer | None = None
    _is_beginning = False
    # The connection's socket under a descriptor of its own: the event loop watches the transport's.
    _socket: socket.socket | None = None

    def on_headers_complete(self) -> None:
        if not self._is_file_request():
            super().on_headers_complete()
            return
        self._note_head()
        client = self._own_socket()
        file = self.files.sendable(self.url, self.headers) if client is not None else None
        if client is None or file is None:
            super().on_headers_complete()
            return
        file.head += self.date.text(self.server_state.default_headers)
        transfer = FileTransfer(file, client, self, self.loop, self.write_deadline)
        self._transfer, self._is_beginning = transfer, True
        if not transfer.begin():
            self.cycle = transfer  # type: ignore[assignment]  # it has what uvicorn asks of one

    def on_message_complete(self) -> None:
        if not self._is_beginning or self._transfer is None:
            super().on_message_complete()
            return
        self._is_beginning = False
        self._note_arrival()
        if self._transfer.response_complete:
            self.on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._transfer is not None:
            self._transfer.abandon()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def transfer_ended(self) -> None:
        """The file was sent: whatever waits on the connection has its turn."""
        if self._transfer is not None and not self._transfer.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def transfer_failed(self) -> None:
        """The rest of the file cannot be sent, which only the connection's end can say."""
        self.transport.abort()

    def _is_file_request(self) -> bool:
        """Whether the kernel may answer, once there is a file."""
        if not (CAN_SEND_FILES and self.url.startswith(FILE_PREFIXES)) or self._is_crowded():
            return False
        # Of many requests in one packet the rest take turns with other connections.
        if self._messages > MAX_FILES_A_TURN or not self._is_plain_read(UNUSUAL_FOR_FILES):
            return False
        # What was written before must leave before: the kernel knows nothing of the transport.
        self.send_unsent()
        is_plain = self.transport.get_extra_info("sslcontext") is None
        return is_plain and self.transport.get_write_buffer_size() == 0

    def _own_socket(self) -> socket.socket | None:
        """The socket for transfers; None where no descriptor is left."""
        if self._socket is None:
            shared = self.transport.get_extra_info("socket").fileno()
            with suppress(OSError):
                self._socket = socket.socket(fileno=os.dup(shared))
                self._socket.settimeout(0)
        return self._socket
