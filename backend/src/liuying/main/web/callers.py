"""Reads from a request who calls."""

from __future__ import annotations

from typing import Any

from litestar import Request

from liuying.kit.caller import Caller
from liuying.kit.client_network import ProxyTrust
from liuying.kit.visitor_code import parse_code

CODE_HEADER = "x-visitor-code"


class CallerReader:
    """The dependency `caller`.

    Args:
        trust: Whose forwarding header is believed.
    """

    def __init__(self, trust: ProxyTrust) -> None:
        self._trust = trust

    async def __call__(self, request: Request[Any, Any, Any]) -> Caller:
        """The caller of a request.

        Raises:
            InvalidInputError: A code was sent that is not one.
        """
        given = request.headers.get(CODE_HEADER) or request.query_params.get("uuid") or await _body_code(request)
        peer = request.scope["client"]
        network = self._trust.network_of(peer[0] if peer else None, request.scope["headers"])
        return Caller(code=parse_code(given) if given else None, network=network)


async def _body_code(request: Request[Any, Any, Any]) -> str:
    """`uuid` of a JSON body; empty where there is none. What else is wrong with the body, its route says."""
    if request.method in {"GET", "HEAD"} or request.content_type[0] != "application/json":
        return ""
    body = await request.json() if await request.body() else None
    code = body.get("uuid") if isinstance(body, dict) else None
    return code if isinstance(code, str) else ""
