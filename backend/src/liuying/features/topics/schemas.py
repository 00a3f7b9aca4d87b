"""Topics on the wire."""

from __future__ import annotations

import msgspec

from liuying.kit.images import EncryptedImage


class TopicView(msgspec.Struct, frozen=True):
    """A collection of the operator's. `video_count` counts listed videos; the cover is that of the
    first of them that is not locked, and empty where there is none.
    """

    id: int
    title: str
    intro: str
    video_count: int
    cover: EncryptedImage = msgspec.field(name="coverbase64")
