"""`liuying video original`: where a video's kept original lies, and keeping it no longer."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import AsJson, Yes, confirm, refuse, tell
from liuying.cli.parameters import VideoIds
from liuying.core.catalogue.queries.videos import asset_key_row
from liuying.installation.services import Services
from liuying.kit.object_store import StoredObject
from liuying.workflows.originals import forget_original, original_of, place_of


def original_command(
    video_ids: VideoIds,
    remove: Annotated[
        bool, typer.Option("--remove", help="不再保留：删除数据文件夹里的这一份，视频不变。")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """原文件在哪里（import --keep-original 或 LIUYING_KEEP_ORIGINALS 保留的），每行一个路径；
    或用 --remove 删除。

    退出码：0 都有；1 有视频不存在，或没有保留原文件。

    例：liuying video original 12

    例：liuying video original 12 13 --remove --yes
    """
    if remove:
        confirm(f"将删除 {len(video_ids)} 个视频保留的原文件。", is_agreed=yes)
    with existing_installation() as services:
        for video_id in video_ids:
            key, original = _original(services, video_id)
            file = place_of(services.objects, original)
            if remove:
                forget_original(services.objects, key)
                with services.database.write():
                    pass  # No row changes in the data folder, and the audit log tells of it.
                tell(f"已删除 {file}", {"id": video_id, "removed": True}, as_json=as_json)
            else:
                record = {"id": video_id, "file": file, "bytes": original.size}
                tell(file, record, as_json=as_json)


def _original(services: Services, video_id: int) -> tuple[str, StoredObject]:
    """A video's asset and the kept original."""
    with services.database.read() as connection:
        row = asset_key_row(connection, video_id)
    if row is None:
        refuse(f"没有编号为 {video_id} 的视频")
    original = None if row.asset_key is None else original_of(services.objects, row.asset_key)
    if original is None:
        refuse(f"视频 {video_id} 没有保留原文件")
    return row.asset_key, original
