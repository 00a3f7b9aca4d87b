"""Unambiguous bodies: plain JSON of bounded depth, with text that every part can store
(docs/security.md#t13, docs/security.md#t19).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import HTTPException, SerializationException, ValidationException

from liuying.kit.responses import MISSING_OPTION

MAX_DEPTH = 32
LARGEST_INTEGER = 2**63 - 1
LARGEST_EXACT = 2**53
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
FIELD = re.compile(r"\$\.(\w+)")
ABSENT = re.compile(r"Object missing required field `(\w+)`")


async def refuse_loose_body(request: Request[Any, Any, Any]) -> None:
    """Validate the body of a call before the framework reads values from it.

    Raises:
        HTTPException: 415 if it is compressed or not JSON; 413 if it is too large.
        ValidationException: It is malformed or not what the route takes. The framework alone would
            take `"1"` for 1.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise HTTPException(status_code=415)
    said = request.route_handler.opt.get(MISSING_OPTION, {})
    if not await request.body():
        for missing, message in said.items():
            raise _refusal(missing, message, message)
        return  # The route reports what is missing.
    if request.content_type[0].lower() != "application/json":
        raise HTTPException(status_code=415)
    try:
        read = await request.json()  # Cached by the request: later readers get the same.
    except (SerializationException, ValueError, RecursionError) as error:
        raise _refusal("", "不是有效的 JSON") from error
    field = request.route_handler.parsed_data_field
    if field is None:
        return
    _write_whole_numbers(read)
    try:
        value = msgspec.convert(read, field.annotation, strict=True)
    except msgspec.ValidationError as error:
        name = _field_of(str(error))
        is_missing = isinstance(read, dict) and read.get(name) is None
        raise _refusal(name, str(error), said.get(name, "") if is_missing else "") from error
    _refuse_loose_values(
        msgspec.to_builtins(value)
    )  # What the route does not take is never examined.


def _write_whole_numbers(body: Any) -> None:
    """Replace 5.0 by 5 in place: JSON has a single kind of number."""
    containers = [body]
    while containers:
        container = containers.pop()
        if not isinstance(container, dict | list):
            continue
        for key, value in list(
            container.items() if isinstance(container, dict) else enumerate(container)
        ):
            if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_EXACT:
                container[key] = int(value)
            elif isinstance(value, dict | list):
                containers.append(value)


def _refuse_loose_values(body: object) -> None:
    level: list[object] = [body]
    for _ in range(MAX_DEPTH):
        if not level:
            return
        following: list[object] = []
        for value in level:
            if isinstance(value, str) and UNSTORABLE.search(value):
                raise _refusal("", "文字含有不允许的字符")
            if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
                raise _refusal("", "数字过大")
            if isinstance(value, dict):
                following += [*value.keys(), *value.values()]
            elif isinstance(value, list):
                following += value
        level = following
    if level:
        raise _refusal("", "层次过深")


def _field_of(fault: str) -> str:
    """The invalid field according to the decoder's message, or that it is missing from the body
    itself.
    """
    found = FIELD.search(fault) or ABSENT.fullmatch(fault)
    return found[1] if found else ""


def _refusal(field: str, reason: str, shown: str = "") -> ValidationException:
    """
    Args:
        shown: What the visitor reads; empty for what is said of any wrong value.
    """
    problem = {"key": field, "message": reason, "source": "body", "shown": shown}
    return ValidationException(extra=[problem])
