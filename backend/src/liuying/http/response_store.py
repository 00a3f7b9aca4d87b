"""Cached responses by their keys: which still serve, and which go when there are too many."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from liuying.http.cached_response import CachedResponse
from liuying.kit.changes import CacheTopic

MAX_BYTES = 96 * 1024 * 1024
MAX_RESPONSES = 10_000
# A search of 64 characters with three percent-encoded bytes each fits.
MAX_KEY_LENGTH = 1024
# Topics that change all the time; an answer may lag behind for a moment rather than make everybody
# wait (RFC 5861).
LAGGING = frozenset({CacheTopic.VIEWS, CacheTopic.RANKS})
# In seconds.
MAX_LAG_S = 30.0
# A request's target, without what its answer does not depend on.
Key = bytes


class ResponseStore:
    """At most so many responses and bytes; the least recently used is dropped first.

    Args:
        on_outdated: Called with the key of every response that was dropped, or lags from now on.
        is_blind: Whether the database does not answer. Then what expired or lags serves on, until
            everything is dropped (RFC 5861, `stale-if-error`).
    """

    def __init__(self, on_outdated: Callable[[Key], None], is_blind: Callable[[], bool]) -> None:
        self._on_outdated = on_outdated
        self._is_blind = is_blind
        self._responses: OrderedDict[Key, CachedResponse] = OrderedDict()
        self._bytes = 0

    @property
    def held_bytes(self) -> int:
        """Memory of all responses."""
        return self._bytes

    def find(self, key: Key) -> CachedResponse | None:
        """The response to serve, which counts as used; None if there is none or it has expired."""
        cached = self._responses.get(key)
        if cached is None:
            return None
        if (cached.lags_since is not None or cached.expires < monotonic()) and not self._is_blind():
            if cached.lags_since is None:
                self._forget(key)
            return None
        self._responses.move_to_end(key)
        cached.is_asked_again = True
        return cached

    def find_lagging(self, key: Key) -> CachedResponse | None:
        """A response that is outdated, but not by so much that nobody may be served it."""
        cached = self._responses.get(key)
        if cached is None or cached.lags_since is None:
            return None
        if monotonic() > min(cached.expires, cached.lags_since + MAX_LAG_S):
            return None
        return cached

    def is_asked_again(self, key: Key) -> bool:
        """Whether its response has been served since it was made."""
        cached = self._responses.get(key)
        return cached is not None and cached.is_asked_again

    def keep(self, key: Key, cached: CachedResponse, *, is_cheap: bool = False) -> None:
        """Keep a response; one of a very long key is not kept.

        Args:
            key: The key.
            cached: Its response.
            is_cheap: First to be dropped until it is requested again: what was cheap to make evicts
                nothing that was expensive.
        """
        self._forget(key)
        if len(key) > MAX_KEY_LENGTH:
            return
        self._responses[key] = cached
        self._count(cached)
        if is_cheap and key in self._responses:
            self._responses.move_to_end(key, last=False)

    def recount(self, key: Key, cached: CachedResponse) -> None:
        """Count the encodings that a response was given, if it is still kept."""
        if self._responses.get(key) is cached:
            self._count(cached)

    def drop(self, topics: frozenset[CacheTopic]) -> None:
        """Drop every response that depends on one of `topics`; one that merely lags may serve for
        a while.
        """
        now = monotonic()
        for key, cached in [
            (key, cached) for key, cached in self._responses.items() if cached.topics & topics
        ]:
            if cached.topics & topics <= LAGGING:
                cached.lags_since = now if cached.lags_since is None else cached.lags_since
                self._on_outdated(key)
            else:
                self._forget(key)

    def _count(self, cached: CachedResponse) -> None:
        """Update the total size; the least recently used responses are dropped beyond the limit."""
        self._bytes += cached.size - cached.counted
        cached.counted = cached.size
        while self._bytes > MAX_BYTES or len(self._responses) > MAX_RESPONSES:
            self._forget(next(iter(self._responses)))

    def _forget(self, key: Key) -> None:
        if (cached := self._responses.pop(key, None)) is not None:
            self._bytes -= cached.counted
            self._on_outdated(key)
