"""Reading from a request who makes it."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.types import HTTPScope

from liuying.core.visitors.presented_codes import PresentedCodes
from liuying.kit.batches import Batch
from liuying.kit.caller import Caller
from liuying.kit.client_network import ClientNetwork, ProxyTrust
from liuying.kit.responses import CODE_PARAMETER
from liuying.kit.visitor_code import VisitorCode, parse_code


class CallerReader:
    """The dependency `caller`.

    Args:
        trust: Whose forwarding header is trusted.
        presented: Counts the codes that a network presents.
    """

    def __init__(self, trust: ProxyTrust, presented: PresentedCodes) -> None:
        self._trust = trust
        self._presented = presented
        # A new code is a transaction: those that come while one is under way share the next.
        self._new_codes = Batch(presented.check_many)

    async def __call__(self, request: Request[Any, Any, Any]) -> Caller:
        """The caller of a request.

        Raises:
            InvalidInputError: An invalid code was sent.
            TooManyRequestsError: This network has presented too many different codes.
        """
        places = (
            (CODE_PARAMETER, request.headers.get(CODE_PARAMETER)),
            ("uuid", request.query_params.get("uuid")),
            ("uuid", await _body_code(request)),
        )
        # Every code that was sent must be valid. The header takes precedence over the query, the
        # query over the body.
        codes = [parse_code(text, field) for field, text in places if text]
        return await self.caller_of(request.scope, next(iter(codes), None))

    async def caller_of(self, scope: HTTPScope, code: VisitorCode | None) -> Caller:
        """The caller of a request that presents a code.

        Raises:
            TooManyRequestsError: This network has presented too many different codes.
        """
        caller, is_new = self.read(scope, code)
        if code is not None and is_new:
            await self._new_codes.do((code, caller.network))
        return caller

    def read(self, scope: HTTPScope, code: VisitorCode | None) -> tuple[Caller, bool]:
        """The caller of a request that presents a code, and whether it is still to be counted in
        the database that the network presents it.

        Raises:
            TooManyRequestsError: This network has presented too many different codes.
        """
        network = self._network_of(scope)
        is_new = code is not None and not self._presented.knows(code, network)
        if code is not None and is_new and not self._presented.waits:
            self._presented.check(code, network)
            is_new = False
        return Caller(code=code, network=network), is_new

    def network(self, request: Request[Any, Any, Any]) -> ClientNetwork:
        """The dependency `network`: where a request comes from, for answers that are the same for
        everybody. No code is looked at, as none is where the answer is kept.
        """
        return self._network_of(request.scope)

    def _network_of(self, scope: HTTPScope) -> ClientNetwork:
        peer = scope["client"]
        return self._trust.network_of(peer[0] if peer else None, scope["headers"])


async def _body_code(request: Request[Any, Any, Any]) -> str:
    """`uuid` of a JSON body; empty if there is none. `strict_body` has refused invalid bodies."""
    if request.method in {"GET", "HEAD"}:
        return ""
    body = await request.json()
    code = body.get("uuid") if isinstance(body, dict) else None
    return code if isinstance(code, str) else ""
