"""`liuying video remove`, `restore`, `bin`, `purge` and `takedown`: from the bin to the end."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import AsJson, Yes, confirm, show, shown_moment, tell, tell_all
from liuying.cli.parameters import VideoIds
from liuying.cli.video_rows import rows_of
from liuying.core.catalogue.queries.removal import removed_rows
from liuying.kit.clock import DAY_MS
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import KEPT_DAYS, remove_videos, restore_videos
from liuying.workflows.taking_down import take_down

BIN_COLUMNS = {
    "id": "编号",
    "title": "标题",
    "removed_at": "移入时间",
    "purged_at": "彻底删除",
}


def remove_command(
    video_ids: VideoIds,
    # Scripts say it: until there was a bin, a removal could not be undone.
    _yes: Annotated[bool, typer.Option("--yes", hidden=True)] = False,
    as_json: AsJson = False,
) -> None:
    """移入回收站：马上从所有列表和页面上消失，文件也不能再读取；30 天内可以恢复，之后自动彻底删除。

    恢复：liuying video restore；马上彻底删除：liuying video purge。

    例：liuying video remove 12 13
    """
    with existing_installation() as services:
        remove_videos(services, video_ids)
    for video_id in dict.fromkeys(video_ids):
        tell(f"已移入回收站：{video_id}", {"id": video_id, "removed": True}, as_json=as_json)


def restore_command(video_ids: VideoIds, as_json: AsJson = False) -> None:
    """从回收站恢复，和移入之前一样（隐藏的仍然隐藏）。

    例：liuying video restore 12
    """
    with existing_installation() as services:
        restore_videos(services, video_ids)
        rows = rows_of(services.database, video_ids)
    tell_all(f"已从回收站恢复 {len(rows)} 个视频", rows, as_json=as_json)


def bin_command(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="最多几条。")] = 50,
    as_json: AsJson = False,
) -> None:
    """回收站里的视频，最近移入的在前，和自动彻底删除的时间。

    例：liuying video bin
    """
    with existing_installation() as services, services.database.read() as connection:
        found = removed_rows(connection, limit)
    rows = [
        {
            "id": row.id,
            "title": row.title,
            "removed_at": shown_moment(row.removed_at),
            "purged_at": shown_moment(row.removed_at + KEPT_DAYS * DAY_MS),
        }
        for row in found
    ]
    show(rows, BIN_COLUMNS, as_json=as_json)


def purge_command(video_ids: VideoIds, yes: Yes = False, as_json: AsJson = False) -> None:
    """彻底删除视频、由它生成的全部文件和保留的原文件，不论是否在回收站里；不能恢复，导入时的文件不受影响。

    例：liuying video purge 12 --yes
    """
    confirm(f"将彻底删除 {len(video_ids)} 个视频及其文件，不能恢复。", is_agreed=yes)
    with existing_installation() as services:
        for video_id in video_ids:
            purge_video(services, video_id)
            tell(f"已彻底删除 {video_id}", {"id": video_id, "purged": True}, as_json=as_json)


def takedown_command(
    video_ids: VideoIds,
    reason: Annotated[str, typer.Option(help="下架原因，留作记录。")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """下架：立刻不能访问，记下画面的指纹，再删除视频和文件；不再接受同一内容的导入，换了编码、
    大小、裁剪或速度的也会暂停，等你决定。

    例：liuying video takedown 12 --reason 版权投诉 --yes
    """
    confirm(f"将下架 {len(video_ids)} 个视频，同一内容不能再导入。", is_agreed=yes)
    with existing_installation() as services:
        for video_id in video_ids:
            take_down(services, video_id, reason)
            tell(
                f"已下架 {video_id}",
                {"id": video_id, "removed": True, "reason": reason},
                as_json=as_json,
            )
