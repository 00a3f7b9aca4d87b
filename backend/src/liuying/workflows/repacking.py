"""Videos whose renditions have a file for every segment get one file for each rendition, without
encoding anything (`media.repacking`).

New files are published beside the old ones, then one transaction leads to them. The old ones stay
for as long as a player that began before may ask for them, and are removed by the housekeeping or
by the next call. A kill at any moment leaves what the rows name whole; a repetition finishes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Protocol

import msgspec

from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.queries.videos import playlist_of, video_of_asset
from liuying.core.playback.queries import assets, layouts, playable
from liuying.core.playback.signed_urls import MAX_S
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds
from liuying.kit.database import Database
from liuying.kit.errors import InvalidInputError
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import ObjectStore, read_object
from liuying.kit.storage_layout import StorageLayout
from liuying.media.packaged import MediaPlaylist, PlaylistError, stored, stored_playlist
from liuying.media.repacking import moved_master, repack
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.asset_hold import AssetHold, holding
from liuying.workflows.import_services import ImportServices
from liuying.workflows.job_folders import ImportBusyError
from liuying.workflows.leftovers import address_of
from liuying.workflows.preconditions import require_room
from liuying.workflows.protection import held
from liuying.workflows.published_asset import UNREADABLE, PublishedAsset, published_asset

Report = Callable[[float], None]
# A signed URL, and so a player that nobody reloads, lasts no longer.
KEPT_MS = MAX_S * 1000
# What a version of a rendition, of an audio track or of a master playlist is called.
VERSION = re.compile(r"([0-9]+|sound-[0-9]+|v[0-9]+)(?:-([0-9]+))?")


class Installation(Protocol):
    """What removing superseded files needs of an installation."""

    @property
    def database(self) -> Database: ...
    @property
    def layout(self) -> StorageLayout: ...
    @property
    def objects(self) -> ObjectStore: ...


class Repacked(msgspec.Struct, frozen=True):
    """How many files a video's renditions had, and have."""

    before: int
    after: int


def segmented_videos(database: Database) -> list[int]:
    """Numbers of the videos that may have a file for every segment."""
    with database.read() as connection:
        keys = layouts.segmented_keys(connection)
        return sorted(video_of_asset(connection, key).id for key in keys)


def repack_video(
    services: ImportServices, video_id: int, report: Report = lambda _share: None
) -> Repacked | None:
    """Publish a video's renditions as one file each.

    Args:
        services: The installation.
        video_id: Which video.
        report: Called with the completed share.

    Returns:
        None if there is nothing to do.

    Raises:
        NotFoundError: There is no such video, or it has no files.
        InvalidInputError: It is in the bin or not whole yet, or its files cannot be read.
        ImportBusyError: It is being imported or moved.
        DiskFullError: No room.
    """
    with published_asset(services, video_id) as held_asset:
        return _Repacking(services, video_id, held_asset).run(report)


class _Repacking:
    """One call of `repack_video`."""

    def __init__(self, services: ImportServices, video_id: int, held_asset: PublishedAsset) -> None:
        self._services = services
        self._hold = held_asset.hold
        self._objects = self._hold.guard(services.objects)
        self._video_id = video_id
        self._key = key = held_asset.key
        self._work = held_asset.work
        with services.database.read() as connection:
            sounds = [row.path for row in playable.audio_track_rows(connection, key)]
            pictures = [row.path for row in playable.rendition_rows(connection, key)]
            self._master = playlist_of(connection, video_id)
        # Tracks first: what plays a rendition with them names their folders.
        self._paths = [*sounds, *pictures]
        self._has_sounds = bool(sounds)
        self._prefix = services.objects.media.prefix(key, held_asset.place)

    def run(self, report: Report) -> Repacked | None:
        try:
            found = {path: self._playlist(path) for path in self._paths}
            if all(one.is_one_file for one in found.values()):
                self._write({}, self._master)
                return None
            stored_bytes = sum(one.size for one in self._objects.objects(self._prefix))
            require_room(self._services.layout.data_dir, stored_bytes)
            return self._repack(found, report)
        except (PlaylistError, FileNotFoundError) as error:
            raise InvalidInputError(UNREADABLE) from error

    def _repack(self, found: dict[str, MediaPlaylist], report: Report) -> Repacked:
        moved: dict[str, str] = {}
        for number, (path, playlist) in enumerate(found.items()):
            # Where tracks move, everything that names them does.
            if not playlist.is_one_file or self._has_sounds:
                folder = PurePosixPath(path).parent.name
                moved[folder] = next_folder(folder)
                self._publish(folder, playlist, moved)
            report((number + 1) / (len(found) + 1))
        name = PurePosixPath(self._master).name
        text = read_object(self._objects, f"{self._prefix}{name}").decode()
        new = _next_master(name)
        self._objects.delete(f"{self._prefix}{new}")  # Left by a killed run.
        self._objects.put_if_absent(f"{self._prefix}{new}", moved_master(text, moved).encode())
        self._write(moved, f"{address_of(self._key)}/{new}")
        report(1.0)
        before = sum(len({part.name for part in one.parts}) for one in found.values())
        return Repacked(before, len(found))

    def _playlist(self, path: str) -> MediaPlaylist:
        return stored_playlist(stored(self._objects, self._folder(path)))

    def _folder(self, path: str) -> str:
        """The prefix of a rendition's keys."""
        return f"{self._prefix}{PurePosixPath(path).parent.name}/"

    def _publish(self, folder: str, playlist: MediaPlaylist, moved: dict[str, str]) -> None:
        draft = self._work / f"draft-{folder}"
        repack(stored(self._objects, f"{self._prefix}{folder}/"), playlist, draft, moved)
        target = f"{self._prefix}{moved[folder]}/"
        self._objects.delete_prefix(target)  # Left by a killed run.
        self._objects.put_folder(target, draft)

    def _write(self, moved: dict[str, str], master: str) -> None:
        paths = {}
        for path in self._paths:
            place = PurePosixPath(path)
            if place.parent.name in moved:
                new = place.parent.with_name(moved[place.parent.name]) / place.name
                paths[path] = str(new)
        with self._services.database.write() as connection:
            self._hold.require(connection)
            values: dict[str, object] = {"is_one_file": True}
            if paths:
                rows.refuse_removed(connection, self._key)
                values["superseded_at"] = self._services.clock()
                layouts.move_paths(connection, self._key, paths)
                rows.set_playlist(connection, self._key, master)
                note_changed(connection, [self._video_id])
                record_change(connection, CacheTopic.CATALOGUE)
            assets.update_asset(connection, self._key, values)


def next_folder(name: str) -> str:
    """Published files never change, so a new version has another name. `360` → `360-2` → `360-3`,
    `sound-1` → `sound-1-2`.
    """
    found = VERSION.fullmatch(name)
    if found is None:
        raise PlaylistError(f"a rendition in {name}")
    return f"{found[1]}-{int(found[2] or 1) + 1}"


def _next_master(name: str) -> str:
    """`v2.m3u8` → `v2-2.m3u8` → `v2-3.m3u8`."""
    return f"{next_folder(name.removesuffix('.m3u8'))}.m3u8"


def remove_superseded(installation: Installation, now: Milliseconds) -> int:
    """Remove the files that no player asks for any more; assets that somebody works on are left to
    the next call.

    Returns:
        Number of assets.
    """
    with installation.database.read() as connection:
        keys = layouts.superseded_keys(connection, now - KEPT_MS)
    count = 0
    for key in keys:
        try:
            with (
                held(installation.layout, key),
                holding(installation.database, installation.objects, key) as hold,
            ):
                _remove_unnamed(installation, hold, key)
                count += 1
        except ImportBusyError:
            continue
    return count


def _remove_unnamed(installation: Installation, hold: AssetHold, key: str) -> None:
    """Remove the versions of an asset's renditions and master playlists that no row names."""
    objects = hold.guard(installation.objects)
    with installation.database.read() as connection:
        asset = rows.find_asset_by_key(connection, key)
        if asset is None or not asset.is_complete or asset.place is MediaPlace.REMOVED:
            return  # It was put into the bin, or removed, meanwhile.
        named = assets.published_folders(connection, key)
        master = playlist_of(connection, video_of_asset(connection, key).id)
        named.add(PurePosixPath(master).name)
    for prefix in objects.media.prefixes(key):
        for name in objects.children(prefix):
            if name in named or VERSION.fullmatch(name.removesuffix(".m3u8")) is None:
                continue
            if name.endswith(".m3u8"):
                objects.delete(f"{prefix}{name}")
            else:
                objects.delete_prefix(f"{prefix}{name}/")
    with installation.database.write() as connection:
        hold.require(connection)
        assets.update_asset(connection, key, {"superseded_at": None})
