"""Links that the operator enters and visitors open."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from liuying.kit.errors import InvalidInputError

URL_LENGTH = 500
WHOLE_ADDRESS = "链接应为 http:// 或 https:// 开头的完整地址"
SITE_PATH = re.compile(r"/[\w\-./~%?&=+,:@!$'()*;]*", re.ASCII)


def is_safe_link(url: str) -> bool:
    """Whether a link may be offered: an absolute `http:` or `https:` address with a host
    (docs/security.md#t7).
    """
    if any(ord(character) <= 0x20 or character == "\\" for character in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None
    except ValueError:
        return False


def is_site_path(url: str) -> bool:
    """Whether an address is a path of this site in plain spelling, which no browser can read as
    another host or path.
    """
    path = url.partition("?")[0]
    return bool(SITE_PATH.fullmatch(url)) and "//" not in path and "/." not in path


def require_link(url: str) -> str:
    """Validate a link, stripped of blanks: as `require_safe_link`, or a path of this site.

    Raises:
        InvalidInputError: It is too long, or may not be offered.
    """
    url = url.strip()
    if url.startswith("/"):
        if len(url) > URL_LENGTH or not is_site_path(url):
            raise InvalidInputError("站内链接应为 / 开头的路径，如 /topic?id=3")
        return url
    if len(url) > URL_LENGTH or not is_safe_link(url):
        raise InvalidInputError(f"{WHOLE_ADDRESS}，或站内路径，如 /topic?id=3")
    return url


def require_safe_link(url: str) -> str:
    """Validate an external link, stripped of blanks.

    Raises:
        InvalidInputError: It is too long, or may not be offered.
    """
    url = url.strip()
    if len(url) > URL_LENGTH or not is_safe_link(url):
        raise InvalidInputError(WHOLE_ADDRESS)
    return url
