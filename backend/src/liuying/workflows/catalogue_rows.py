"""The rows that an import writes. Each function runs inside the caller's transaction."""

from __future__ import annotations

import secrets
import string
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries import videos
from liuying.core.catalogue.queries.details import write_details
from liuying.core.playback.queries import assets, tombstones
from liuying.kit.changes import CacheTopic, draw_in_order, record_change
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError
from liuying.kit.images import EncryptedImage
from liuying.kit.object_keys import MediaPlace
from liuying.media.playlists import PLAYLIST_NAME, Rendition, Sound
from liuying.media.subtitles import Track
from liuying.workflows.import_note import import_note
from liuying.workflows.indexing import reindex_video
from liuying.workflows.named_rows import set_artists, set_labels
from liuying.workflows.queries import imports
from liuying.workflows.scheduled_publication import schedule
from liuying.workflows.video_meta import VideoMeta

CAUSE_LENGTH = 400
KEY_SIGNS = string.digits + string.ascii_lowercase
KEY_LENGTH = 20


class AssetRow(msgspec.Struct, frozen=True):
    """An asset as an import finds it.

    Attributes:
        key: Its key.
        state: As in `core.playback.tables`; also `registered` if no video shows it any more.
        is_protected: Whether its files need a signed URL.
        is_removed: Whether its video is in the bin.
    """

    key: str
    state: str
    is_protected: bool
    is_removed: bool = False

    @property
    def is_visible(self) -> bool:
        return self.state in {"low", "complete"}

    @property
    def is_complete(self) -> bool:
        return self.state == "complete"

    @property
    def place(self) -> MediaPlace:
        return MediaPlace.of(is_protected=self.is_protected, is_removed=self.is_removed)


class NewVideo(msgspec.Struct, frozen=True, kw_only=True):
    """A video whose first rendition is published.

    Attributes:
        key: Its asset.
        title: As displayed.
        meta: Further metadata.
        category_id: Its category.
        duration: Milliseconds.
        width: Pixels, upright.
        height: Pixels, upright.
        playlist: Path of the master playlist.
        cover: Its picture.
        now: The time of the import.
    """

    key: str
    title: str
    meta: VideoMeta
    category_id: int
    duration: Milliseconds
    width: int
    height: int
    playlist: str
    cover: EncryptedImage
    now: Milliseconds


def refuse_taken_down(connection: sa.Connection, source_hash: str) -> None:
    """Refuse content that was taken down.

    Raises:
        InvalidInputError: It was taken down.
    """
    reason = tombstones.tombstone_reason(connection, source_hash)
    if reason is not None:
        raise InvalidInputError(f"此内容已被下架（{reason}）")


def refuse_removed(connection: sa.Connection, key: str) -> None:
    """Refuse to publish more of a video that is in the bin.

    Raises:
        InvalidInputError: It is.
    """
    asset = imports.asset_of_key(connection, key)
    if asset is not None and asset.is_removed:
        raise InvalidInputError(f"视频 {asset.video_id} 在回收站里：请先恢复，或彻底删除")


def is_content_removed(connection: sa.Connection, source_hash: str) -> bool:
    """Whether the video made from a file with this content is in the bin."""
    found = find_asset(connection, source_hash)
    asset = None if found is None else imports.asset_of_key(connection, found.key)
    return asset is not None and asset.is_removed


def find_asset(connection: sa.Connection, source_hash: str) -> AssetRow | None:
    """The asset with a file's content."""
    return _asset(imports.asset_of_content(connection, source_hash))


def find_asset_by_key(connection: sa.Connection, key: str) -> AssetRow | None:
    """The asset with a key."""
    return _asset(imports.asset_of_key(connection, key))


def _asset(row: AnyRow | None) -> AssetRow | None:
    if row is None:
        return None
    state = "registered" if row.video_id is None else row.state
    return AssetRow(row.key, state, row.is_protected, row.is_removed)


def new_key() -> str:
    """A random asset key: what is not listed cannot be guessed (docs/security.md#t26)."""
    return "".join(secrets.choice(KEY_SIGNS) for _ in range(KEY_LENGTH))


def register_asset(
    connection: sa.Connection, key: str, source_hash: str, source_name: str, is_protected: bool
) -> AssetRow:
    """Record that an import of this content has begun; one that failed before starts afresh."""
    values = {
        "source_hash": source_hash,
        "source_name": source_name.encode("utf-8", "replace").decode()[:255],
        "state": "registered",
        "is_protected": is_protected,
    }
    assets.replace_asset(connection, key, values)
    return AssetRow(key, "registered", is_protected)


def note_failure(connection: sa.Connection, key: str, cause: str) -> None:
    """Store why an import stopped. What is playable stays so."""
    assets.note_failure(connection, key, cause[:CAUSE_LENGTH])


def add_video(connection: sa.Connection, new: NewVideo) -> int:
    """Make a video visible and searchable, with its labels and artists.

    Returns:
        Its id.
    """
    # Before it points to labels and artists, which somebody may be merging.
    draw_in_order(connection)
    created = new.now if new.meta.created_at is None else new.meta.created_at
    values = {
        "title": new.title,
        "category_id": new.category_id,
        "is_listed": True,
        "is_hidden": new.meta.is_hidden,
        "created_at": created,
        "updated_at": created if new.meta.updated_at is None else new.meta.updated_at,
        "pageviews": new.meta.pageviews,
        "asset_key": new.key,
        "duration": new.duration,
        "width": new.width,
        "height": new.height,
        "playlist": new.playlist,
        "cover": msgspec.to_builtins(new.cover),
    }
    video_id = videos.insert_video(connection, values)
    set_labels(connection, video_id, new.meta.labels)
    set_artists(connection, video_id, new.meta.artists)
    write_details(connection, video_id, details_of(new.meta, new.title))
    schedule(connection, video_id, created, new.now)
    reindex_video(connection, video_id)
    record_change(connection, CacheTopic.CATALOGUE)
    return video_id


def details_of(meta: VideoMeta, title: str) -> dict[str, object]:
    """What is kept beside a video's row."""
    return {
        "description": meta.description,
        "premiered_at": meta.premiered_at,
        "chapters": msgspec.to_builtins(meta.chapters) or None,
        "imported": import_note(meta, title),
    }


def take_back(connection: sa.Connection, key: str) -> None:
    """Remove the video of an asset whose first rendition turned out to be damaged.

    It is as if it had never been visible. Its cover is left to the sweep (`workflows.pictures`).
    """
    video_id = videos.delete_video_of_asset(connection, key)
    if video_id is None:
        return
    assets.delete_renditions(connection, key)
    assets.update_asset(connection, key, {"state": "registered"})
    reindex_video(connection, video_id)
    record_change(connection, CacheTopic.CATALOGUE)


def add_renditions(
    connection: sa.Connection, key: str, address: str, renditions: Sequence[Rendition]
) -> None:
    """Offer renditions to players.

    Args:
        address: Public path of the asset, `/media/{key}`.
    """
    rows = [
        {
            "asset_key": key,
            "label": one.label,
            "path": f"{address}/{one.folder}/{one.playlist}",
            "width": one.width,
            "height": one.height,
            "bandwidth": one.peak_bits,
            "codecs": one.codecs,
        }
        for one in renditions
    ]
    assets.insert_renditions(connection, rows)


def add_audio_tracks(
    connection: sa.Connection, key: str, address: str, sounds: Sequence[Sound]
) -> None:
    """Offer audio tracks to players.

    Args:
        address: Public path of the asset, `/media/{key}`.
    """
    rows = [
        {
            "asset_key": key,
            "number": one.track.number,
            "lang": one.track.lang,
            "label": one.track.label,
            "path": f"{address}/{one.track.name}/{PLAYLIST_NAME}",
            "is_default": one.track.is_default,
        }
        for one in sounds
    ]
    assets.insert_audio_tracks(connection, rows)


class Extras(msgspec.Struct, frozen=True):
    """What accompanies a complete ladder.

    Attributes:
        progressive: Path of the progressive MP4; empty if there is none.
        storyboard: Path of the storyboard's WebVTT; empty if there is none.
        subtitles: Tracks with the paths of their WebVTT.
        warning: What is wrong with the video; empty where nothing is.
    """

    progressive: str
    storyboard: str
    subtitles: Sequence[tuple[Track, str]]
    warning: str = ""


def set_state(connection: sa.Connection, key: str, extras: Extras | None) -> None:
    """Advance an asset's state: to `low` without extras, to `complete` with them."""
    values = {"state": "low", "progressive": "", "storyboard": "", "cause": ""}
    if extras is not None:
        values |= {
            "state": "complete",
            "progressive": extras.progressive,
            "storyboard": extras.storyboard,
            "cause": extras.warning,
        }
    assets.update_asset(connection, key, values)
    tracks = [
        {"asset_key": key, "lang": track.lang, "label": track.label, "path": path}
        for track, path in (extras.subtitles if extras else ())
    ]
    assets.replace_subtitles(connection, key, tracks)


def set_playlist(connection: sa.Connection, key: str, playlist: str) -> None:
    """Point players to a newer master playlist."""
    videos.set_playlist(connection, key, playlist)
    record_change(connection, CacheTopic.CATALOGUE)
