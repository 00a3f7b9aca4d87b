"""Notifying another program over HTTP: one address chosen by the operator, signed, without
redirects.

Signed as Standard Webhooks has it (https://www.standardwebhooks.com, symmetric, `v1`): receivers
check it with a library.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import re
from base64 import b64decode, b64encode
from typing import Any
from urllib.parse import urlsplit

import msgspec

from liuying.kit.clock import Milliseconds
from liuying.kit.http_connection import connection_to
from liuying.kit.origins import is_loopback

TIMEOUT_S = 5.0
MAX_URL_LENGTH = 500
SHORTEST_SECRET = 16
SECRET_PREFIX = "whsec_"  # noqa: S105 - what secrets begin with
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
        secret: Text, at least 16 characters; `whsec_` and base64 as Standard Webhooks has it, or
            any other, whose UTF-8 bytes are the key.
        is_signed_as_before: Also sends the headers of earlier versions (`x-liuying-…`).
    """

    url: str
    secret: str
    is_signed_as_before: bool = False

    def send(self, message: dict[str, Any], now: Milliseconds) -> None:
        """POST a message as JSON and wait for a 2xx, at most 5 seconds per step; redirects are not
        followed.

        `webhook-signature` is `v1,` and the base64 of the HMAC-SHA256 of `webhook-id`, a dot,
        `webhook-timestamp` (seconds since 1970), a dot and the body. A receiver refuses old
        timestamps, so that nothing can be replayed.

        Raises:
            WebhookError: It could not be reached, or answered something else.
        """
        body = msgspec.json.encode(message)
        stamp = str(now // 1000)
        headers = {
            "content-type": "application/json",
            "user-agent": "liuying",
            "webhook-id": (number := f"msg_{hashlib.sha256(body).hexdigest()[:24]}"),
            "webhook-timestamp": stamp,
            "webhook-signature": f"v1,{sign(self.secret, number, stamp, body)}",
        }
        if self.is_signed_as_before:
            headers |= {
                "x-liuying-timestamp": stamp,
                "x-liuying-signature": f"sha256={sign_as_before(self.secret, stamp, body)}",
            }
        parts = urlsplit(self.url)
        connection = connection_to(parts, TIMEOUT_S)
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


def sign(secret: str, number: str, stamp: str, body: bytes) -> str:
    """The signature of Standard Webhooks, base64.

    Args:
        number: The message's id.
        stamp: Seconds since 1970.
    """
    signed = f"{number}.{stamp}.".encode() + body
    return b64encode(hmac.digest(_key_of(secret), signed, hashlib.sha256)).decode()


def _key_of(secret: str) -> bytes:
    """Raises `ValueError` where what follows `whsec_` is no base64."""
    if secret.startswith(SECRET_PREFIX):
        return b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    return secret.encode()


def sign_as_before(secret: str, stamp: str, body: bytes) -> str:
    """The signature of version 0.1, 64 hexadecimal digits."""
    return hmac.digest(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hex()


def parse_webhook(url: str, secret: str, *, is_signed_as_before: bool = False) -> Webhook | None:
    """The webhook given by settings; None without one.

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
    try:
        _key_of(secret)
    except ValueError:
        raise ValueError("LIUYING_WEBHOOK_SECRET 以 whsec_ 开头时，后面应为 base64") from None
    return Webhook(url, secret, is_signed_as_before)


def _is_safe(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.port == 0 or not host:
            return False
    except ValueError:
        return False
    return parts.scheme == "https" or is_loopback(host)
