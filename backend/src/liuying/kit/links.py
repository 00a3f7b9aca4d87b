"""Addresses that the operator gives and visitors open."""

from __future__ import annotations

from urllib.parse import urlsplit

from liuying.kit.errors import InvalidInputError

URL_LENGTH = 500


def is_safe_link(url: str) -> bool:
    """Whether an address may be offered: absolute `http:` or `https:` with a host
    (docs/security.md#t7).
    """
    if any(ord(character) <= 0x20 or character == "\\" for character in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None
    except ValueError:
        return False


def require_safe_link(url: str) -> str:
    """An address without the blanks around it.

    Raises:
        InvalidInputError: It is too long, or may not be offered.
    """
    url = url.strip()
    if len(url) > URL_LENGTH or not is_safe_link(url):
        raise InvalidInputError("链接应为 http:// 或 https:// 开头的完整地址")
    return url
