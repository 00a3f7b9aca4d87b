"""Serving the console until a signal."""

from __future__ import annotations

import socket

import uvicorn

from liuying.console.application import ConsoleApplication
from liuying.console.uploads.protocol import UploadProtocol
from liuying.installation.services import Services

KEEP_ALIVE_S = 15
GRACEFUL_S = 5
MAX_CONNECTIONS = 200


def serve_console(services: Services, listener: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        services: The open installation.
        listener: Listens already.
    """
    config = uvicorn.Config(
        ConsoleApplication(services),
        http=UploadProtocol,
        ws="none",
        access_log=False,
        log_level="warning",
        log_config=None,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACEFUL_S,
        limit_concurrency=MAX_CONNECTIONS,
        proxy_headers=False,
    )
    uvicorn.Server(config).run(sockets=[listener])
