"""What a request notes in context variables ends with it."""

from __future__ import annotations

import socket
import threading
from contextvars import ContextVar
from typing import Any

import uvicorn

from liuying.kit.deadline_protocol import DeadlineProtocol
from liuying.kit.server_config import server_config

PATIENCE_S = 20.0
NOTED: ContextVar[str] = ContextVar("noted", default="nothing")


async def note(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers what was noted before, and notes its own path."""
    before = NOTED.get()
    NOTED.set(scope["path"])
    headers = [(b"content-length", str(len(before)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": before.encode()})


def test_a_request_that_follows_on_a_connection_inherits_nothing() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(note, DeadlineProtocol, lifespan="off"))
    running = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    running.start()
    together = [f"GET /{number} HTTP/1.1\r\nhost: x\r\n\r\n" for number in range(3)]
    last = "GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    received = b""
    try:
        with socket.create_connection(listener.getsockname(), PATIENCE_S) as connection:
            connection.sendall("".join([*together, last]).encode())
            while data := connection.recv(65536):
                received += data
    finally:
        server.should_exit = True
        running.join(PATIENCE_S)
        listener.close()
    assert received.count(b"\r\n\r\nnothing") == 4
    assert b"server:" not in received.lower()
