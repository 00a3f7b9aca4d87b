"""What nobody may keep: every answer of a call that does not declare otherwise (threats 20)."""

from __future__ import annotations

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from liuying.kit.answers import CACHE_OPTION


async def forbid_keeping(message: Message, scope: Scope) -> None:
    """Mark the answer `no-store`, unless its route declares how long it may be kept."""
    if message["type"] != "http.response.start" or not scope["path"].startswith("/api/"):
        return
    options = getattr(scope.get("route_handler"), "opt", {})
    if CACHE_OPTION not in options:
        MutableScopeHeaders(message)["cache-control"] = "no-store"
