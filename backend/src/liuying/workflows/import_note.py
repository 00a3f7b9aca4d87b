"""What is noted of an import: another one of the same content then tells what side-cars changed
from what others said.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from liuying.media.subtitles import distinct
from liuying.workflows.video_meta import VideoMeta

# The fields that side-cars may change later, as operators read them.
NAMES = {
    "title": "标题",
    "labels": "标签",
    "artists": "艺人",
    "description": "简介",
    "premiered_at": "首播",
    "chapters": "章节",
    "cover": "封面",
}


def import_note(meta: VideoMeta, title: str) -> dict[str, Any]:
    """What is written of a video, what its side-cars said of it, and what others did."""
    written = {
        "title": title,
        "labels": list(meta.labels),
        "artists": list(meta.artists),
        "description": meta.description,
        "premiered_at": meta.premiered_at,
        "chapters": _as_json(meta.chapters),
    }
    return {"written": written, "side": said_beside(meta), "said": sorted(meta.said)}


def said_beside(meta: VideoMeta) -> dict[str, Any]:
    """What side-cars say, as JSON has it; of cover and subtitles digests."""
    stated = {} if meta.beside is None else _as_json(meta.beside.stated())
    said: dict[str, Any] = {name: value for name, value in stated.items() if name in NAMES}
    if meta.cover is not None and "cover" not in meta.said:
        said["cover"] = digest(meta.cover)
    said["subtitles"] = {
        track.lang: digest(track.document.encode()) for track in distinct(meta.subtitles)
    }
    return said


def _as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
