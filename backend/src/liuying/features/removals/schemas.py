"""What was removed, on the wire."""

from __future__ import annotations

import msgspec


class RemovalView(msgspec.Struct, frozen=True):
    """A video that was taken down: when, and why in the operator's words. `title` is null where
    the operator shows none, or none was kept. `number` counts from the first.
    """

    number: int
    removed_at: str
    reason: str
    title: str | None
