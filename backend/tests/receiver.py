"""An HTTP receiver on this machine: keeps what it was told, and answers as the test wants."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec


class Told(msgspec.Struct):
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver(msgspec.Struct):
    """Attributes: its address, the status that it answers, where it sends the client on, and what
    it was told.
    """

    url: str = ""
    status: int = 204
    location: str = ""
    told: list[Told] = msgspec.field(default_factory=list)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver until the block ends."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.told.append(
                Told(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
            )
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("location", receiver.location)
            self.send_header("content-length", "0")
            self.end_headers()

        do_GET = do_POST  # noqa: N815 - the name that the library calls

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook?key=1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
