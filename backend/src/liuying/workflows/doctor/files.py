"""Whether the files behind rows exist and are intact, and which files belong to no row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath

import msgspec
import sqlalchemy as sa

from liuying.core.playback.queries.assets import all_keys, complete_keys
from liuying.core.playback.queries.layouts import count_segmented
from liuying.kit.object_keys import ORIGINALS, PICTURES, MediaPlace, picture_key
from liuying.kit.object_store import InvalidKeyError, ObjectStore, chunks_of, opened
from liuying.kit.storage_layout import StorageLayout
from liuying.media.packaged import PlaylistError, is_whole, read_playlist
from liuying.workflows.doctor.findings import (
    Finding,
    Place,
    Remedy,
    error,
    info,
    some,
    warning,
)
from liuying.workflows.mending import find_uneven
from liuying.workflows.originals import stored_originals
from liuying.workflows.pictures import GRACE_S, shown_pictures
from liuying.workflows.queries.doctor import published_paths
from liuying.workflows.queries.pictures import withdrawn_names

# Less is not told in megabytes with one decimal.
SHOWN_BYTES = 50_000


class Orphans(msgspec.Struct, frozen=True):
    """Objects older than a day that belong to no row.

    Attributes:
        folders: Prefixes of assets and of originals.
        pictures: Keys of encrypted pictures.
        bytes: Their total size.
    """

    folders: list[str]
    pictures: list[str]
    bytes: int

    def remove(self, objects: ObjectStore) -> None:
        """Remove them; missing ones are ignored."""
        for prefix in self.folders:
            with suppress(OSError):
                objects.delete_prefix(prefix)
        for picture in self.pictures:
            # Somebody may have stored it again since then.
            objects.delete(picture, stored_before=objects.now() - GRACE_S)


def examine_files(
    connection: sa.Connection, objects: ObjectStore, *, is_quick: bool
) -> Iterator[Finding]:
    """Missing and truncated media, missing pictures.

    Args:
        is_quick: Whether files need only exist; otherwise every box of every file is followed to
            its end.
    """
    missing, truncated, misplaced = [], [], []
    for key, title, place, paths in published_paths(connection):
        states = {
            _state_of(objects, objects.media.key(path, place), is_quick=is_quick) for path in paths
        }
        name = f"{title}（{key}）"
        if "missing" in states and _is_elsewhere(objects, key, place):
            misplaced.append(name)
        elif "missing" in states:
            missing.append(name)
        elif "truncated" in states:
            truncated.append(name)
    if misplaced:
        yield warning(
            "media-misplaced",
            f"{len(misplaced)} 个视频的文件还没有移到位（移入回收站、恢复或改分类时中断了）："
            f"{some(misplaced)}",
            Remedy(
                "文件都在，不要删除视频：网站运行时一分钟内自动移好，没有运行就启动网站",
                Place.BUTTON,
            ),
        )
    remedy = Remedy(
        "从备份恢复这些文件，或彻底删除视频后重新导入",
        Place.VIDEOS,
        ("liuying video purge 编号",),
    )
    if missing:
        yield error("media-missing", f"{len(missing)} 个视频缺少文件：{some(missing)}", remedy)
    if truncated:
        yield error(
            "media-truncated", f"{len(truncated)} 个视频的文件不完整：{some(truncated)}", remedy
        )
    lost = sorted(
        name
        for name in shown_pictures(connection) - withdrawn_names(connection).keys()
        if not _is_there(objects, picture_key(name))
    )
    if lost:
        yield error(
            "picture-missing",
            f"{len(lost)} 张图片的文件不见了：{some(lost)}",
            Remedy("从备份恢复 enc 文件夹，或重新设置图片", Place.VIDEOS),
        )


def examine_lengths(connection: sa.Connection, objects: ObjectStore) -> Iterator[Finding]:
    """Videos whose picture and sound do not end together."""
    found = [f"{one.title}（编号 {one.video_id}）" for one in find_uneven(connection, objects)]
    if found:
        yield warning(
            "media-uneven",
            f"{len(found)} 个视频的画面和声音不一样长，可能播不到结尾：{some(found)}",
            Remedy("补齐，不重新编码画面", Place.BUTTON, ("liuying video mend --all",)),
        )


def examine_layouts(connection: sa.Connection) -> Iterator[Finding]:
    """Videos with a file for every segment, as versions before published them."""
    if count := count_segmented(connection):
        yield info(
            "media-segmented",
            f"{count} 个视频每两秒一个文件：照常播放，但文件很多",
            Remedy(
                "合并成一个清晰度一个文件，不重新编码",
                Place.BUTTON,
                ("liuying video repack --all",),
            ),
        )


def examine_originals(
    connection: sa.Connection, objects: ObjectStore, *, is_wanted: bool
) -> Iterator[Finding]:
    """How many originals are kept and how many are not.

    Args:
        is_wanted: Whether the setting asks for them.
    """
    stored = stored_originals(objects)
    if not (stored or is_wanted):
        return
    whole = complete_keys(connection)
    size = sum(stored.values())
    yield info(
        "originals",
        f"保留了 {len(whole & stored.keys())} 个视频的原文件，占用 {size / 1e6:.1f} MB；"
        f"{len(whole - stored.keys())} 个视频没有",
    )


def examine_orphans(
    connection: sa.Connection, layout: StorageLayout, objects: ObjectStore
) -> Iterator[Finding]:
    """Objects that belong to no row."""
    orphans = find_orphans(connection, layout, objects)
    count = len(orphans.folders) + len(orphans.pictures)
    if count:
        yield warning(
            "orphans",
            f"{_counted(orphans)}没有任何记录指向，{_occupied(orphans.bytes)}",
            Remedy("不会再被用到，可以删除", Place.BUTTON, ("liuying doctor --remove-orphans",)),
        )


def _counted(orphans: Orphans) -> str:
    """How many of which kind; a kind without any is not spoken of."""
    counts = ((len(orphans.folders), "个视频文件夹"), (len(orphans.pictures), "张图片"))
    return "和".join(f" {count} {noun}" for count, noun in counts if count).strip()


def _occupied(size: int) -> str:
    """Megabytes, but nothing is never said to take 0.0 of them."""
    if size == 0:
        return "不占空间"
    return f"占用 {size / 1e6:.1f} MB" if size >= SHOWN_BYTES else "占用不到 0.1 MB"


def find_orphans(connection: sa.Connection, layout: StorageLayout, objects: ObjectStore) -> Orphans:
    """Objects older than a day that belong to no row and to no running import."""
    before = objects.now() - GRACE_S
    areas = [*objects.media.areas, ORIGINALS]
    # In this order: an import that finishes meanwhile writes its row before its objects.
    found = [
        (key, f"{area}/{key}/") for area in areas for key in sorted(objects.children(f"{area}/"))
    ]
    stored = list(objects.objects(f"{PICTURES}/"))
    keys = all_keys(connection)
    shown = {picture_key(name) for name in shown_pictures(connection)}
    size, folders = 0, []
    for key, prefix in found:
        if key in keys or (layout.jobs / key).exists():
            continue
        inside = list(objects.objects(prefix))
        # A bucket may list a prefix that it has just emptied; in a folder it is a folder.
        is_there = bool(inside) or objects.media.is_split
        if is_there and all(one.stored_at < before for one in inside):
            folders.append(prefix)
            size += sum(one.size for one in inside)
    pictures = [one for one in stored if one.key not in shown and one.stored_at < before]
    size += sum(one.size for one in pictures)
    return Orphans(folders, [one.key for one in pictures], size)


def _state_of(objects: ObjectStore, key: str, *, is_quick: bool, least: int = 0) -> str:
    """`whole`, `missing` or `truncated`; a playlist includes everything that it names.

    Args:
        least: Bytes that a playlist counts on.
    """
    place = PurePosixPath(key)
    try:
        with opened(objects, key) as found:
            if place.suffix != ".m3u8":
                is_to_be_read = not is_quick and place.suffix in {".mp4", ".m4s"}
                is_long_enough = found.size >= least
                is_good = is_long_enough and (not is_to_be_read or is_whole(found.read, found.size))
                return "whole" if is_good else "truncated"
            text = b"".join(chunks_of(found)).decode(errors="replace")
    except (FileNotFoundError, InvalidKeyError):
        return "missing"
    if not text.startswith("#EXTM3U") or ("#EXTINF" in text and "#EXT-X-ENDLIST" not in text):
        return "truncated"
    # Key frames belong to the rendition's own files, which are followed to their ends there.
    is_quick |= "#EXT-X-I-FRAMES-ONLY" in text
    ends = _ends(text)
    states = {
        _state_of(objects, str(place.parent / name), is_quick=is_quick, least=ends.get(name, 0))
        for name in set(_named(text))
    }
    return "missing" if "missing" in states else "truncated" if "truncated" in states else "whole"


def _is_there(objects: ObjectStore, key: str) -> bool:
    if (found := objects.open(key)) is not None:
        found.close()
    return found is not None


def _is_elsewhere(objects: ObjectStore, key: str, place: MediaPlace) -> bool:
    """Whether the files of an asset are all in a place that is not theirs: a move was cut short."""
    media = objects.media
    if not media.is_split or objects.has_any(media.prefix(key, place)):
        return False
    others = [other for other in MediaPlace if other is not place]
    return any(objects.has_any(media.prefix(key, other)) for other in others)


def _named(playlist: str) -> Iterator[str]:
    """Segments, initialization, playlists of key frames, and the playlist beside the one that plays
    it with audio tracks; other playlists have rows of their own.
    """
    for line in playlist.splitlines():
        if line.startswith(("#EXT-X-MAP:", "#EXT-X-I-FRAME-STREAM-INF:")):
            yield line.partition('URI="')[2].partition('"')[0]
        elif line and not line.startswith("#") and not (line.endswith(".m3u8") and "/" in line):
            yield line


def _ends(playlist: str) -> dict[str, int]:
    """How many bytes a media playlist counts on, by file; none of one that is not read here."""
    try:
        parts = read_playlist(playlist).parts
    except PlaylistError:
        return {}
    ends: dict[str, int] = {}
    for part in parts:
        ends[part.name] = max(ends.get(part.name, 0), part.end or 0)
    return ends
