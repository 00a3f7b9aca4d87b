"""Answers that are the same for everybody, kept ready in front of the framework (decisions §1).

A kept answer costs no database, no JSON encoding and no compression. A route declares what its answer depends
on (`kit.answers.cached`); when the change log says that one of these topics changed, the answer is dropped.
Requests for the same missing answer wait for one computation.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from time import monotonic

import msgspec
from litestar.enums import HttpMethod
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Send

from liuying.kit.answers import CACHE_OPTION, CachePolicy
from liuying.kit.changes import Topic
from liuying.main.web.representation import Representation, matches_etag, represent

MOST_BYTES = 96 * 1024 * 1024
LONGEST_TARGET = 512
STALE_WHILE_REVALIDATE = 60
# The request's target as it was sent: raw path, `?` and query.
Target = bytes


class KeptAnswer(msgspec.Struct, frozen=True):
    """A representation, what it depends on and the monotonic second after which it is computed anew."""

    representation: Representation
    topics: frozenset[Topic]
    expires: float


class CapturedAnswer(msgspec.Struct):
    """What the framework answered, taken from its messages."""

    start: HTTPResponseStartEvent | None = None
    body: bytes = b""


class HotPath:
    """An ASGI application that keeps what the application behind it declares as cacheable."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: OrderedDict[Target, KeptAnswer] = OrderedDict()
        self._pending: dict[Target, asyncio.Future[None]] = {}
        self._bytes = 0
        self._generation: dict[Topic, int] = dict.fromkeys(Topic, 0)

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] not in {"GET", "HEAD"}:
            await self.app(scope, receive, send)
            return
        query = scope["query_string"]
        target = b"%b?%b" % (scope["raw_path"], query) if query else scope["raw_path"]
        kept = self.find(target)
        if kept is None:
            if len(target) > LONGEST_TARGET:
                await self.app(scope, receive, send)
                return
            kept = await self._compute_once(target, scope, receive, send)
        if kept is not None:
            await _send_kept(kept.representation, scope, send)

    def find(self, target: Target) -> KeptAnswer | None:
        """The kept answer of a request's target, None where there is none or its time is over."""
        kept = self._kept.get(target)
        return kept if kept is not None and kept.expires >= monotonic() else None

    def drop(self, topics: frozenset[Topic]) -> None:
        """Forget every answer that depends on one of `topics`."""
        for topic in topics:
            self._generation[topic] += 1
        for target in [target for target, kept in self._kept.items() if kept.topics & topics]:
            self._bytes -= self._kept.pop(target).representation.size

    async def _compute_once(self, target: Target, scope: HTTPScope, receive: Receive, send: Send) -> KeptAnswer | None:
        """The kept answer of `target`; None when this request has been answered already (it was not cacheable)."""
        while (pending := self._pending.get(target)) is not None:
            await pending
            if (kept := self.find(target)) is not None:
                return kept
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending[target] = future
        try:
            return await self._compute(target, scope, receive, send)
        finally:
            del self._pending[target]
            future.set_result(None)

    async def _compute(self, target: Target, scope: HTTPScope, receive: Receive, send: Send) -> KeptAnswer | None:
        generation = dict(self._generation)
        captured = CapturedAnswer()

        async def capture(message: Message) -> None:
            if message["type"] == "http.response.start":
                captured.start = message
            elif message["type"] == "http.response.body":
                captured.body += message.get("body", b"")

        # HEAD is computed as GET, so that its kept answer has the body that a later GET needs.
        inner: HTTPScope = {**scope, "method": HttpMethod.GET}
        await self.app(inner, receive, capture)
        start = captured.start
        if start is None:
            raise RuntimeError("the application ended without an answer")
        policy = _policy_of(inner)
        if start["status"] != 200 or policy is None:
            await send(start)
            await send({"type": "http.response.body", "body": captured.body, "more_body": False})
            return None
        representation = await asyncio.to_thread(_represent, captured.body, start, policy)
        lifetime = policy.lifetime if policy.lifetime is not None else float("inf")
        kept = KeptAnswer(representation, policy.topics, monotonic() + lifetime)
        # What changed while it was computed may be missing in it: it answers this request, but is not kept.
        if all(self._generation[topic] == generation[topic] for topic in policy.topics):
            self._keep(target, kept)
        return kept

    def _keep(self, target: Target, kept: KeptAnswer) -> None:
        if (old := self._kept.pop(target, None)) is not None:
            self._bytes -= old.representation.size
        self._kept[target] = kept
        self._bytes += kept.representation.size
        while self._bytes > MOST_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.representation.size


def _policy_of(inner: HTTPScope) -> CachePolicy | None:
    # The framework notes in the scope which route it chose.
    options = getattr(inner.get("route_handler"), "opt", {})
    policy = options.get(CACHE_OPTION)
    return policy if isinstance(policy, CachePolicy) else None


def _represent(body: bytes, start: HTTPResponseStartEvent, policy: CachePolicy) -> Representation:
    dropped = {b"content-length", b"cache-control"}
    headers = [(name.lower(), value) for name, value in start["headers"] if name.lower() not in dropped]
    control = f"public, max-age={policy.max_age}, stale-while-revalidate={STALE_WHILE_REVALIDATE}"
    headers.append((b"cache-control", control.encode()))
    return represent(body, headers, is_compressible=True)


async def _send_kept(representation: Representation, scope: HTTPScope, send: Send) -> None:
    accept_encoding = if_none_match = b""
    for name, value in scope["headers"]:
        if name == b"accept-encoding":
            accept_encoding = value
        elif name == b"if-none-match":
            if_none_match = value
    variant = representation.choose(accept_encoding)
    if if_none_match and matches_etag(if_none_match, variant.etag):
        await send({"type": "http.response.start", "status": 304, "headers": variant.not_modified_headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    await send({"type": "http.response.start", "status": 200, "headers": variant.headers})
    body = b"" if scope["method"] == "HEAD" else variant.body
    await send({"type": "http.response.body", "body": body, "more_body": False})
