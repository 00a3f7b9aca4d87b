"""Objects of the store as answers of the console: whole, or one range of their bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from litestar import Request, Response
from litestar.response import Stream

from liuying.kit.envelope import Problem
from liuying.kit.errors import NotFoundError
from liuying.kit.file_answers import FileAnswer, answer_for
from liuying.kit.object_store import CHUNK_BYTES, ObjectStore, OpenObject

PRIVATE = b"private, no-store"
NO_SNIFFING = ((b"x-content-type-options", b"nosniff"),)


def answer_object(
    objects: ObjectStore, key: str, name: str, request: Request[Any, Any, Any]
) -> Response[Any]:
    """Answer a request with an object's bytes, for this browser alone.

    Args:
        name: What it is called: the suffix says its media type, one that is published.

    Raises:
        NotFoundError: There is none, or none of a known type.
    """
    found = objects.open(key)
    if found is None:
        raise NotFoundError("没有这个文件")
    try:
        answer = answer_for(name, found.size, PRIVATE, request.scope["headers"], NO_SNIFFING)
    except ValueError:
        found.close()
        problem = Problem(code=416, msg="请求的范围超出文件")
        headers = {"content-range": f"bytes */{found.size}"}
        return Response(problem, status_code=416, headers=headers, media_type="application/json")
    if answer is None:
        found.close()
        raise NotFoundError("没有这个文件")
    return _sent(found, answer)


def _sent(found: OpenObject, answer: FileAnswer) -> Response[Any]:
    # With the type of its own kind: the framework would take the route's for a stream.
    headers = {name.decode(): value.decode() for name, value in answer.headers}
    if answer.length == 0:
        found.close()
        return Response(None, status_code=answer.status, headers=headers)
    return Stream(_pieces(found, answer), status_code=answer.status, headers=headers)


def _pieces(found: OpenObject, answer: FileAnswer) -> Iterator[bytes]:
    offset, end = answer.offset, answer.offset + answer.length
    try:
        while offset < end and (data := found.read(offset, min(CHUNK_BYTES, end - offset))):
            yield data
            offset += len(data)
    finally:
        found.close()
