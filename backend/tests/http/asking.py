"""Asking a hot path without a server."""

from __future__ import annotations

from liuying.http.response_cache import ResponseCache

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/x",
    "raw_path": b"/api/x",
    "query_string": b"",
    "headers": [],
}


async def ask(response_cache: ResponseCache, target: bytes = b"/api/x") -> bytes:
    """The body of the answer to a plain read."""
    sent: list[bytes] = []

    async def send(message: dict[str, object]) -> None:
        body = message.get("body", b"")
        assert isinstance(body, bytes)
        sent.append(body)

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {**SCOPE, "raw_path": target}
    await response_cache(scope, receive, send)  # type: ignore[arg-type]  # the smallest scope that the class reads
    return b"".join(sent)
