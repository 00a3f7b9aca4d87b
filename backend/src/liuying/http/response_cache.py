"""A cache in front of the framework for answers that are the same for everybody
(docs/product.md#wire).

A cached response costs no database, no JSON encoding and no compression. A route declares what its
answer depends on (`kit.responses.cached`); when the change log reports a change of one of these
topics, the answer is dropped. Concurrent requests for a missing answer share one computation.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from time import monotonic

from litestar.enums import HttpMethod
from litestar.types import ASGIApp, HTTPRequestEvent, HTTPScope, Receive, Send

from liuying.http.cache_policy import policy_of, represent
from liuying.http.cached_response import CacheCounts, CachedResponse
from liuying.http.passing_answer import PassingAnswer
from liuying.http.ready_lists import ReadyAnswer
from liuying.http.repeated_requests import KnownHeads, RepeatedRequests, Reply, essence_of
from liuying.http.response_store import ResponseStore
from liuying.kit.changes import CacheTopic
from liuying.kit.representation import Header, send_variant
from liuying.kit.responses import CachePolicy
from liuying.pages.first_answers import has_first_answers
from liuying.pages.heads import has_own_head

LOG = logging.getLogger(__name__)
# A request's target as sent (raw path, `?` and query), and a complete request as sent.
Target = bytes
Request = bytes


class ResponseCache:
    """An ASGI application that caches what the application behind it declares as cacheable.

    Args:
        app: The application behind it.
        vary: Names of request headers, beside `Accept-Encoding`, by which the layers in front vary
            an answer.
        unshared: Paths whose answers are never cached: requests there never wait for each other.
        is_busy: Whether a new computation would have to wait.
        find_ready: The application's answer to a target, where that takes no waiting.
        is_blind: Whether the database does not answer. Then what expired or lags serves on, until
            everything is dropped (RFC 5861, `stale-if-error`).
    """

    def __init__(
        self,
        app: ASGIApp,
        vary: bytes = b"",
        unshared: frozenset[str] = frozenset(),
        is_busy: Callable[[], bool] = lambda: False,
        find_ready: Callable[[Target], ReadyAnswer | None] = lambda _target: None,
        is_blind: Callable[[], bool] = lambda: False,
    ) -> None:
        self.app = app
        self._is_busy = is_busy
        self._find_ready = find_ready
        self._renewing: set[asyncio.Task[CachedResponse | PassingAnswer]] = set()
        self._vary = vary
        self._unshared = unshared
        self._repeated = RepeatedRequests()
        self._store = ResponseStore(self._repeated.forget, is_blind)
        self._heads = KnownHeads()
        self._pending: dict[Target, asyncio.Future[CachedResponse | None]] = {}
        self.counts = CacheCounts()
        self._generation: dict[CacheTopic, int] = dict.fromkeys(CacheTopic, 0)

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] not in {"GET", "HEAD"} or (
            scope["method"] == "GET" and scope["path"] in self._unshared
        ):
            await self.app(scope, receive, send)
            return
        query = scope["query_string"]
        target = b"%b?%b" % (scope["raw_path"], query) if query else scope["raw_path"]
        answer: CachedResponse | PassingAnswer | None = self.find(target) or self._compose(target)
        answer = answer or self._find_lagging(target, scope)
        if answer is None:
            self.counts.misses += 1
            answer = await self._compute_once(_key_of(target), scope, receive)
        else:
            self.counts.hits += 1
        # Sent after the computation: a client that does not read keeps nobody else waiting.
        if isinstance(answer, CachedResponse):
            await self._send_cached(_key_of(target), answer, scope, send)
        else:
            await answer.send(scope, send)

    @property
    def held_bytes(self) -> int:
        """Memory of all cached responses."""
        return self._store.held_bytes

    def find(self, target: Target) -> CachedResponse | None:
        """The cached response for a target; None if there is none or it has expired."""
        return self._store.find(_key_of(target))

    def find_reply(
        self, target: Target, headers: Iterable[Header], *, may_compose: bool
    ) -> Reply | None:
        """What to send at once to a plain read with these headers; None if the application must
        answer.

        Args:
            target: The request's target.
            headers: The request's.
            may_compose: Whether a missing response may be composed at once, while everybody waits.
        """
        cached = self.find(target)
        if cached is None and may_compose:
            cached = self._compose(target)
        if cached is None or (found := cached.representation.find_ready(headers)) is None:
            return None
        if cached.size != cached.counted:
            self._store.recount(_key_of(target), cached)
        variant, is_known = found
        head, body = (variant.not_modified_head, b"") if is_known else (variant.head, variant.body)
        return Reply(target, head, body)

    def _compose(self, target: Target) -> CachedResponse | None:
        try:
            ready = self._find_ready(target)
        except (
            Exception
        ):  # Whatever the error, it is our fault, and the framework answers it as such.
            LOG.exception("a list could not be put together")
            return None
        if ready is None:
            return None
        self.counts.composed += 1
        cached = self._cached_response(ready.body, ready.headers, ready.policy)
        self._store.keep(_key_of(target), cached, is_cheap=True)
        return cached

    def _find_lagging(self, target: Target, scope: HTTPScope) -> CachedResponse | None:
        """A slightly outdated answer, where a new one would have to wait; it is renewed in the
        background.
        """
        key = _key_of(target)
        cached = self._store.find_lagging(key)
        if cached is None or not self._is_busy():
            return None
        if key not in self._pending:
            task = asyncio.create_task(self._compute_once(key, {**scope}, _receive_nothing))
            self._renewing.add(task)
            task.add_done_callback(self._end_renewing)
        return cached

    def _end_renewing(self, task: asyncio.Task[CachedResponse | PassingAnswer]) -> None:
        self._renewing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("an answer could not be renewed", exc_info=error)

    def find_repeated(self, request: Request, is_crowded: Callable[[], bool]) -> Reply | None:
        """The reply to a complete request if its response is cached or can be composed; None if
        the parser must read it.

        Args:
            is_crowded: Whether the server is too full to compose a missing one.
        """
        essence = essence_of(request)
        if essence is None:
            return None
        reply = self._repeated.find(essence)
        if reply is not None:
            # It may have expired, and it counts as used.
            return reply if self._store.find(reply.target) is not None else None
        asked = self._heads.find(essence)
        if asked is None:
            return None
        reply = self.find_reply(*asked, may_compose=not is_crowded())
        if reply is not None:
            self._remember(essence, reply)
        return reply

    def remember(self, request: Request, headers: Iterable[Header], reply: Reply) -> None:
        """Remember a complete request that a cached response answered, and its headers for others
        like it.
        """
        essence = essence_of(request)
        if essence is not None:
            self._heads.remember(essence, headers)
            self._remember(essence, reply)

    def _remember(self, essence: bytes, reply: Reply) -> None:
        """Most targets are requested only once and stay out, and so do those that hold a data code
        (docs/security.md#t3).
        """
        if b"uuid" in reply.target:
            return
        key = _key_of(reply.target)
        if self._store.is_asked_again(key):
            self._repeated.remember(essence, Reply(key, reply.head, reply.body))

    def drop(self, topics: frozenset[CacheTopic]) -> None:
        """Drop every answer that depends on one of `topics`; one that merely lags may serve for
        a while.
        """
        for topic in topics:
            self._generation[topic] += 1
        self._store.drop(topics)

    async def _compute_once(
        self, key: Target, scope: HTTPScope, receive: Receive
    ) -> CachedResponse | PassingAnswer:
        """The answer for `key`, from the computation under way if there is one.

        Only an answer that is the same for everybody is shared. An uncacheable one may be personal:
        whoever waited for it then asks for itself, at once and in parallel.
        """
        if (pending := self._pending.get(key)) is not None:
            return await pending or await self._compute(key, scope, receive)
        if scope["path"] in self._unshared:
            return await self._compute(key, scope, receive)
        future: asyncio.Future[CachedResponse | None] = asyncio.get_running_loop().create_future()
        self._pending[key] = future
        answer = None
        try:
            answer = await self._compute(key, scope, receive)
            return answer
        finally:
            del self._pending[key]
            # None also after a failure: everybody who waited tries again.
            future.set_result(answer if isinstance(answer, CachedResponse) else None)

    async def _compute(
        self, key: Target, scope: HTTPScope, receive: Receive
    ) -> CachedResponse | PassingAnswer:
        generation = dict(self._generation)
        captured = PassingAnswer()
        # HEAD is computed as GET, so that the cached response has the body that a later GET needs.
        inner: HTTPScope = {**scope, "method": HttpMethod.GET}
        await self.app(inner, receive, captured.collect)
        if captured.start is None:
            raise RuntimeError("the application ended without an answer")
        policy = policy_of(inner)
        if captured.start["status"] != 200 or policy is None:
            return captured
        cached = self._cached_response(captured.body, captured.start["headers"], policy)
        # What changed during the computation may be missing in it: it answers this request but is
        # not cached.
        is_current = all(self._generation[topic] == generation[topic] for topic in policy.topics)
        if is_current:
            self._store.keep(key, cached)
        return cached

    def _cached_response(
        self, body: bytes, headers: Iterable[Header], policy: CachePolicy
    ) -> CachedResponse:
        lifetime = policy.lifetime if policy.lifetime is not None else float("inf")
        return CachedResponse(
            represent(body, headers, policy, self._vary), policy.topics, monotonic() + lifetime
        )

    async def _send_cached(
        self, key: Target, cached: CachedResponse, scope: HTTPScope, send: Send
    ) -> None:
        variant, is_known = await cached.representation.negotiate(scope["headers"])
        self._store.recount(key, cached)
        await send_variant(variant, is_known, scope, send)


def _key_of(target: Target) -> Target:
    # Most screens read their query in the browser, so their documents differ by path only.
    return (
        target
        if target.startswith(b"/api/") or has_first_answers(target) or has_own_head(target)
        else target.partition(b"?")[0]
    )


async def _receive_nothing() -> HTTPRequestEvent:
    return {"type": "http.request", "body": b"", "more_body": False}
