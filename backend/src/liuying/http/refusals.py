"""Refusals in the envelope, outside and inside the framework (docs/product.md#wire)."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import Send

from liuying.http.representation import Header
from liuying.kit.envelope import FieldProblem, Problem
from liuying.kit.errors import LiuyingError, TooManyRequestsError
from liuying.kit.request_id import HEADER, REQUEST_ID

LOG = logging.getLogger(__name__)
MESSAGES = {
    401: "请先登录",
    403: "没有权限",
    404: "内容不存在或已下架",
    405: "不支持的请求方式",
    413: "请求内容过大",
    415: "不支持的内容类型",
    422: "请求参数有误",
    429: "操作过于频繁，请稍后再试",
}
FAILURE = "网络异常，请稍后重试"
# Query parameters whose name on the wire is not the name in the code.
WIRE_NAMES = {"keyword": "serach", "video_id": "id", "category_id": "type", "encoded": "id"}


async def send_refusal(
    send: Send, code: int, message: str, headers: list[Header] | None = None
) -> None:
    """Answer outside the framework, in the same form as inside it."""
    body = msgspec.json.encode(Problem(code=code, msg=message))
    sent = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *(headers or []),
    ]
    await send({"type": "http.response.start", "status": code, "headers": sent})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def answer_domain_error(_: Request[Any, Any, Any], error: LiuyingError) -> Response[Problem]:
    """A rule of ours was broken: its own code and text."""
    response = _response(Problem(code=error.code, msg=error.message))
    if isinstance(error, TooManyRequestsError):
        response.headers["retry-after"] = str(error.retry_after)
    return response


def answer_http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """The framework refused: 400 for a value becomes 422 with the fields at fault."""
    if isinstance(error, ValidationException):
        extra = error.extra if isinstance(error.extra, list) else []
        problems = [
            FieldProblem(field=_wire_name(one), reason=str(one.get("message", "")))
            for one in extra
            if isinstance(one, dict)
        ]
        return _response(Problem(code=422, msg=MESSAGES[422], rescont=problems))
    code = error.status_code
    response = _response(Problem(code=code, msg=MESSAGES.get(code, FAILURE)))
    response.headers.update(error.headers or {})
    return response


def _wire_name(problem: dict[str, Any]) -> str:
    name = str(problem.get("key", ""))
    return WIRE_NAMES.get(name, name) if problem.get("source") == "query" else name


def answer_failure(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """A fault of ours: logged with its traceback, answered without it."""
    LOG.error("a request failed", exc_info=error)
    response = _response(Problem(code=500, msg=FAILURE))
    if name := REQUEST_ID.get():
        response.headers[HEADER] = name  # the line of the log has the same
    return response


def _response(problem: Problem) -> Response[Problem]:
    return Response(
        problem,
        status_code=problem.code,
        media_type=MediaType.JSON,
        headers={"cache-control": "no-store"},
    )
