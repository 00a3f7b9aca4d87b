"""The cached form of an answer that is the same for everybody, and its counters."""

from __future__ import annotations

import msgspec

from liuying.kit.changes import CacheTopic
from liuying.kit.representation import Representation

# Memory of an answer beside its bodies: headers, heads, dictionary entries.
OVERHEAD_BYTES = 2500


class CachedResponse(msgspec.Struct):
    """A representation, the topics it depends on and the monotonic second at which it expires.

    Attributes:
        counted: Its size when it was last added up; further encodings may have been added since.
        is_asked_again: Whether it has been served since it was made.
        lags_since: The monotonic second since which its view counts are outdated; None if they are
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
    """How often cached responses served. Written only by the event loop.

    Attributes:
        hits: Served through the application, including composed ones.
        misses: Computed, or waited for.
        direct: Served by the protocol itself: bodies, and 304.
        composed: Composed at once because they were not cached.
    """

    hits: int = 0
    misses: int = 0
    composed: int = 0
    direct: list[int] = msgspec.field(default_factory=lambda: [0, 0])
