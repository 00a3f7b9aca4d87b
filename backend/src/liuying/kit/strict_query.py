"""Unambiguous addresses: no repeated parameter, whole numbers in plain digits
(docs/security.md#t13).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from litestar import Request
from litestar.exceptions import ValidationException
from litestar.handlers import BaseRouteHandler
from litestar.params import QueryParameter
from litestar.typing import FieldDefinition
from litestar.utils import normalize_path

CALLS = "/api/"
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")


def refuse_loose_query(request: Request[Any, Any, Any]) -> None:
    """Validate the raw address of a call before the framework reads values from it. Screens read
    theirs in the browser.

    Raises:
        ValidationException: A parameter is repeated, or a number is not written in digits.
    """
    scope = request.scope
    if not is_call(scope["path"]):
        return
    segments = scope["path"].split("/")
    path_params: dict[str, object] = dict(scope.get("path_params", {}))
    for name, number in path_params.items():
        if isinstance(number, int) and str(number) not in segments:
            raise _refusal(name, "应为整数")
    integers = _integers_of(request.route_handler)
    raw = scope["query_string"].decode("latin-1")
    seen: set[str] = set()
    for name, value in parse_qsl(raw, keep_blank_values=True):
        if name in seen:
            raise _refusal(name, "参数重复")
        seen.add(name)
        if name in integers and not WHOLE_NUMBER.fullmatch(value):
            raise _refusal(name, "应为整数")


def is_call(path: str) -> bool:
    """Whether the router takes a path for a call: `//api/x` and `/api/x/` are the same call."""
    return path.startswith(CALLS) or f"{normalize_path(path)}/".startswith(CALLS)


@cache
def query_names(handler: BaseRouteHandler) -> frozenset[str]:
    """Wire names of the query parameters that a route reads."""
    return frozenset(wire_names(handler).values())


@cache
def wire_names(handler: BaseRouteHandler) -> dict[str, str]:
    """The query parameters that a route reads: names in the code, and names on the wire."""
    return {name: wire_name for name, wire_name, _ in _query_fields(handler)}


@cache
def _integers_of(handler: BaseRouteHandler) -> frozenset[str]:
    """Wire names of a route's integer parameters; the decoder behind them would also take `1e3`
    and `1.0`.
    """
    return frozenset(
        wire_name
        for _, wire_name, field in _query_fields(handler)
        if (field.is_subclass_of(int) or field.has_inner_subclass_of(int))
        and field.annotation is not bool
    )


def _query_fields(handler: BaseRouteHandler) -> Iterator[tuple[str, str, FieldDefinition]]:
    """The query parameters of a route and of its dependencies: the name in the code, the name on
    the wire, and its type.
    """
    dependencies = handler.resolve_dependencies().values()
    for signature in (
        handler.parsed_fn_signature,
        *(one.parsed_fn_signature for one in dependencies),
    ):
        for name, field in signature.parameters.items():
            definition = field.kwarg_definition
            if isinstance(definition, QueryParameter):
                yield name, definition.name or name, field


def _refusal(name: str, reason: str) -> ValidationException:
    return ValidationException(extra=[{"key": name, "message": reason, "source": "wire"}])
