"""A real server of an installation, for a proxy to stand in front of."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import msgspec
import pytest
import uvicorn

from liuying.http.application import Application
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services
from liuying.kit.server_config import server_config

PATIENCE_S = 20.0


def free_port() -> int:
    """A port that nobody listens on."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def served(services: Services, **settings: object) -> Iterator[int]:
    """Serve an installation that trusts a proxy on this machine; gives the port."""
    trusting = msgspec.structs.replace(services.settings, trusted_proxies="127.0.0.1", **settings)
    application = Application(msgspec.structs.replace(services, settings=trusting))
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(application, protocol_for(application)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listener.close()


@contextmanager
def running(command: list[str], is_ready: Callable[[], bool]) -> Iterator[None]:
    """Run a proxy until the end of the block; fails where it ends by itself."""
    with subprocess.Popen(command) as proxy:
        try:
            until = time.monotonic() + PATIENCE_S
            while not is_ready():
                assert proxy.poll() is None, f"{command[0]} ended: its configuration is wrong"
                if time.monotonic() > until:
                    pytest.fail(f"{command[0]} did not answer")
                time.sleep(0.05)
            yield
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE_S)
