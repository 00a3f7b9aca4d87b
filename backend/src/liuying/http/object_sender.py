"""Sending the objects of a store, piece by piece, whole or one range of their bytes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from litestar.types import HTTPResponseStartEvent, HTTPScope, Receive, Send

from liuying.kit.file_answers import FileAnswer, answer_for
from liuying.kit.object_store import LocalFiles, ObjectStore, OpenObject, ReadsAhead
from liuying.kit.refusals import send_refusal

CHUNK = 256 * 1024
# Threads that wait for a store elsewhere: so many visitors at a time are sent something new.
READERS = 32
LOG = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
ABSENT_MESSAGE = "内容不存在或已下架"
IMMUTABLE = b"public, max-age=31536000, immutable"


class ObjectSender:
    """Sends objects.

    From a store that is not on this machine they are read in threads of their own, so that a slow
    store keeps nobody else waiting; no piece is read for a client that is gone.

    Args:
        objects: The store.
    """

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        is_local = isinstance(objects, LocalFiles)
        self._reading = None if is_local else ThreadPoolExecutor(READERS, "objects")

    async def send(
        self,
        key: str,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
        cache_control: bytes = IMMUTABLE,
    ) -> None:
        """Answer a request with an object; 404 if there is none, 503 if the store does not answer.

        Args:
            key: The object's, which the request may read.
            cache_control: How long others may keep it.
        """
        try:
            content = await self._in_thread(self._objects.open, key)
        except OSError as error:
            await refuse_unreadable(send, error)
            return
        if content is None:
            await send_refusal(send, 404, ABSENT_MESSAGE)
            return
        try:
            answer = answer_for(key, content.size, cache_control, scope["headers"])
            if answer is None:
                await send_refusal(send, 404, ABSENT_MESSAGE)
            else:
                await self._send_object(content, answer, scope, receive, send)
        except ValueError:
            past_end = [(b"content-range", b"bytes */%d" % content.size)]
            await send_refusal(send, 416, "请求范围无效", past_end)
        finally:
            content.close()

    async def _send_object(
        self,
        content: OpenObject,
        answer: FileAnswer,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
    ) -> None:
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": answer.status,
            "headers": answer.headers,
        }
        if scope["method"] == "HEAD" or answer.length == 0:
            await send(start)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        if isinstance(content, ReadsAhead):
            content.end_reading_at(answer.offset + answer.length)
        # Before anything is promised: a store elsewhere may have stopped answering.
        try:
            first = await self._read(content, answer.offset, min(CHUNK, answer.length))
        except OSError as error:
            await refuse_unreadable(send, error)
            return
        await send(start)
        leaving = asyncio.create_task(_departure(receive)) if answer.length > CHUNK else None
        try:
            await self._send_bytes(
                content, answer, first, send, lambda: leaving is not None and leaving.done()
            )
        finally:
            if leaving is not None:
                leaving.cancel()

    async def _send_bytes(
        self,
        content: OpenObject,
        answer: FileAnswer,
        first: bytes,
        send: Send,
        is_gone: Callable[[], bool],
    ) -> None:
        """Send a body; the rest of it is not even read for a client that is gone."""
        position, end = answer.offset, answer.offset + answer.length
        data = first
        while True:
            position += len(data)
            await send({"type": "http.response.body", "body": data, "more_body": position < end})
            if position >= end or is_gone():
                return
            data = await self._read(content, position, min(CHUNK, end - position))

    async def _read(self, content: OpenObject, offset: int, length: int) -> bytes:
        data = await self._in_thread(content.read, offset, length)
        if not data:
            raise OSError("the file became shorter while it was sent")
        return data

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, work, *args)


async def refuse_unreadable(send: Send, error: Exception) -> None:
    """A store, a disk or a database does not answer now: worth trying again soon."""
    LOG.error("a published file could not be read: %r", error)
    await send_refusal(send, 503, "网络异常，请稍后重试", [(b"retry-after", b"5")])


async def _departure(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
