"""A stretch of network between the server and its database, to be cut or held up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import sqlalchemy as sa

PATIENCE_S = 20.0
PORT = 5432
T = TypeVar("T")


class PostgresProxy:
    """Passes connections on to a PostgreSQL server on a Unix socket.

    Args:
        url: The server's database.
    """

    def __init__(self, url: str) -> None:
        parsed = sa.make_url(url)
        self._socket = f"{parsed.query['host']}/.s.PGSQL.{parsed.port or PORT}"
        self._loop = asyncio.new_event_loop()
        self._passes = asyncio.Event()
        self._passes.set()
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        port = self._server.sockets[0].getsockname()[1]
        self.url = (
            parsed.set(host="127.0.0.1", port=port)
            .difference_update_query(["host"])
            .render_as_string(hide_password=False)
        )

    def cut(self) -> None:
        """Break every connection, and refuse new ones."""
        self._run(self._set(is_cut=True))

    def hold_up(self) -> None:
        """Let nothing through any more; connections stay open, as to a machine at a standstill."""
        self._run(self._set(passes=False))

    def restore(self) -> None:
        """Let everything through again."""
        self._run(self._set(is_cut=False, passes=True))

    def close(self) -> None:
        """End it."""
        self.cut()
        self._server.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    async def _set(self, *, is_cut: bool | None = None, passes: bool | None = None) -> None:
        if passes is not None:
            (self._passes.set if passes else self._passes.clear)()
        if is_cut is not None:
            self._is_cut = is_cut
        if self._is_cut:
            for writer in list(self._open):
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        beyond, to_server = await asyncio.open_unix_connection(self._socket)
        both = {writer, to_server}
        self._open |= both
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._pass(reader, to_server))
                ways.create_task(self._pass(beyond, writer))
        finally:
            self._open -= both
            for one in both:
                one.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._passes.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@contextmanager
def postgres_proxy(url: str) -> Iterator[PostgresProxy]:
    """A proxy in front of a database, for as long as the block lasts."""
    proxy = PostgresProxy(url)
    try:
        yield proxy
    finally:
        proxy.close()
