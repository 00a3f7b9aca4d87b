"""Whether the files that rows lead to are there and whole, and which files no row leads to."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.playback.tables import asset, rendition, subtitle
from liuying.kit.object_keys import media_key
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows.doctor.findings import Finding, error, info, some, warning
from liuying.workflows.originals import kept_originals
from liuying.workflows.pictures import GRACE_S, object_path, remove_object, shown_pictures

HEADER_BYTES = 16


class Orphans(msgspec.Struct, frozen=True):
    """Files that no row leads to, older than a day: folders of assets and of originals, and
    encrypted pictures.
    """

    folders: list[Path]
    pictures: list[Path]

    @property
    def bytes(self) -> int:
        """What they take on disk."""
        inside = (path for folder in self.folders for path in folder.rglob("*") if path.is_file())
        return sum(path.lstat().st_size for path in (*inside, *self.pictures))

    def remove(self) -> None:
        """Remove them. What is gone already stays gone."""
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)
        for picture in self.pictures:
            # Somebody may have stored it again since it was found.
            remove_object(picture, time.time() - GRACE_S)


def examine_files(
    connection: sa.Connection, layout: StorageLayout, *, is_quick: bool
) -> Iterator[Finding]:
    """Missing and truncated media, missing pictures.

    Args:
        is_quick: Whether files need only be there; else every box of every file is followed to its
            end.
    """
    missing, truncated = [], []
    for key, title, is_protected, paths in _published(connection):
        states = {
            _state_of(layout.at(media_key(path, is_protected=is_protected)), is_quick=is_quick)
            for path in paths
        }
        name = f"{title}（{key}）"
        if "missing" in states:
            missing.append(name)
        elif "truncated" in states:
            truncated.append(name)
    advice = "从备份恢复这些文件，或删除视频（liuying video remove）后重新导入"
    if missing:
        yield error("media-missing", f"{len(missing)} 个视频缺少文件：{some(missing)}", advice)
    if truncated:
        yield error(
            "media-truncated", f"{len(truncated)} 个视频的文件不完整：{some(truncated)}", advice
        )
    lost = sorted(
        name for name in shown_pictures(connection) if not object_path(layout, name).is_file()
    )
    if lost:
        yield error(
            "picture-missing",
            f"{len(lost)} 张图片的文件不见了：{some(lost)}",
            "从备份恢复 enc 文件夹，或重新设置图片",
        )


def examine_originals(
    connection: sa.Connection, layout: StorageLayout, *, is_wanted: bool
) -> Iterator[Finding]:
    """How many originals are kept, and how many are not.

    Args:
        is_wanted: Whether the setting asks for them.
    """
    kept = dict(kept_originals(layout))
    if not (kept or is_wanted):
        return
    whole = set(
        connection.execute(sa.select(asset.c.key).where(asset.c.state == "complete")).scalars()
    )
    size = sum(path.stat().st_size for path in kept.values())
    yield info(
        "originals",
        f"保留了 {len(whole & kept.keys())} 个视频的原文件，占用 {size / 1e6:.1f} MB；"
        f"{len(whole - kept.keys())} 个视频没有",
    )


def examine_orphans(connection: sa.Connection, layout: StorageLayout) -> Iterator[Finding]:
    """Files that no row leads to."""
    orphans = find_orphans(connection, layout)
    count = len(orphans.folders) + len(orphans.pictures)
    if count:
        yield warning(
            "orphans",
            f"{len(orphans.folders)} 个视频文件夹和 {len(orphans.pictures)} 张图片没有任何记录指向，"
            f"占用 {orphans.bytes / 1e6:.1f} MB",
            "用 liuying doctor --remove-orphans 删除",
        )


def find_orphans(connection: sa.Connection, layout: StorageLayout) -> Orphans:
    """Files older than a day that no row leads to, and that no import works on."""
    keys = set(connection.execute(sa.select(asset.c.key)).scalars())
    before = time.time() - GRACE_S
    roots = [
        *(layout.media_root(is_protected=is_protected) for is_protected in (False, True)),
        layout.originals,
    ]
    folders = [
        folder
        for root in roots
        for folder in _children(root)
        if folder.name.strip(".").removesuffix(".draft") not in keys
        and not (layout.jobs / folder.name.strip(".").removesuffix(".draft")).exists()
        and folder.lstat().st_mtime < before
    ]
    shown = shown_pictures(connection)
    pictures = [
        path
        for shelf in _children(layout.pictures)
        for path in _children(shelf)
        if path.stem not in shown and path.lstat().st_mtime < before
    ]
    return Orphans(folders, pictures)


def _published(connection: sa.Connection) -> Iterator[tuple[str, str, bool, list[str]]]:
    """Key, title, protection and public paths of every asset that a video shows."""
    paths: dict[str, list[str]] = {}
    for table in (rendition, subtitle):
        for key, path in connection.execute(sa.select(table.c.asset_key, table.c.path)):
            paths.setdefault(key, []).append(path)
    statement = sa.select(
        asset.c.key,
        asset.c.is_protected,
        asset.c.progressive,
        asset.c.storyboard,
        video.c.title,
        video.c.playlist,
    ).join(video, video.c.asset_key == asset.c.key)
    for row in connection.execute(statement.order_by(video.c.id)):
        own = [path for path in (row.playlist, row.progressive, row.storyboard) if path]
        yield row.key, row.title, row.is_protected, [*own, *paths.get(row.key, [])]


def _state_of(path: Path, *, is_quick: bool) -> str:
    """`whole`, `missing` or `truncated`; of a playlist, together with all that it names."""
    if not path.is_file():
        return "missing"
    if path.suffix != ".m3u8":
        return (
            "whole"
            if is_quick or path.suffix not in {".mp4", ".m4s"} or is_whole(path)
            else "truncated"
        )
    text = path.read_text(encoding="utf-8", errors="replace")
    if not text.startswith("#EXTM3U") or ("#EXTINF" in text and "#EXT-X-ENDLIST" not in text):
        return "truncated"
    # Segments of key frames are the rendition's own, which are followed to their ends there.
    is_quick |= "#EXT-X-I-FRAMES-ONLY" in text
    states = {_state_of(path.parent / name, is_quick=is_quick) for name in set(_named(text))}
    return "missing" if "missing" in states else "truncated" if "truncated" in states else "whole"


def _named(playlist: str) -> Iterator[str]:
    """Segments, the initialisation and the playlists of key frames; other playlists have rows of
    their own.
    """
    for line in playlist.splitlines():
        if line.startswith(("#EXT-X-MAP:", "#EXT-X-I-FRAME-STREAM-INF:")):
            yield line.partition('URI="')[2].partition('"')[0]
        elif line and not line.startswith("#") and not line.endswith(".m3u8"):
            yield line


def is_whole(path: Path) -> bool:
    """Whether the boxes of an ISO media file end where the file ends (ISO/IEC 14496-12 §4.2)."""
    size, place = path.stat().st_size, 0
    with path.open("rb") as file:
        while place < size:
            file.seek(place)
            header = file.read(HEADER_BYTES)
            length = int.from_bytes(header[:4], "big")
            if length == 1:
                length = int.from_bytes(header[8:16], "big")
            if length == 0:  # to the file's end
                return True
            if length < 8:
                return False
            place += length
    return place == size and size > 0


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(Path(entry.path) for entry in os.scandir(folder) if not entry.is_symlink())
    except (FileNotFoundError, NotADirectoryError):
        return []
