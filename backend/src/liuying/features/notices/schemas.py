"""Notices on the wire (specification §3)."""

from __future__ import annotations

import msgspec

from liuying.kit.images import EncryptedImage


class NoticeView(msgspec.Struct, frozen=True):
    """A notice. `content` is sanitized HTML; the picture is empty where it has none."""

    id: int
    title: str
    content: str
    updated_at: str
    image: EncryptedImage = msgspec.field(name="imgbase64", default=EncryptedImage())
