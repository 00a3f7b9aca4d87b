"""`liuying video repack`: one file for each rendition instead of one for every segment."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import EXIT_REFUSED, AsJson, refuse_usage, tell
from liuying.installation.services import Services
from liuying.kit.errors import LiuyingError
from liuying.kit.identifiers import MAX_ID


def repack_command(
    video_ids: Annotated[
        list[int] | None,
        typer.Argument(metavar="编号", min=1, max=MAX_ID, help="视频的编号；可以写多个。"),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="所有还是一段一个文件的视频。")] = False,
    as_json: AsJson = False,
) -> None:
    """把 0.1.0 导入的视频合并：从每两秒一个文件，到一个清晰度一个文件。

    不重新编码，画面和声音一个字节也不变。正在播放的人不受影响：旧文件再留 6 小时，之后由网站
    自动删除，期间多占一份空间。可以随时中断，再执行一次就接着做。

    退出码：0 全部完成；1 有视频不能处理；2 用法有误。

    例：liuying video repack --all

    例：liuying video repack 12 13
    """
    from liuying.workflows.repacking import remove_superseded, segmented_videos

    if bool(video_ids) == every:
        refuse_usage("请写视频的编号，或用 --all 选择全部，不能同时用")
    is_refused = False
    with existing_installation() as services:
        remove_superseded(services, services.clock())
        wanted = list(dict.fromkeys(video_ids or ()))
        if every:
            wanted = segmented_videos(services.database)
        for number, video_id in enumerate(wanted, 1):
            place = f"{number}/{len(wanted)}"
            is_refused |= not _repack(services, video_id, place, as_json=as_json)
    if not wanted and not as_json:
        typer.echo("没有需要合并的视频")
    if is_refused:
        raise typer.Exit(EXIT_REFUSED)


def _repack(services: Services, video_id: int, place: str, *, as_json: bool) -> bool:
    """Repack one; False where it is refused."""
    from liuying.workflows.repacking import repack_video

    record: dict[str, object] = {"id": video_id}
    try:
        found = repack_video(services, video_id)
    except LiuyingError as error:
        if as_json:
            tell("", record | {"outcome": "refused", "cause": error.message}, as_json=True)
        else:
            typer.echo(f"拒绝 {video_id}（{place}）：{error.message}", err=True)
        return False
    if found is None:
        record |= {"outcome": "whole"}
        sentence = f"{video_id} 不需要合并（{place}）"
    else:
        record |= {"outcome": "repacked", "before": found.before, "after": found.after}
        sentence = f"已合并 {video_id}（{place}）：{found.before} 个文件变成 {found.after} 个"
    tell(sentence, record, as_json=as_json)
    return True
