"""Holding what a video has published, while its files are made anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from liuying.core.catalogue.removed_videos import require_kept
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.object_keys import MediaPlace
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.asset_hold import AssetHold, holding
from liuying.workflows.import_services import ImportServices
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.protection import held, settle

UNREADABLE = "视频的文件无法读取，请从备份恢复，或删除视频后重新导入"


class PublishedAsset(msgspec.Struct, frozen=True):
    """An asset that nobody else imports, moves or changes.

    Attributes:
        key: Its key.
        place: Where its files are.
        work: A folder for what is being made.
        hold: The right to publish it.
    """

    key: str
    place: MediaPlace
    work: Path
    hold: AssetHold


@contextmanager
def published_asset(services: ImportServices, video_id: int) -> Iterator[PublishedAsset]:
    """Hold a video's asset until the block ends.

    Raises:
        NotFoundError: There is no such video, or it has no files.
        InvalidInputError: It is in the bin, or not whole yet.
        ImportBusyError: It is being imported or moved.
    """
    with services.database.read() as connection:
        row = require_kept(connection, video_id)
    if row.asset_key is None:
        raise NotFoundError(f"没有编号为 {video_id} 的视频，或它没有文件")
    folders = JobFolders(services.layout.jobs)
    with folders.gate():
        job = folders.begin(row.asset_key)
    # No import and no move between open and protected meanwhile.
    try:
        with job as work, holding(services.database, services.objects, row.asset_key) as hold:
            with services.database.read() as connection:
                asset = rows.find_asset_by_key(connection, row.asset_key)
            if asset is None or not asset.is_complete:
                raise InvalidInputError(f"视频 {video_id} 还没有导入完，请导入完再试")
            yield PublishedAsset(row.asset_key, asset.place, work, hold)
    finally:
        settle(services, row.asset_key)  # It may have been put into the bin meanwhile.
        with suppress(ImportBusyError):
            _remove_stray(services, row.asset_key)


def _remove_stray(services: ImportServices, key: str) -> None:
    """Remove what was stored of a video that had been purged or taken down: its files went while
    others were made.
    """
    objects, media = services.objects, services.objects.media
    with held(services.layout, key):
        with services.database.read() as connection:
            asset = rows.find_asset_by_key(connection, key)
        if asset is None:
            stray = media.prefixes(key)
        elif asset.place is MediaPlace.REMOVED and media.is_split:
            hidden = media.prefix(key, asset.place)
            # Where nothing is hidden, what lies elsewhere is the video itself, still to be moved.
            is_hidden = next(objects.objects(hidden), None) is not None
            stray = [one for one in media.prefixes(key) if is_hidden and one != hidden]
        else:
            return
        for prefix in stray:
            objects.delete_prefix(prefix)
