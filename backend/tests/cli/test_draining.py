"""A server that is told to end: first it says so, then it ends."""

from __future__ import annotations

import os
import signal
from http.client import HTTPConnection
from urllib.parse import urlsplit

from liuying.installation.services import Services
from tests.server_process import server
from tests.waiting import PATIENCE_S, wait_until


def status(address: str, path: str) -> int:
    parts = urlsplit(address)
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE_S)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def closes(connection: HTTPConnection, path: str) -> bool:
    """Whether an answer says that it is the last one of its connection."""
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    return answer.getheader("connection") == "close"


def test_it_answers_on_until_it_was_taken_out(filled: Services) -> None:
    filled.database.close()
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(filled.data_dir),
        "LIUYING_WEB_DIR": str(filled.settings.web_dir),
        "LIUYING_WORKERS": "0",
        "LIUYING_DRAIN_SECONDS": "300",
        "PORT": "0",
        "HOST": "127.0.0.1",
    }
    with server(environment) as (process, address):
        wait_until(lambda: status(address, "/readyz") == 200)
        parts = urlsplit(address)
        kept = HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE_S)
        # The second answer comes without the parser.
        assert [closes(kept, "/api/videosort/1") for _ in range(2)] == [False, False]
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: status(address, "/readyz") == 503)
        assert [status(address, path) for path in ("/healthz", "/api/videosort/1")] == [200, 200]
        # A proxy keeps no connection on which it might send what it may not send again.
        assert closes(kept, "/api/videosort/1")
        kept.close()
        # Whoever does not want to wait says so once more.
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) in {0, -signal.SIGTERM}
