"""A random name for each request, so that what a visitor quotes is found in the log. It says
nothing of the visitor.
"""

from __future__ import annotations

import secrets
from contextvars import ContextVar

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
HEADER = "x-request-id"


def new_request_id() -> str:
    """12 hexadecimal digits. What a client sends under the header's name is not taken over."""
    return secrets.token_hex(6)
