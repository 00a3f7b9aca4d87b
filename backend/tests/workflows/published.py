"""What an import left: read as a visitor's player would, from the catalogue's paths."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import av
import m3u8  # type: ignore[import-untyped]  # the package ships no types
import msgspec
import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.playback.queries.assets import place_of, published_folders, update_asset
from liuying.core.playback.tables import asset, rendition
from liuying.installation.services import Services
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_keys import MEDIA, PUBLIC, MediaPlace
from liuying.kit.object_store import read_object
from liuying_seeding.segment_files import cut_into_segments


class Played(msgspec.Struct, frozen=True):
    """A rendition, decoded to its end. Seconds and pixels; `loudness` is None where there is no
    sound track.
    """

    pictures: int
    duration: float
    width: int
    height: int
    colours: tuple[int, int, int, int]
    loudness: float | None


def row_of(services: Services, video_id: int) -> sa.Row[Any]:
    """The video's row with its asset's."""
    statement = sa.select(
        video,
        asset.c.state,
        asset.c.cause,
        asset.c.progressive,
        asset.c.storyboard,
        asset.c.is_protected,
    ).join(asset, asset.c.key == video.c.asset_key)
    with services.database.read() as connection:
        return connection.execute(statement.where(video.c.id == video_id)).one()


def renditions_of(services: Services, key: str) -> list[sa.Row[Any]]:
    """Rows of an asset's renditions, the lowest first."""
    with services.database.read() as connection:
        statement = (
            sa.select(rendition).where(rendition.c.asset_key == key).order_by(rendition.c.bandwidth)
        )
        return list(connection.execute(statement))


def media_playlists(playlist: Path) -> tuple[Path, Path]:
    """The playlist of a rendition's pictures, and that of the sound that plays with them by
    default: the same where the rendition contains it.
    """
    found = m3u8.load(str(playlist))
    if not found.is_variant:
        return playlist, playlist
    sound = next(one.uri for one in found.media if one.default == "YES")
    return playlist.parent / found.playlists[0].uri, playlist.parent / sound


def file_of(services: Services, path: str, *, is_protected: bool = False) -> Path:
    """The file behind a public path, beside the others of its video. Of a bucket it is a copy."""
    below = path.removeprefix("/media/")
    objects = services.objects
    if isinstance(objects, FolderStore):
        root = services.data_dir / "media" / ("protected" if is_protected else "public")
        return root / below
    key = below.partition("/")[0]
    root = services.data_dir.parent / "copied"
    shutil.rmtree(root / key, ignore_errors=True)
    for name, content in files_of(services, key).items():
        target = root / key / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return root / below


def files_of(services: Services, key: str) -> dict[str, bytes]:
    """Everything that is published of an asset, by its name within it, in whatever store."""
    objects = services.objects
    return {
        one.key.removeprefix(prefix): read_object(objects, one.key)
        for prefix in objects.media.prefixes(key)
        for one in objects.objects(prefix)
    }


def digests_of(services: Services, key: str) -> dict[str, str]:
    """The same, as digests."""
    found = files_of(services, key)
    return {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}


def play(playlist: Path) -> Played:
    """Decode everything that a playlist or a file leads to."""
    with av.open(str(playlist)) as container:
        stream = container.streams.video[0]
        frames = [
            (frame.time or 0.0, frame.width, frame.height) for frame in container.decode(stream)
        ]
        context = stream.codec_context
        colours = (
            context.color_range,
            context.colorspace,
            context.color_primaries,
            context.color_trc,
        )
    times = sorted(moment for moment, _, _ in frames)
    return Played(
        pictures=len(frames),
        duration=times[-1] - times[0],
        width=frames[0][1],
        height=frames[0][2],
        colours=tuple(int(value) for value in colours),  # type: ignore[arg-type]  # four values in, four out
        loudness=_loudness(playlist),
    )


def _loudness(playlist: Path) -> float | None:
    with av.open(str(playlist)) as container:
        if not container.streams.audio:
            return None
        return max(
            float(np.abs(frame.to_ndarray()).max())
            for frame in container.decode(container.streams.audio[0])
        )


def as_versions_before(services: Services, key: str) -> None:
    """Give an asset's renditions a file for every segment, in whatever store."""
    objects = services.objects
    with services.database.write() as connection:
        folders = published_folders(connection, key)
        place = place_of(connection, key)
        update_asset(connection, key, {"is_one_file": False})
    for name in folders:
        prefix = f"{objects.media.prefix(key, place)}{name}/"
        with TemporaryDirectory(dir=services.data_dir, prefix=".cut-") as scratch:
            folder = Path(scratch) / name
            folder.mkdir()
            for one in list(objects.objects(prefix)):
                (folder / one.key.rpartition("/")[2]).write_bytes(read_object(objects, one.key))
            cut_into_segments(folder)
            objects.delete_prefix(prefix)
            objects.put_folder(prefix, folder)


def publish_file(
    services: Services, path: str, content: bytes, place: MediaPlace = MediaPlace.OPEN
) -> None:
    """Put a file behind a public path, in whatever store; anybody may read it unless `place` says
    otherwise.
    """
    objects = services.objects
    objects.put_if_absent(objects.media.key(path, place), content)


def places_of(services: Services, key: str) -> set[str]:
    """Where an asset's files are: `public`, `protected` or `removed`. In a bucket they are wherever
    its row says.
    """
    objects = services.objects
    among: tuple[MediaPlace, ...] = tuple(MediaPlace)
    if not objects.media.is_split:
        with services.database.read() as connection:
            among = (place_of(connection, key),)
    return {one.value for one in among if objects.has_any(objects.media.prefix(key, one))}


def replace_file(services: Services, path: str, content: bytes | None) -> None:
    """Do what no program does: give the file behind a public path that anybody may read another
    content, or take it away, in whatever store.
    """
    services.objects.delete(services.objects.media.key(path, MediaPlace.OPEN))
    if content is not None:
        publish_file(services, path, content)


def run_out(services: Services) -> None:
    """As if nobody had held on to any asset for a while: whoever was killed has let go of his."""
    with services.database.write() as connection:
        connection.execute(sa.update(asset).values(held_until=0))


def visible_files(services: Services) -> list[str]:
    """Everything that is stored of videos, by the names it has in the data folder, drafts
    included; a bucket does not tell open videos from others.
    """
    if not isinstance(services.objects, FolderStore):
        keys = (one.key for one in services.objects.objects(f"{MEDIA}/"))
        return sorted(f"{PUBLIC}/{key.removeprefix(f'{MEDIA}/')}" for key in keys)
    root = services.data_dir / MEDIA
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def first_light(file: Path) -> float:
    """When the picture first is bright, in seconds from the first picture."""
    with av.open(str(file)) as container:
        frames = [
            (frame.time or 0.0, float(frame.to_ndarray(format="gray").mean()))
            for frame in container.decode(video=0)
        ]
    frames.sort()
    return next(moment for moment, brightness in frames if brightness > 128) - frames[0][0]


def first_sound(file: Path) -> float:
    """When something is heard first, in seconds; what an encoder puts before the start is not
    counted.
    """
    with av.open(str(file)) as container:
        for frame in container.decode(audio=0):
            loud = np.flatnonzero(np.abs(frame.to_ndarray()).max(axis=0) > 0.1)
            if loud.size:
                return (frame.time or 0.0) + float(loud[0]) / frame.sample_rate
    raise AssertionError("silent")
