"""Topics on the wire."""

from __future__ import annotations

import msgspec


class TopicView(msgspec.Struct, frozen=True):
    """A collection of the operator's. `video_count` counts listed videos."""

    id: int
    title: str
    intro: str
    video_count: int
