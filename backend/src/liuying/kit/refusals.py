"""Refusals in the envelope, outside and inside the framework (docs/product.md#wire)."""

from __future__ import annotations

import errno
import logging
import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import sqlalchemy as sa
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import HTTPScope, Send

from liuying.kit.answering import SlowDatabaseError
from liuying.kit.database_errors import LOCKED, PASSING, database_fault, database_reason
from liuying.kit.envelope import FieldProblem, Problem
from liuying.kit.errors import InvalidInputError, LiuyingError, TooManyRequestsError
from liuying.kit.object_store import ObjectStoreError
from liuying.kit.refusal_reasons import chinese_reason
from liuying.kit.representation import Header
from liuying.kit.request_id import HEADER, REQUEST_ID
from liuying.kit.strict_query import wire_names

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
# The framework's message about a missing parameter, by its name on the wire.
MISSING_PARAMETER = re.compile(r"Missing required \w+ parameter '([^']+)'")
FAILURE = "网络异常，请稍后重试"
# Seconds until a retry is worthwhile: a lock passes, a full disk needs somebody.
LOCKED_RETRY_S, BROKEN_RETRY_S = 2, 30


async def send_refusal(
    send: Send, code: int, message: str, headers: list[Header] | None = None
) -> None:
    """Answer outside the framework, in the same form as inside it."""
    body = msgspec.json.encode(Problem(code=code, msg=message))
    said = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    await send_json(send, code, body, [*said, *(headers or [])])


async def send_json(send: Send, code: int, body: bytes, headers: Iterable[Header]) -> None:
    """Send an answer outside the framework.

    Args:
        headers: Beside what the body says of itself.
    """
    of_body = ((b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)))
    sent = [*of_body, *headers]
    await send({"type": "http.response.start", "status": code, "headers": sent})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def answer_domain_error(_: Request[Any, Any, Any], error: LiuyingError) -> Response[Problem]:
    """One of our rules was broken: its own code and text."""
    field = error.field if isinstance(error, InvalidInputError) else ""
    problems = [FieldProblem(field=field, reason=error.message)] if field else []
    response = _response(Problem(code=error.code, msg=error.message, rescont=problems))
    if isinstance(error, TooManyRequestsError):
        response.headers["retry-after"] = str(error.retry_after)
    return response


def answer_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """The framework refused: 400 for a value becomes 422 with the invalid fields."""
    if isinstance(error, ValidationException):
        extra = [one for one in error.extra or [] if isinstance(one, dict)]
        if not extra and (missing := MISSING_PARAMETER.match(error.detail)):
            extra = [{"key": missing[1], "message": "缺少参数", "source": "wire"}]
        problems = [
            FieldProblem(
                field=_wire_name(request, one),
                reason=chinese_reason(str(one.get("message", ""))),
            )
            for one in extra
        ]
        said = next((str(one["shown"]) for one in extra if one.get("shown")), MESSAGES[422])
        return _response(Problem(code=422, msg=said, rescont=problems))
    code = error.status_code
    response = _response(Problem(code=code, msg=MESSAGES.get(code, FAILURE)))
    response.headers.update(error.headers or {})
    return response


def _wire_name(request: Request[Any, Any, Any], problem: dict[str, Any]) -> str:
    """The wire name of a value for which the framework gives the handler's name."""
    name = str(problem.get("key", ""))
    if problem.get("source") in {"body", "wire"} or "route_handler" not in request.scope:
        return name
    return wire_names(request.route_handler).get(name, name)


def answer_database_error(
    request: Request[Any, Any, Any], error: sa.exc.DBAPIError
) -> Response[Problem]:
    """A database that another write holds, that cannot be reached or whose disk is full is not
    our fault: 503 with `Retry-After`, and one line for the operator.
    """
    reason = database_reason(error)
    if reason in PASSING:
        LOG.error("the database cannot be used: %s", reason.english)
    elif error.connection_invalidated:
        LOG.error("the database cannot be used: %s", database_fault(error))
    else:
        return answer_failure(request, error)
    return _unavailable(LOCKED_RETRY_S if reason is LOCKED else BROKEN_RETRY_S)


def answer_no_connection(
    _: Request[Any, Any, Any], error: sa.exc.TimeoutError
) -> Response[Problem]:
    """All connections to the database were in use for too long: 503 with `Retry-After`."""
    LOG.error("no connection to the database became free: %s", error)
    return _unavailable(LOCKED_RETRY_S)


def answer_slow_database(_: Request[Any, Any, Any], _error: SlowDatabaseError) -> Response[Problem]:
    """The database does not answer: 503 with `Retry-After`. A visitor's write may still be done,
    and is safe to repeat (docs/decisions/0022-many-processes.md); an operator's has not begun.
    """
    LOG.error("the database does not answer")
    return _unavailable(LOCKED_RETRY_S)


def answer_system_error(request: Request[Any, Any, Any], error: OSError) -> Response[Problem]:
    """A full disk, or a store of objects that does not answer, is 503 with `Retry-After`; other
    system errors are our fault.
    """
    if isinstance(error, ObjectStoreError):
        LOG.error("the store of objects cannot be used: %s", error)
        return _unavailable(BROKEN_RETRY_S)
    if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
        return answer_failure(request, error)
    LOG.error("the disk is full: %s", error)
    return _unavailable(BROKEN_RETRY_S)


def _unavailable(retry_after_s: int) -> Response[Problem]:
    response = _response(Problem(code=503, msg=FAILURE))
    response.headers["retry-after"] = str(retry_after_s)
    return response


def answer_failure(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """A fault of ours: logged with its traceback, answered without it."""
    LOG.error("a request failed", exc_info=error)
    response = _response(Problem(code=500, msg=FAILURE))
    if name := REQUEST_ID.get():
        response.headers[HEADER] = name  # The log line contains the same id.
    return response


# By kind of error; what an error is besides counts where it is not here itself.
ANSWERS: dict[int | type[Exception], Callable[..., Response[Any]]] = {
    LiuyingError: answer_domain_error,
    HTTPException: answer_http_error,
    sa.exc.DBAPIError: answer_database_error,
    sa.exc.TimeoutError: answer_no_connection,
    SlowDatabaseError: answer_slow_database,
    OSError: answer_system_error,
    Exception: answer_failure,
}


async def send_error(
    scope: HTTPScope, send: Send, error: Exception, headers: Iterable[Header]
) -> None:
    """Answer an error outside the framework as it is answered inside.

    Args:
        headers: Those of every answer.
    """
    answer = next(ANSWERS[kind] for kind in type(error).__mro__ if kind in ANSWERS)
    response = answer(Request(scope), error)
    body = msgspec.json.encode(response.content)
    own = [(name.encode(), value.encode()) for name, value in response.headers.items()]
    await send_json(send, response.content.code, body, [*own, *headers])


def _response(problem: Problem) -> Response[Problem]:
    return Response(
        problem,
        status_code=problem.code,
        media_type=MediaType.JSON,
        headers={"cache-control": "no-store"},
    )
