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
from liuying.main.web.repeated_requests import RepeatedRequests, Reply
from liuying.main.web.representation import Representation, represent
from liuying.main.web.strict_query import query_names
from liuying.pages.first_answers import has_first_answers

MOST_BYTES = 96 * 1024 * 1024
MOST_ANSWERS = 10_000
# What an answer takes beside its bodies: headers, heads, dictionary entries.
OVERHEAD_BYTES = 2500
# A search of 64 characters, each three bytes in percent-encoding, fits.
LONGEST_TARGET = 1024
STALE_WHILE_REVALIDATE = 60
# What the specification has in a cacheable address (readings 24); any other `uuid` may be a data code.
UUID_CONSTANT = b"uuid=1"
# The request's target as it was sent: raw path, `?` and query. And all of a request as it was sent.
Target = bytes
Request = bytes


class KeptAnswer(msgspec.Struct, frozen=True):
    """A representation, what it depends on and the monotonic second after which it is computed anew."""

    representation: Representation
    topics: frozenset[Topic]
    expires: float

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return self.representation.size + OVERHEAD_BYTES


class PassingAnswer(msgspec.Struct):
    """An answer that is not kept, taken from the framework's messages."""

    start: HTTPResponseStartEvent | None = None
    body: bytes = b""


class KeptCounts(msgspec.Struct):
    """How often kept answers served. Written in the event loop alone.

    Attributes:
        hits: Through the application.
        misses: What had to be computed, or waited for.
        direct: By the protocol itself: bodies, and 304.
    """

    hits: int = 0
    misses: int = 0
    direct: list[int] = msgspec.field(default_factory=lambda: [0, 0])


class HotPath:
    """An ASGI application that keeps what the application behind it declares as cacheable.

    Args:
        app: The application behind it.
        vary: Names of the request headers, beside `Accept-Encoding`, that what stands in front changes an answer by.
        unshared: Paths whose answers are never kept: nobody waits there for another's.
    """

    def __init__(self, app: ASGIApp, vary: bytes = b"", unshared: frozenset[str] = frozenset()) -> None:
        self.app = app
        self._vary = vary
        self._unshared = unshared
        self._kept: OrderedDict[Target, KeptAnswer] = OrderedDict()
        self._repeated = RepeatedRequests()
        self._pending: dict[Target, asyncio.Future[KeptAnswer | None]] = {}
        self._bytes = 0
        self.counts = KeptCounts()
        self._generation: dict[Topic, int] = dict.fromkeys(Topic, 0)

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] not in {"GET", "HEAD"} or (scope["method"] == "GET" and scope["path"] in self._unshared):
            await self.app(scope, receive, send)
            return
        query = scope["query_string"]
        target = b"%b?%b" % (scope["raw_path"], query) if query else scope["raw_path"]
        answer: KeptAnswer | PassingAnswer | None = self.find(target)
        if answer is None:
            self.counts.misses += 1
            answer = await self._compute_once(_key_of(target), scope, receive)
        else:
            self.counts.hits += 1
        # Sent after the computation is over: a client that does not read keeps nobody else waiting.
        if isinstance(answer, KeptAnswer):
            await _send_kept(answer.representation, scope, send)
        else:
            await _send_passing(answer, scope, send)

    @property
    def bytes(self) -> int:
        """Memory that kept answers take."""
        return self._bytes

    def find(self, target: Target) -> KeptAnswer | None:
        """The kept answer of a request's target, None where there is none or its time is over."""
        key = _key_of(target)
        kept = self._kept.get(key)
        if kept is None:
            return None
        if kept.expires < monotonic():
            self._forget(key)
            return None
        self._kept.move_to_end(key)
        return kept

    def find_repeated(self, request: Request) -> Reply | None:
        """What is sent to a whole request that was remembered, as long as its answer is kept."""
        reply = self._repeated.find(request)
        # Its time may be over, and it has just been used.
        return reply if reply is not None and self.find(reply.target) is not None else None

    def remember(self, request: Request, reply: Reply) -> None:
        """Remember a whole request that was answered with a kept answer."""
        key = _key_of(reply.target)
        if key in self._kept:
            self._repeated.remember(request, Reply(key, reply.head, reply.body))

    def drop(self, topics: frozenset[Topic]) -> None:
        """Forget every answer that depends on one of `topics`."""
        for topic in topics:
            self._generation[topic] += 1
        for key in [key for key, kept in self._kept.items() if kept.topics & topics]:
            self._forget(key)

    async def _compute_once(self, key: Target, scope: HTTPScope, receive: Receive) -> KeptAnswer | PassingAnswer:
        """The answer of `key`, from the computation that is under way where there is one.

        Only an answer that is the same for everybody is shared. One that is not kept may be personal: whoever waited
        for it asks for itself, at once and beside the others.
        """
        if (pending := self._pending.get(key)) is not None:
            return await pending or await self._compute(key, scope, receive)
        if scope["path"] in self._unshared:
            return await self._compute(key, scope, receive)
        future: asyncio.Future[KeptAnswer | None] = asyncio.get_running_loop().create_future()
        self._pending[key] = future
        answer = None
        try:
            answer = await self._compute(key, scope, receive)
            return answer
        finally:
            del self._pending[key]
            # None also where it failed: whoever waits tries by itself.
            future.set_result(answer if isinstance(answer, KeptAnswer) else None)

    async def _compute(self, key: Target, scope: HTTPScope, receive: Receive) -> KeptAnswer | PassingAnswer:
        generation = dict(self._generation)
        captured = PassingAnswer()

        async def capture(message: Message) -> None:
            if message["type"] == "http.response.start":
                captured.start = message
            elif message["type"] == "http.response.body":
                captured.body += message.get("body", b"")

        # HEAD is computed as GET, so that its kept answer has the body that a later GET needs.
        inner: HTTPScope = {**scope, "method": HttpMethod.GET}
        await self.app(inner, receive, capture)
        if captured.start is None:
            raise RuntimeError("the application ended without an answer")
        policy = _policy_of(inner)
        if captured.start["status"] != 200 or policy is None:
            return captured
        representation = await asyncio.to_thread(_represent, captured.body, captured.start, policy, self._vary)
        lifetime = policy.lifetime if policy.lifetime is not None else float("inf")
        kept = KeptAnswer(representation, policy.topics, monotonic() + lifetime)
        # What changed while it was computed may be missing in it: it answers this request, but is not kept.
        is_current = all(self._generation[topic] == generation[topic] for topic in policy.topics)
        if is_current and len(key) <= LONGEST_TARGET:
            self._keep(key, kept)
        return kept

    def _keep(self, key: Target, kept: KeptAnswer) -> None:
        self._forget(key)
        self._kept[key] = kept
        self._bytes += kept.size
        while self._bytes > MOST_BYTES or len(self._kept) > MOST_ANSWERS:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: Target) -> None:
        if (kept := self._kept.pop(key, None)) is not None:
            self._bytes -= kept.size
            self._repeated.forget(key)


def _key_of(target: Target) -> Target:
    # Most screens read their query in the browser: their documents differ by path alone.
    return target if target.startswith(b"/api/") or has_first_answers(target) else target.partition(b"?")[0]


def _policy_of(inner: HTTPScope) -> CachePolicy | None:
    # The framework notes in the scope which route it chose.
    options = getattr(inner.get("route_handler"), "opt", {})
    policy = options.get(CACHE_OPTION)
    return policy if isinstance(policy, CachePolicy) and _is_asked_plainly(inner) else None


def _is_asked_plainly(inner: HTTPScope) -> bool:
    """Whether the query has only what its route reads, each name as it is written there.

    What else may be said (a data code, `&&&`, `p%61ge`) changes no answer: kept, it would fill the memory with copies
    here and at an edge, and a code would be part of their keys (threats 3).
    """
    query = inner["query_string"]
    if not query or not inner["path"].startswith("/api/"):
        return True
    known = query_names(inner["route_handler"]) - {"uuid"}
    parts = (part for part in query.split(b"&") if part != UUID_CONSTANT)
    return all(part.partition(b"=")[0].decode("latin-1") in known for part in parts)


def _represent(body: bytes, start: HTTPResponseStartEvent, policy: CachePolicy, vary: bytes) -> Representation:
    dropped = {b"content-length", b"cache-control"}
    headers = [(name.lower(), value) for name, value in start["headers"] if name.lower() not in dropped]
    # What may not be used without asking (documents, whose headers say who may frame them) is not used stale either.
    control = f"public, max-age={policy.max_age}"
    if policy.max_age:
        control += f", stale-while-revalidate={STALE_WHILE_REVALIDATE}"
    headers.append((b"cache-control", control.encode()))
    if vary:
        headers.append((b"vary", vary))
    return represent(body, headers, is_compressible=True)


async def _send_kept(representation: Representation, scope: HTTPScope, send: Send) -> None:
    variant, is_known = representation.negotiate(scope["headers"])
    status, headers = (304, variant.not_modified_headers) if is_known else (200, variant.headers)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = b"" if is_known or scope["method"] == "HEAD" else variant.body
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _send_passing(answer: PassingAnswer, scope: HTTPScope, send: Send) -> None:
    if answer.start is None:
        raise RuntimeError("the application ended without an answer")
    await send(answer.start)
    body = b"" if scope["method"] == "HEAD" else answer.body
    await send({"type": "http.response.body", "body": body, "more_body": False})
