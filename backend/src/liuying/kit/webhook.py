"""Notifying another program over HTTP: one address chosen by the operator, signed, without
redirects.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import re
import ssl
from typing import Any
from urllib.parse import urlsplit

import msgspec

from liuying.kit.clock import Milliseconds
from liuying.kit.origins import is_loopback

TIMEOUT_S = 5.0
MAX_URL_LENGTH = 500
SHORTEST_SECRET = 16
# Visible ASCII without a fragment and without credentials before the host.
ADDRESS = re.compile(
    r"https?://[^\s\x00-\x20\x7f-\U0010ffff\"<>\\#@/?]+(?:[/?][^\s\x00-\x20\x7f-\U0010ffff\"<>\\#]*)?"
)


class WebhookError(Exception):
    """The receiver was not notified. The message says why and never contains the address, which may
    hold a key.
    """


class Webhook(msgspec.Struct, frozen=True):
    """Where to send notifications, and the key that authenticates them.

    Attributes:
        url: https, or http on this machine.
        secret: Text, at least 16 characters.
    """

    url: str
    secret: str

    def send(self, message: dict[str, Any], now: Milliseconds) -> None:
        """POST a message as JSON and wait for a 2xx, at most 5 seconds per step; redirects are not
        followed.

        `x-liuying-signature` is `sha256=` and the HMAC-SHA256, in hexadecimal digits, of
        `x-liuying-timestamp` (seconds since 1970), a dot and the body. A receiver refuses old
        timestamps, so that nothing can be replayed.

        Raises:
            WebhookError: It could not be reached, or answered something else.
        """
        body = msgspec.json.encode(message)
        stamp = str(now // 1000)
        headers = {
            "content-type": "application/json",
            "user-agent": "liuying",
            "x-liuying-timestamp": stamp,
            "x-liuying-signature": f"sha256={sign(self.secret, stamp, body)}",
        }
        parts = urlsplit(self.url)
        connection = _connect(parts.scheme, parts.netloc)
        try:
            connection.request(
                "POST",
                f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}",
                body,
                headers,
            )
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            raise WebhookError(f"无法送达：{type(error).__name__}") from None
        finally:
            connection.close()
        if not 200 <= status < 300:
            raise WebhookError(f"对方回答 {status}")


def sign(secret: str, stamp: str, body: bytes) -> str:
    """The signature, 64 hexadecimal digits."""
    return hmac.digest(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hex()


def parse_webhook(url: str, secret: str) -> Webhook | None:
    """The webhook given by two settings; None without one.

    Raises:
        ValueError: They are invalid. The message is for the operator.
    """
    url, secret = url.strip(), secret.strip()
    if not url and not secret:
        return None
    if len(url) > MAX_URL_LENGTH or ADDRESS.fullmatch(url) is None or not _is_safe(url):
        raise ValueError(
            "LIUYING_WEBHOOK_URL 应为 https:// 开头的地址（本机可用 http://127.0.0.1）"
        )
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"LIUYING_WEBHOOK_SECRET 至少要有 {SHORTEST_SECRET} 个字符，用来签名")
    return Webhook(url, secret)


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    try:
        host = parts.hostname or ""
        if parts.port == 0 or not host:
            return False
    except ValueError:
        return False
    return parts.scheme == "https" or is_loopback(host)


def _connect(scheme: str, netloc: str) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(
            netloc, timeout=TIMEOUT_S, context=ssl.create_default_context()
        )
    return http.client.HTTPConnection(netloc, timeout=TIMEOUT_S)
