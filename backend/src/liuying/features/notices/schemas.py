"""Notices on the wire (specification §3)."""

from __future__ import annotations

import msgspec


class NoticeView(msgspec.Struct, frozen=True):
    """A notice. `content` is cleaned HTML."""

    id: int
    title: str
    content: str
    updated_at: str
