"""`liuying video mend`: videos whose picture and sound do not end together."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import EXIT_REFUSED, AsJson, refuse_usage, tell
from liuying.installation.services import Services
from liuying.kit.errors import LiuyingError
from liuying.kit.identifiers import MAX_ID


def mend_command(
    video_ids: Annotated[
        list[int] | None,
        typer.Argument(metavar="编号", min=1, max=MAX_ID, help="视频的编号；可以写多个。"),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="所有查出来不一样长的视频。")] = False,
    queue: Annotated[
        bool, typer.Option("--queue", help="只放入队列，由网站或 liuying worker 在后台处理。")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """补齐画面和声音不一样长的视频：声音短的补静音，画面短的让最后一帧停到结尾。

    以前的版本导入的视频可能播不到结尾；liuying doctor 会查出来。画面不重新编码，每个视频几秒钟。

    退出码：0 全部完成；1 有视频不能处理；2 用法有误。

    例：liuying video mend --all

    例：liuying video mend 12 13 --queue
    """
    from liuying.workflows.mending import find_uneven

    if bool(video_ids) == every:
        refuse_usage("请写视频的编号，或用 --all 选择全部，不能同时用")
    is_refused = False
    with existing_installation() as services:
        if every:
            with services.database.read() as connection:
                found = find_uneven(connection, services.objects)
                video_ids = [one.video_id for one in found]
        for video_id in dict.fromkeys(video_ids or ()):
            is_refused |= not _mend(services, video_id, is_queued=queue, as_json=as_json)
    if not video_ids and not as_json:
        typer.echo("没有需要补齐的视频")
    if is_refused:
        raise typer.Exit(EXIT_REFUSED)


def _mend(services: Services, video_id: int, *, is_queued: bool, as_json: bool) -> bool:
    """Mend one, or queue it; False where it is refused."""
    from liuying.workflows.mending import mend_video, queue_mending

    record: dict[str, object] = {"id": video_id}
    try:
        if is_queued:
            with services.database.write() as connection:
                job_id, is_new = queue_mending(connection, video_id, services.clock())
            record |= {"outcome": "queued" if is_new else "waiting", "job_id": job_id}
            sentence = f"{'已排队' if is_new else '已在队列'} {video_id}（任务 {job_id}）"
        else:
            is_mended = mend_video(services, video_id)
            record |= {"outcome": "mended" if is_mended else "even"}
            sentence = f"已补齐 {video_id}" if is_mended else f"{video_id} 不需要补齐"
    except LiuyingError as error:
        record |= {"outcome": "refused", "cause": error.message}
        if as_json:
            tell("", record, as_json=True)
        else:
            typer.echo(f"拒绝 {video_id}：{error.message}", err=True)
        return False
    tell(sentence, record, as_json=as_json)
    return True
