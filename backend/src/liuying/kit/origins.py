"""Web origins in the spelling that browsers send (RFC 6454 §6.2), compared as text and never by
pattern.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

HOST = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*"
PORT = r"(?::(?P<port>[1-9][0-9]{0,4}))?"
ORIGIN = re.compile(rf"(?:https://{HOST}|http://(?:localhost|127\.0\.0\.1|\[::1\])){PORT}")
DEFAULT_PORTS = {"https": "443", "http": "80"}
MAX_LENGTH = 200


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def parse_origin(text: str) -> str:
    """`https://Partner.example:443` → `https://partner.example`.

    Raises:
        ValueError: Not an origin, or plain http outside the machine itself. The message is for the
            operator.
    """
    origin = text.strip().lower()
    found = ORIGIN.fullmatch(origin)
    port = found["port"] if found else None
    if found is None or len(origin) > MAX_LENGTH or (port and int(port) > 65535):
        raise ValueError(
            f"来源 {text.strip()[:60]!r} 应为 https://域名[:端口]（本机可用 http://localhost[:端口]）"
        )
    scheme = origin.partition(":")[0]
    return origin.removesuffix(f":{port}") if port == DEFAULT_PORTS[scheme] else origin


def parse_origins(text: str) -> tuple[str, ...]:
    """Comma-separated origins in order, without repetitions.

    Raises:
        ValueError: One of them is not an origin.
    """
    return unique(parse_origin(one) for one in text.split(",") if one.strip())


def unique(origins: Iterable[str]) -> tuple[str, ...]:
    """Origins in order, without repetitions."""
    return tuple(dict.fromkeys(origins))
