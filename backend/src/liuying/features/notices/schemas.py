"""Notices on the wire (specification §3)."""

from __future__ import annotations

import msgspec


class NoticeView(msgspec.Struct, frozen=True):
    """A notice. `content` is sanitized HTML."""

    id: int
    title: str
    content: str
    updated_at: str
