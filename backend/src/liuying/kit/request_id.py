"""A random id per request, so that what a visitor quotes can be found in the log. It reveals
nothing about the visitor.
"""

from __future__ import annotations

import secrets
from contextvars import ContextVar

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
HEADER = "x-request-id"


def new_request_id() -> str:
    """12 hexadecimal digits. A value sent by the client under the header's name is ignored."""
    return secrets.token_hex(6)
