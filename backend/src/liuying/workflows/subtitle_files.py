"""Adding subtitles to a published video, and removing them."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from liuying.core.catalogue.removed_videos import require_kept
from liuying.core.playback.queries import assets
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.media.extras import SUBTITLE_FOLDER
from liuying.media.subtitles import MAX_TRACKS, language_of_name
from liuying.media.webvtt import webvtt_of
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.asset_hold import AssetHold, holding
from liuying.workflows.import_services import ImportServices
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.leftovers import address_of
from liuying.workflows.protection import settle


def set_subtitle(
    services: ImportServices, video_id: int, language: str, content: bytes | None
) -> str:
    """Set or remove a video's subtitles in one language.

    Args:
        language: As in file names: `zh-Hans`, `chs`, `en`.
        content: As `webvtt_of` reads it; None removes the language's subtitles.

    Returns:
        The BCP 47 tag.

    Raises:
        NotFoundError: No such video, or nothing to remove.
        InvalidInputError: The language is unknown, the video is not complete yet, or has too many
            tracks.
        SubtitleError: The file cannot be read.
        ImportBusyError: The video is being imported or moved.
    """
    named = language_of_name(language) if language else None
    if named is None:
        raise InvalidInputError(f"语言 {language} 无法识别（例如 zh-Hans、zh-Hant、en）")
    lang, label = named
    set_track(services, video_id, lang, label, None if content is None else webvtt_of(content))
    return lang


def set_track(
    services: ImportServices, video_id: int, lang: str, label: str, document: str | None
) -> None:
    """Set or remove a video's track of a language.

    Args:
        document: WebVTT as `webvtt_of` writes it; None removes the track.

    Raises:
        NotFoundError: No such video, or nothing to remove.
        InvalidInputError: The video is not complete yet, or has too many tracks.
        ImportBusyError: The video is being imported or moved.
    """
    with services.database.read() as connection:
        row = require_kept(connection, video_id)
    if row.asset_key is None:
        raise NotFoundError(f"没有编号为 {video_id} 的视频，或它没有文件")
    key = row.asset_key
    # Asked before anything is written, so that a refusal leaves nothing behind, and again below.
    with services.database.read() as connection:
        _known(connection, key, lang, is_given=document is not None)
    folders = JobFolders(services.layout.jobs)
    with folders.gate():
        job = folders.begin(key)
    # No import and no move between open and protected while the file is written.
    with job, holding(services.database, services.objects, key) as hold:
        _write(services, hold, key, lang, label, document)
    settle(services, key)  # It may have been put into the bin meanwhile.


def _write(
    services: ImportServices,
    hold: AssetHold,
    key: str,
    lang: str,
    label: str,
    document: str | None,
) -> None:
    objects = hold.guard(services.objects)
    with services.database.read() as connection:
        asset, old = _known(connection, key, lang, is_given=document is not None)
    path = None
    if document is not None:
        # Published files never change, so another text has another name.
        name = f"{SUBTITLE_FOLDER}/{lang}-{hashlib.sha256(document.encode()).hexdigest()[:10]}.vtt"
        path = f"{address_of(key)}/{name}"
        stored = objects.media.key(path, asset.place)
        objects.put_if_absent(stored, document.encode())
    with services.database.write() as connection:
        hold.require(connection)
        row = {"asset_key": key, "lang": lang, "label": label, "path": path}
        assets.replace_subtitle(connection, key, lang, None if path is None else row)
        record_change(connection, CacheTopic.CATALOGUE)
    if old is not None and old != path:
        objects.delete(objects.media.key(old, asset.place))


def _known(
    connection: sa.Connection, key: str, lang: str, *, is_given: bool
) -> tuple[rows.AssetRow, str | None]:
    """The asset, and the path of its track of a language, which may be set or removed."""
    asset = rows.find_asset_by_key(connection, key)
    old = assets.subtitle_path(connection, key, lang)
    if asset is None or not asset.is_complete:
        raise InvalidInputError("视频还没有导入完，请导入完再设置字幕")
    if not is_given and old is None:
        raise NotFoundError(f"视频没有 {lang} 字幕")
    if is_given and old is None and assets.count_subtitles(connection, key) >= MAX_TRACKS:
        raise InvalidInputError(f"字幕最多 {MAX_TRACKS} 条")
    return asset, old
