"""Connections to addresses that the operator chose."""

from __future__ import annotations

import http.client
import ssl
from urllib.parse import SplitResult


def connection_to(address: SplitResult, timeout: float) -> http.client.HTTPConnection:
    """A connection that is not open yet; certificates are verified.

    Args:
        address: http or https.
        timeout: Seconds for each step.
    """
    if address.scheme == "https":
        return http.client.HTTPSConnection(
            address.netloc, timeout=timeout, context=ssl.create_default_context()
        )
    return http.client.HTTPConnection(address.netloc, timeout=timeout)
