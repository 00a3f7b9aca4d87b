"""Files: media and encrypted pictures under opaque names, with single byte ranges (RFC 9110
§14).
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from pathlib import PurePosixPath

import msgspec
from litestar.types import HTTPScope, Receive, Send

from liuying.core.playback.signed_urls import LOCKED_MESSAGE
from liuying.http.protected_media import ASSET_FILE, ProtectedMedia
from liuying.http.refusals import send_refusal
from liuying.http.representation import Header, matches_etag
from liuying.kit.object_keys import asset_prefix, media_key, picture_key
from liuying.kit.object_store import ObjectStore, OpenObject, local_path

CHUNK = 256 * 1024
LOG = logging.getLogger(__name__)
IMMUTABLE = b"public, max-age=31536000, immutable"
MEDIA_TYPES = {
    ".m3u8": b"application/vnd.apple.mpegurl",
    ".m4s": b"video/iso.segment",
    ".mp4": b"video/mp4",
    ".vtt": b"text/vtt; charset=utf-8",
    ".jpg": b"image/jpeg",
    ".bin": b"application/octet-stream",
}
GRANTED_PREFIX = "/media/r/"
MEDIA_PATH = re.compile(rf"/media/{ASSET_FILE}")
ENCRYPTED_PATH = re.compile(r"/enc/([0-9a-f]{32})\.bin")
RANGE = re.compile(rb"(?i:bytes)=([0-9]{0,18})-([0-9]{0,18})")


# Identical for everybody who has the address, and without credentials: a CDN on another origin may
# serve it (settings, media_base).
OPEN_TO_ALL_ORIGINS: tuple[Header, ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"access-control-allow-origin", b"*"),
)


class Sent(msgspec.Struct, frozen=True):
    """An object about to be sent."""

    content: OpenObject
    key: PurePosixPath
    media_type: bytes
    cache_control: bytes


class ByteRange(msgspec.Struct, frozen=True):
    """Bytes from `start` to `end`, inclusive."""

    start: int
    end: int


def parse_range(header: bytes, size: int) -> ByteRange | None:
    """The single range that a `Range` header requests; None if the whole file is to be sent.

    Several ranges, other units and malformed headers are ignored, as RFC 9110 §14.2 allows.

    Raises:
        ValueError: The range is beyond the end: 416.
    """
    found = RANGE.fullmatch(header.strip())
    if found is None or found.groups() == (b"", b""):
        return None
    first, last = found.groups()
    if not first:
        length = min(int(last), size)
        if length == 0:
            raise ValueError("empty suffix")
        return ByteRange(size - length, size - 1)
    start, end = int(first), min(int(last), size - 1) if last else size - 1
    if last and int(last) < start:
        return None
    if start >= size:
        raise ValueError("past the end")
    return ByteRange(start, end)


class DataFiles:
    """Serves `/media/{key}/…`, `/media/r/{signed_prefix}/{key}/…` and `/enc/{name}.bin`.

    No part of a request becomes a path before it matches a pattern without dots and separators, and
    links are not followed (docs/security.md#t16). Protected files are in a folder to which only
    signed addresses lead (docs/security.md#t5).

    Args:
        objects: The store of media and pictures.
        protected: Decides who reads protected media.
        accel_prefix: Where nginx serves the protected folder (`X-Accel-Redirect`); empty without
            nginx.
    """

    def __init__(
        self, objects: ObjectStore, protected: ProtectedMedia, accel_prefix: str = ""
    ) -> None:
        self._signed = protected
        self._accel_prefix = accel_prefix
        self._objects = objects

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] not in {"GET", "HEAD"}:
            await send_refusal(send, 405, "不支持的请求方式", [(b"allow", b"GET, HEAD")])
            return
        path = scope["path"]
        if (encrypted := ENCRYPTED_PATH.fullmatch(path)) is not None:
            await self._send(picture_key(encrypted[1]), scope, receive, send)
        elif path.startswith(GRANTED_PREFIX):
            await self._send_signed(scope, receive, send)
        elif (media := MEDIA_PATH.fullmatch(path)) is not None:
            locked = asset_prefix(media[1], is_protected=True)
            if await asyncio.to_thread(self._objects.has_any, locked):
                await send_refusal(send, 403, LOCKED_MESSAGE)
                return
            await self._send(media_key(path, is_protected=False), scope, receive, send)
        else:
            await send_refusal(send, 404, "内容不存在或已下架")

    async def _send_signed(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        signed = self._signed.find(scope["path"])
        if signed is None:
            await send_refusal(send, 403, LOCKED_MESSAGE)
            return
        key = media_key(signed.path, is_protected=True)
        media_type = MEDIA_TYPES.get(PurePosixPath(key).suffix)
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
        await self._send(key, scope, receive, send, signed.cache_control)

    async def _send(
        self,
        key: str,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
        cache_control: bytes = IMMUTABLE,
    ) -> None:
        name = PurePosixPath(key)
        media_type = MEDIA_TYPES.get(name.suffix)
        try:
            content = await asyncio.to_thread(self._objects.open, key) if media_type else None
        except OSError:
            LOG.exception("a published file could not be opened")
            await send_refusal(send, 503, "网络异常，请稍后重试", [(b"retry-after", b"5")])
            return
        if content is None or media_type is None:
            await send_refusal(send, 404, "内容不存在或已下架")
            return
        try:
            published = Sent(content, name, media_type, cache_control)
            await _send_object(published, scope, receive, send)
        finally:
            content.close()


async def _send_object(published: Sent, scope: HTTPScope, receive: Receive, send: Send) -> None:
    # Published files never change under their name, so name and size identify the bytes.
    size = published.content.size
    etag = f'"{published.key.parent.name}-{published.key.stem}-{size:x}"'.encode()
    conditions = {b"range", b"if-none-match", b"if-range"}
    asked = {name: value for name, value in scope["headers"] if name in conditions}
    base: list[Header] = [
        (b"etag", etag),
        (b"cache-control", published.cache_control),
        (b"accept-ranges", b"bytes"),
        *OPEN_TO_ALL_ORIGINS,
    ]
    if b"if-none-match" in asked and matches_etag(asked[b"if-none-match"], etag):
        await send({"type": "http.response.start", "status": 304, "headers": base})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    wanted: ByteRange | None = None
    if b"range" in asked and asked.get(b"if-range", etag) == etag:
        try:
            wanted = parse_range(asked[b"range"], size)
        except ValueError:
            await send_refusal(
                send, 416, "请求范围无效", [(b"content-range", f"bytes */{size}".encode())]
            )
            return
    headers = [*base, (b"content-type", published.media_type)]
    if wanted is None:
        wanted, status = ByteRange(0, size - 1), 200
    else:
        headers.append((b"content-range", f"bytes {wanted.start}-{wanted.end}/{size}".encode()))
        status = 206
    headers.append((b"content-length", str(wanted.end - wanted.start + 1).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if scope["method"] == "HEAD" or size == 0:
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    if wanted.end - wanted.start < CHUNK:
        await _send_bytes(published.content, wanted, send, lambda: False)
        return
    leaving = asyncio.create_task(_departure(receive))
    try:
        await _send_bytes(published.content, wanted, send, leaving.done)
    finally:
        leaving.cancel()


async def _departure(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_bytes(
    content: OpenObject, wanted: ByteRange, send: Send, is_gone: Callable[[], bool]
) -> None:
    """Send a range; the rest of it is not even read for a client that is gone."""
    position = wanted.start
    while position <= wanted.end and not is_gone():
        length = min(CHUNK, wanted.end - position + 1)
        data = await asyncio.to_thread(content.read, position, length)
        if not data:
            raise OSError("the file became shorter while it was sent")
        position += len(data)
        await send(
            {"type": "http.response.body", "body": data, "more_body": position <= wanted.end}
        )
