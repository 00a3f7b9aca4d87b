"""A rendition as versions before published it: a file for its initialization section and one for
every segment. Such renditions stay what they are until they are repacked.
"""

from __future__ import annotations

import re
from pathlib import Path

from liuying.media.packaged import read_playlist

MAP = re.compile(r'#EXT-X-MAP:URI="[^"]+",BYTERANGE="[^"]+"')


def cut_into_segments(folder: Path) -> None:
    """Turn a packaged rendition into that form, with the segments that it has."""
    text = (folder / "index.m3u8").read_text(encoding="utf-8")
    playlist = read_playlist(text)
    content = (folder / playlist.init.name).read_bytes()
    (folder / playlist.init.name).unlink()
    (folder / "init.mp4").write_bytes(content[: playlist.init.size])
    starts: list[int] = []
    for number, part in enumerate(playlist.segments, 1):
        starts.append(part.offset)
        (folder / f"s{number:05}.m4s").write_bytes(content[part.offset : part.end])
    lines = []
    number = 0
    for line in text.splitlines():
        if line == playlist.init.name:
            number += 1
            lines.append(f"s{number:05}.m4s")
        elif not line.startswith("#EXT-X-BYTERANGE:"):
            lines.append(MAP.sub('#EXT-X-MAP:URI="init.mp4"', line))
    (folder / "index.m3u8").write_text("\n".join([*lines, ""]), encoding="utf-8")
    keys = folder / "iframes.m3u8"
    if keys.exists():
        keys.write_text(_keys(keys.read_text(encoding="utf-8"), starts), encoding="utf-8")


def _keys(text: str, starts: list[int]) -> str:
    """The playlist of key frames, by segments."""
    lines: list[str] = []
    number = 0
    for line in text.splitlines():
        if line.startswith("#EXT-X-BYTERANGE:"):
            size, _, offset = line.partition(":")[2].partition("@")
            number = sum(start <= int(offset) for start in starts)
            lines.append(f"#EXT-X-BYTERANGE:{size}@{int(offset) - starts[number - 1]}")
        elif line and not line.startswith("#"):
            lines.append(f"s{number:05}.m4s")
        else:
            lines.append(MAP.sub('#EXT-X-MAP:URI="init.mp4"', line))
    return "\n".join([*lines, ""])
