"""Hot words on the wire (specification §3)."""

from __future__ import annotations

import msgspec


class HotGroupView(msgspec.Struct, frozen=True):
    """A column of hot words."""

    title: str
    lists: list[str]
