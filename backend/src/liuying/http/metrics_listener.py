"""The listener for metrics, separate from the site's, so that no visitor reaches it.

It has its own thread, so it answers even when the server's loop is stuck, which is when figures
matter most.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from liuying.kit.metrics import CONTENT_TYPE

PATH = "/metrics"
TIMEOUT_S = 10


@contextmanager
def metrics_served(host: str, port: int, text: Callable[[], str]) -> Iterator[int]:
    """Answer `GET /metrics` until the block ends.

    Args:
        host: Address to listen on.
        port: TCP port; 0 takes a free one.
        text: Writes the document.

    Yields:
        The port.

    Raises:
        OSError: The address cannot be listened on.
    """

    class Listener(ThreadingHTTPServer):
        daemon_threads = True
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

    with Listener((host, port), _handler_of(text)) as server:
        thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()


def _handler_of(text: Callable[[], str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = TIMEOUT_S
        server_version, sys_version = "", ""

        def do_GET(self) -> None:
            if self.path != PATH:
                self.send_error(404)
                return
            body = text().encode()
            self.send_response(200)
            self.send_header("content-type", CONTENT_TYPE)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Requests are not logged, here as elsewhere."""

    return Handler
