"""What every server of ours has in common."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn


def server_config(application: Any, protocol: type[asyncio.Protocol], **own: Any) -> uvicorn.Config:
    """A server without access log and without a header that names it.

    Args:
        application: An ASGI application.
        protocol: What reads its connections.
        own: Options of uvicorn for this server alone.
    """
    return uvicorn.Config(
        application,
        http=protocol,
        ws="none",
        access_log=False,
        log_level="warning",
        log_config=None,  # ours, set up before
        server_header=False,
        # Who the client is comes from the socket; a forwarding header changes nothing
        # (docs/security.md#t4).
        proxy_headers=False,
        # What one request notes for its own time, such as that it writes, is nothing to the next
        # one of the connection.
        reset_contextvars=True,
        **own,
    )
