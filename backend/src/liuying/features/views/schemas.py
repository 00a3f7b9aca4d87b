"""Play events on the wire (docs/product.md#playback)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from liuying.kit.identifiers import MAX_ID

# Longer waits say nothing about the site: the page was asleep.
MAX_WAIT_MS = 600_000


class PlayEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A player's report.

    `view` after 30 s or 75 % watched; `start` with the milliseconds until the first frame in
    `wait`; `stall` when playback waits for data; `error` when it ends with one.
    """

    id: Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
    event: Literal["view", "start", "stall", "error"]
    wait: Annotated[int, msgspec.Meta(ge=0, le=MAX_WAIT_MS)] = 0


class PlayEventTaken(msgspec.Struct, frozen=True):
    """`is_counted` is false for a view that this visitor already had in this hour, or that exceeds
    this network's limit.

    Likewise for an error that this network has already reported for this video in this hour.
    """

    is_counted: bool
