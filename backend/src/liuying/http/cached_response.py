"""What is cached of an answer that is the same for everybody, and what is counted of it."""

from __future__ import annotations

import msgspec

from liuying.http.representation import Representation
from liuying.kit.changes import CacheTopic

# What an answer takes beside its bodies: headers, heads, dictionary entries.
OVERHEAD_BYTES = 2500


class CachedResponse(msgspec.Struct):
    """A representation, what it depends on and the monotonic second after which it is computed
    anew.

    Attributes:
        counted: Its size when it was last added up: further encodings may have come since.
        is_asked_again: Whether it has served since it was made.
        lags_since: The monotonic second since when it says too little of views; None where it does
            not.
    """

    representation: Representation
    topics: frozenset[CacheTopic]
    expires: float
    counted: int = 0
    is_asked_again: bool = False
    lags_since: float | None = None

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return self.representation.size + OVERHEAD_BYTES


class CacheCounts(msgspec.Struct):
    """How often cached responses served. Written in the event loop alone.

    Attributes:
        hits: Through the application, also with what was put together.
        misses: What had to be computed, or waited for.
        direct: By the protocol itself: bodies, and 304.
        composed: Put together at once, because they were not cached.
    """

    hits: int = 0
    misses: int = 0
    composed: int = 0
    direct: list[int] = msgspec.field(default_factory=lambda: [0, 0])
