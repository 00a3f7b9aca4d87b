"""Files: media and encrypted pictures under opaque names, with single byte ranges (RFC 9110
§14).
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from litestar.types import HTTPResponseStartEvent, HTTPScope, Receive, Send

from liuying.core.playback.signed_urls import LOCKED_MESSAGE
from liuying.http.file_transfer import SendableFile
from liuying.http.media_access import UNKNOWN_ACCESS, Access, MediaAccess
from liuying.http.object_sender import ABSENT_MESSAGE, IMMUTABLE, ObjectSender, refuse_unreadable
from liuying.http.protected_media import ASSET_FILE, ProtectedMedia
from liuying.kit.file_answers import MEDIA_TYPES, OPEN_TO_ALL_ORIGINS, answer_for
from liuying.kit.object_keys import MediaPlace, picture_key
from liuying.kit.object_store import (
    LocalFiles,
    ObjectStore,
    descriptor_of,
    local_path,
)
from liuying.kit.refusals import send_refusal
from liuying.kit.representation import Header

STATUS_LINES = {
    200: b"HTTP/1.1 200 OK\r\n",
    206: b"HTTP/1.1 206 Partial Content\r\n",
    304: b"HTTP/1.1 304 Not Modified\r\n",
}
# Media may be asked for at another origin than the site's (settings, media_base), segments by
# range.
PREFLIGHT: list[Header] = [
    *OPEN_TO_ALL_ORIGINS,
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"Range, If-Range"),
    (b"access-control-max-age", b"86400"),
    (b"cache-control", b"no-store"),
]
GRANTED_PREFIX = "/media/r/"
MEDIA_PATH = re.compile(rf"/media/{ASSET_FILE}")
ENCRYPTED_PATH = re.compile(r"/enc/([0-9a-f]{32})\.bin")


class DataFiles:
    """Serves `/media/{key}/…`, `/media/r/{signed_prefix}/{key}/…` and `/enc/{name}.bin`.

    No part of a request becomes a path before it matches a pattern without dots and separators, and
    links are not followed (docs/security.md#t16). Only signed addresses lead to protected files
    (docs/security.md#t5).

    Args:
        objects: The store of media and pictures.
        access: Who may read an asset without a signed URL.
        protected: Decides who reads by a signed URL.
        accel_prefix: Where nginx serves the protected folder (`X-Accel-Redirect`); empty without
            nginx.

    Attributes:
        counts: How often `sendable` found an answer, by area and status. Written only by the event
            loop.
    """

    def __init__(
        self,
        objects: ObjectStore,
        access: MediaAccess,
        protected: ProtectedMedia,
        accel_prefix: str = "",
    ) -> None:
        self._access = access
        self._signed = protected
        self._accel_prefix = accel_prefix
        self._objects = objects
        self._is_local = isinstance(objects, LocalFiles)
        self._sender = ObjectSender(objects)
        self.counts: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] == "OPTIONS":
            await _permit_ranges(send)
            return
        if scope["method"] not in {"GET", "HEAD"}:
            await send_refusal(send, 405, "不支持的请求方式", [(b"allow", b"GET, HEAD, OPTIONS")])
            return
        path = scope["path"]
        if (encrypted := ENCRYPTED_PATH.fullmatch(path)) is not None:
            await self._sender.send(picture_key(encrypted[1]), scope, receive, send)
        elif path.startswith(GRANTED_PREFIX):
            await self._send_signed(scope, receive, send)
        elif (media := MEDIA_PATH.fullmatch(path)) is not None:
            await self._send_open(media[1], scope, receive, send)
        else:
            await send_refusal(send, 404, ABSENT_MESSAGE)

    async def _send_open(self, asset: str, scope: HTTPScope, receive: Receive, send: Send) -> None:
        access = await self._existing(asset, send)
        if access is Access.LOCKED:
            await send_refusal(send, 403, LOCKED_MESSAGE)
        elif access is Access.OPEN:
            key = self._objects.media.key(scope["path"], MediaPlace.OPEN)
            await self._sender.send(key, scope, receive, send)

    async def _existing(self, asset: str, send: Send) -> Access | None:
        """Who may read an asset; None if there is none, or nobody knows, which has been said."""
        try:
            access = await self._access.ask(asset)
        except UNKNOWN_ACCESS as error:
            await refuse_unreadable(send, error)
            return None
        if access is Access.ABSENT:
            await send_refusal(send, 404, ABSENT_MESSAGE)
            return None
        return access

    async def _send_signed(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        signed = self._signed.find(scope["path"])
        if signed is None:
            await send_refusal(send, 403, LOCKED_MESSAGE)
            return
        # Elsewhere its files are gone from their place as soon as a video is in the bin.
        asset = signed.path.partition("/")[0]
        if not self._objects.media.is_split and await self._existing(asset, send) is None:
            return
        key = self._objects.media.key(signed.path, MediaPlace.PROTECTED)
        media_type = MEDIA_TYPES.get(key.rpartition(".")[2])
        is_local = bool(self._accel_prefix) and (
            await asyncio.to_thread(local_path, self._objects, key) is not None
        )
        if is_local and media_type is not None:
            headers = [
                (b"x-accel-redirect", f"{self._accel_prefix}/{signed.path}".encode()),
                (b"content-type", media_type),
                (b"cache-control", signed.cache_control),
                *OPEN_TO_ALL_ORIGINS,
            ]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        await self._sender.send(key, scope, receive, send, signed.cache_control)

    def sendable(self, url: bytes, headers: Sequence[Header]) -> SendableFile | None:
        """An answer that the kernel can send at once, in the wire's form but for the server's own
        headers; None where the application must answer: refusals, other stores, files that nginx
        sends.

        Args:
            url: The request's target.
        """
        located = self._locate(url) if self._is_local else None
        if located is None:
            return None
        key, cache_control = located
        try:
            content = self._objects.open(key)
        except OSError:  # The application meets it too, and says so.
            return None
        if content is None:
            return None
        descriptor = descriptor_of(content)
        answer = None
        if descriptor is not None:
            with suppress(ValueError):
                answer = answer_for(key, content.size, cache_control, headers)
        if descriptor is None or answer is None:
            content.close()
            return None
        self.counts[url[1 : url.index(b"/", 1)].decode(), str(answer.status)] += 1
        head = [STATUS_LINES[answer.status]]
        for name, value in answer.headers:
            head += (name, b": ", value, b"\r\n")
        return SendableFile(b"".join(head), content, descriptor, answer.offset, answer.length)

    def _locate(self, url: bytes) -> tuple[str, bytes] | None:
        """Key and `Cache-Control` of the object behind an address in plain spelling."""
        if not url.isascii():
            return None
        path = url.decode()
        if (encrypted := ENCRYPTED_PATH.fullmatch(path)) is not None:
            return picture_key(encrypted[1]), IMMUTABLE
        if path.startswith(GRANTED_PREFIX):
            signed = None if self._accel_prefix else self._signed.find(path)
            if signed is None:
                return None
            return self._objects.media.key(signed.path, MediaPlace.PROTECTED), signed.cache_control
        media = MEDIA_PATH.fullmatch(path)
        if media is None or self._access.of(media[1]) is not Access.OPEN:
            return None
        return self._objects.media.key(path, MediaPlace.OPEN), IMMUTABLE


async def _permit_ranges(send: Send) -> None:
    """Answer the question that older browsers ask before they ask another origin for a range."""
    start: HTTPResponseStartEvent = {
        "type": "http.response.start",
        "status": 204,
        "headers": PREFLIGHT,
    }
    await send(start)
    await send({"type": "http.response.body", "body": b"", "more_body": False})
