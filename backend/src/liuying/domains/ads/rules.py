"""Pure rules of advertisements and links."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

# The places of specification §7, and LIST: rows between videos on home and in the list layout.
Slot = Literal["USER", "BANNER", "PLAYINFO", "PLAYBEFORE", "SHORT_VIDEO", "EXPLODE", "LIST"]
LinkKind = Literal["checkin", "activity", "community", "exchange"]


def is_safe_link(url: str) -> bool:
    """Whether an address may be offered: absolute `http:` or `https:` with a host (threats 7)."""
    if any(ord(character) <= 0x20 or character == "\\" for character in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None
    except ValueError:
        return False
