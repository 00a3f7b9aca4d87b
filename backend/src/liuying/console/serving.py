"""Serving the console until a signal."""

from __future__ import annotations

import socket

import uvicorn

from liuying.console.application import ConsoleApplication
from liuying.console.uploads.protocol import UploadProtocol
from liuying.installation.services import Services
from liuying.kit.server_config import server_config

KEEP_ALIVE_S = 15
GRACEFUL_S = 5
MAX_CONNECTIONS = 200


def serve_console(services: Services, listener: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        services: The open installation.
        listener: Listens already.
    """
    config = server_config(
        ConsoleApplication(services),
        UploadProtocol,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACEFUL_S,
        limit_concurrency=MAX_CONNECTIONS,
    )
    uvicorn.Server(config).run(sockets=[listener])
