"""Videos whose picture and sound do not end together, as earlier versions published them. They
are found by reading the end of a rendition, and mended without encoding pictures again
(`media.mending`).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.queries.videos import playlist_of, set_length
from liuying.core.jobs.queries.ledger import NewJob, enqueue
from liuying.core.jobs.rules import Kind, first_priority
from liuying.core.playback.queries import assets, playable
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import ObjectStore
from liuying.media import transcode
from liuying.media.boxes import BoxError
from liuying.media.extras import PROGRESSIVE_SIDE
from liuying.media.ffmpeg import Job, run
from liuying.media.ladder import Rung
from liuying.media.mending import Extent, extent_of, mend
from liuying.media.package import package
from liuying.media.packaged import PlaylistError, join, stored, stored_playlist
from liuying.media.planned_run import BASE_TIMEOUT_S
from liuying.media.playlists import Rendition, master_playlist
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.import_services import ImportServices
from liuying.workflows.leftovers import address_of
from liuying.workflows.preconditions import require_room
from liuying.workflows.published_asset import UNREADABLE, PublishedAsset, published_asset
from liuying.workflows.queries.videos import lowest_renditions

Report = Callable[[float], None]
# Of a film's last segments: the sound ends in one of them, or far from the film's end.
LAST_SEGMENTS = 2


class Uneven(msgspec.Struct, frozen=True):
    """A video whose picture and sound do not end together.

    Attributes:
        video_id: In the catalogue.
        title: As displayed.
        extent: Where its tracks begin and end.
    """

    video_id: int
    title: str
    extent: Extent


def find_uneven(connection: sa.Connection, objects: ObjectStore) -> Iterator[Uneven]:
    """Read the end of every video's lowest rendition; its sound is the same as the others'."""
    for row in lowest_renditions(connection):
        extent = _extent_of(
            objects,
            objects.media.key(
                row.path, MediaPlace.of(is_protected=row.is_protected, is_removed=False)
            ),
        )
        if extent is not None and extent.is_uneven:
            yield Uneven(row.video_id, row.title, extent)


def mend_video(
    services: ImportServices, video_id: int, report: Report = lambda _share: None
) -> bool:
    """Publish a video's renditions again, with picture and sound of equal length.

    Running players keep the old files until the new ones are published; then the old ones are
    removed.

    Args:
        services: The installation.
        video_id: Which video.
        report: Called with the completed share.

    Returns:
        False if there is nothing to mend.

    Raises:
        NotFoundError: There is no such video, or it has no files.
        InvalidInputError: It is in the bin or not whole yet, or its files cannot be read.
        ImportBusyError: It is being imported or moved.
        DiskFullError: No room.
    """
    with published_asset(services, video_id) as held_asset:
        return _Mending(services, video_id, held_asset).run(report)


class _Mending:
    """One call of `mend_video`."""

    def __init__(self, services: ImportServices, video_id: int, held_asset: PublishedAsset) -> None:
        self._services = services
        self._hold = held_asset.hold
        self._objects = self._hold.guard(services.objects)
        self._video_id = video_id
        self._key = key = held_asset.key
        self._work = held_asset.work
        with services.database.read() as connection:
            self._renditions = playable.rendition_rows(connection, key)
            self._progressive = playable.progressive_path(connection, key)
            self._playlist = playlist_of(connection, video_id)
        self._place = held_asset.place
        self._prefix = services.objects.media.prefix(key, held_asset.place)

    def run(self, report: Report) -> bool:
        extent = _extent_of(self._objects, self._object(self._renditions[0].path))
        if extent is None:
            raise InvalidInputError(UNREADABLE)
        if not extent.is_uneven:
            return False
        stored = sum(one.size for one in self._objects.objects(self._prefix))
        require_room(self._services.layout.data_dir, 3 * stored)
        made, progressive = [], None
        for number, row in enumerate(self._renditions):
            made.append(self._mend(row, extent))
            if self._progressive and min(row.width, row.height) <= PROGRESSIVE_SIDE:
                progressive = self._work / "mended.mp4"
                shutil.copyfile(self._work / f"{row.label}.mp4", progressive)
            report((number + 1) / (len(self._renditions) + 1))
        master = _next_name(PurePosixPath(self._playlist).name)
        self._put(master, master_playlist(made).encode())
        play = "" if progressive is None else self._publish_progressive(progressive, extent.end)
        old = [self._playlist, *([self._progressive] if self._progressive else [])]
        self._write(made, master, play, extent.end)
        for row in self._renditions:
            with suppress(OSError):
                folder = PurePosixPath(self._object(row.path)).parent
                self._objects.delete_prefix(f"{folder}/")
        for path in old:
            self._objects.delete(self._object(path))
        return True

    def _object(self, path: str) -> str:
        return self._objects.media.key(path, self._place)

    def _mend(self, row: AnyRow, extent: Extent) -> Rendition:
        """Make and publish a rendition again, in a folder with another name."""
        folder = PurePosixPath(row.path).parent.name
        old, new = self._work / "old.mp4", self._work / f"{row.label}.mp4"
        draft = self._work / f"draft-{row.label}"
        rung = Rung(
            label=row.label,
            width=row.width,
            height=row.height,
            max_bits=0,
            rate=None,
            is_copied=True,
        )
        try:
            join(stored(self._objects, f"{self._prefix}{folder}/"), old)
            mend(old, extent, new)
            made = package(new, rung, draft)
        except (BoxError, PlaylistError) as error:
            raise InvalidInputError(UNREADABLE) from error
        made = msgspec.structs.replace(made, folder=_next_name(folder))
        target = f"{self._prefix}{made.folder}/"
        self._objects.delete_prefix(target)  # Left by a killed run.
        self._objects.put_folder(target, draft)
        return made

    def _publish_progressive(self, file: Path, seconds: float) -> str:
        name = _next_name(PurePosixPath(self._progressive or "").name)
        job = Job(
            arguments=transcode.progressive_arguments(file, 0.0, name),
            folder=self._work,
            duration=seconds,
            timeout=BASE_TIMEOUT_S + seconds,
            output_bytes=2 * file.stat().st_size + 1_000_000,
        )
        run(job, None)
        self._put(name, self._work / name)
        return name

    def _put(self, name: str, content: bytes | Path) -> None:
        key = f"{self._prefix}{name}"
        self._objects.delete(key)  # Left by a killed run.
        self._objects.put_if_absent(key, content)

    def _write(self, made: list[Rendition], master: str, play: str, end: float) -> None:
        address = address_of(self._key)
        with self._services.database.write() as connection:
            self._hold.require(connection)
            assets.delete_renditions(connection, self._key)
            rows.add_renditions(connection, self._key, address, made)
            values = {"progressive": f"{address}/{play}"} if play else {}
            assets.update_asset(connection, self._key, {"is_one_file": True, **values})
            set_length(connection, self._video_id, round(end * 1000))
            rows.set_playlist(connection, self._key, f"{address}/{master}")
            note_changed(connection, [self._video_id])
            record_change(connection, CacheTopic.CATALOGUE)


def _next_name(name: str) -> str:
    """Published files never change, so a new version has another name. `360` → `360-2` →
    `360-3`, `v2.m3u8` → `v2-2.m3u8`.
    """
    path = PurePosixPath(name)
    base, _, number = path.stem.partition("-")
    return f"{base}-{int(number or 1) + 1}{path.suffix}"


def _extent_of(objects: ObjectStore, playlist: str) -> Extent | None:
    """Where a rendition's tracks begin and end; None if it cannot be read."""
    read = stored(objects, f"{PurePosixPath(playlist).parent}/")
    try:
        found = stored_playlist(read)
        init = b"".join(read(found.init))
        ends = dict.fromkeys([found.segments[0], *found.segments[-LAST_SEGMENTS:]])
        contents = [b"".join(read(segment)) for segment in ends]
    except (OSError, PlaylistError):
        return None
    return extent_of(init, contents)


def queue_mending(connection: sa.Connection, video_id: int, now: Milliseconds) -> tuple[int, bool]:
    """Add a video to the ledger, for a worker.

    Returns:
        The job's id, and whether it is new.
    """
    new = NewJob(
        source=f"video/{video_id}",
        wanted={"video_id": video_id},
        priority=first_priority(is_short=True),
        kind=Kind.MEND,
    )
    return enqueue(connection, new, now)
