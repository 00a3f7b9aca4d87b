"""Topics on the wire."""

from __future__ import annotations

import msgspec

from liuying.kit.images import EncryptedImage


class TopicView(msgspec.Struct, frozen=True):
    """A topic. `video_count` counts listed videos. The cover is its own picture, or that of
    its first unlocked listed video; empty if there is neither.
    """

    id: int
    title: str
    intro: str
    video_count: int
    cover: EncryptedImage = msgspec.field(name="coverbase64")
