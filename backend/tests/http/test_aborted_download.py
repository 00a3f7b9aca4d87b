"""A client that goes away in the middle of a file: what it did not wait for is not read."""

from __future__ import annotations

import socket
import struct
import threading
from typing import Any

import msgspec
import pytest

from liuying.installation.services import Services
from liuying.kit.object_store import ObjectStore, OpenObject
from liuying.workflows.catalogue_rows import register_asset
from tests.deploy.served import PATIENCE_S, served
from tests.workflows.published import publish_file

KEY = "abcdefgh12345678abcd"
PATH = f"/media/{KEY}/360/s00001.m4s"
SIZE = 64 * 1024 * 1024
# Sent and not yet taken: what the system and the server hold for a connection.
IN_FLIGHT = 16 * 1024 * 1024


class Watched:
    """An object that tells how much of it was read, and when it was let go."""

    def __init__(self, found: OpenObject) -> None:
        self._found = found
        self.size = found.size
        self.taken = 0
        self.is_closed = threading.Event()

    def read(self, offset: int, length: int) -> bytes:
        self.taken += length
        return self._found.read(offset, length)

    def close(self) -> None:
        self._found.close()
        self.is_closed.set()


class WatchedStore:
    """The store with objects of the kind above."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self.opened: list[Watched] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def open(self, key: str) -> OpenObject | None:
        found = self._store.open(key)
        if found is None:
            return None
        self.opened.append(Watched(found))
        return self.opened[-1]


@pytest.mark.parametrize("asked", ["", "range: bytes=1000-\r\n"])
def test_the_rest_of_an_aborted_download_is_not_read(services: Services, asked: str) -> None:
    publish_file(services, PATH, bytes(SIZE))
    with services.database.write() as connection:
        register_asset(connection, KEY, "content", "a.mp4", is_protected=False)
    store = WatchedStore(services.objects)
    watched = msgspec.structs.replace(services, objects=store)
    request = f"GET {PATH} HTTP/1.1\r\nhost: x\r\n{asked}\r\n"
    with served(watched) as port:
        for number in range(3):
            # It ends at once, with a reset.
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.sendall(request.encode())
                assert connection.recv(4096).startswith(b"HTTP/1.1 20")
            assert store.opened[number].is_closed.wait(PATIENCE_S)
            assert store.opened[number].taken < IN_FLIGHT
