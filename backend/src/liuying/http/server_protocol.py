"""The protocol of one server, with what it serves."""

from __future__ import annotations

from liuying.http.application import Application
from liuying.http.cached_response_protocol import UNUSUAL, Outbox, WireDate
from liuying.http.file_protocol import FileProtocol
from liuying.kit.connection_limit import ConnectionLimit
from liuying.kit.waiting_connections import WaitingConnections


def protocol_for(
    application: Application,
    connection_limit: ConnectionLimit | None = None,
    waiting_connections: WaitingConnections | None = None,
) -> type[FileProtocol]:
    """The protocol of a server that runs an application.

    Args:
        connection_limit: Shares the connections out; None where nobody does.
        waiting_connections: Takes connections in bulk; None to leave it to the event loop.
    """
    access = application.access
    members = {
        "response_cache": application.response_cache,
        "files": application.data_files,
        # Answers to pages of other origins carry headers of their own.
        "unusual": UNUSUAL | {b"origin"} if access.origins else UNUSUAL,
        "is_aside": access.is_auth_required,
        "outbox": Outbox(),
        "connection_limit": connection_limit,
        "waiting_connections": waiting_connections,
        "date": WireDate(),
    }
    return type("BoundProtocol", (FileProtocol,), members)
