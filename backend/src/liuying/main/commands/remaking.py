"""`liuying video remake`: a video's files anew, from its kept original or from another file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liuying.kit.errors import LiuyingError
from liuying.main.commands.output import EXIT_REFUSED, AsJson, installation, refuse_usage, tell
from liuying.main.commands.parameters import VideoIds
from liuying.main.terminal_text import printable


def remake_command(
    video_ids: VideoIds,
    file: Annotated[Path | None, typer.Option("--file", help="用这个文件代替保留的原文件，一次一个视频。")] = None,
    keep_cover: Annotated[bool, typer.Option("--keep-cover", help="不换封面。")] = False,
    as_json: AsJson = False,
) -> None:
    """重新生成视频的各个清晰度、封面和拖动时的预览图；编号、资料、字幕、播放次数不变。

    用保留的原文件（import --keep-original 或 LIUYING_KEEP_ORIGINALS），或 --file 写的文件。新的全部做好之前，
    网站一直用旧的；没有做成时，一切如旧。

    退出码：0 全部完成；1 有视频没有重做；2 用法有误。

    例：liuying video remake 12 13

    例：liuying video remake 12 --file better.mkv --keep-cover
    """
    from rich.console import Console

    from liuying.main.import_bar import import_bar
    from liuying.workflows.remaking import remake_video

    if file is not None and len(video_ids) > 1:
        refuse_usage("--file 只能用于一个视频")
    console = Console(highlight=False, markup=False, soft_wrap=True)
    is_refused = False
    with installation() as services:
        for video_id in dict.fromkeys(video_ids):
            cause = None
            try:
                with import_bar(console, f"视频 {video_id}", is_shown=console.is_terminal and not as_json) as report:
                    remake_video(services, video_id, report, source=file, keeps_cover=keep_cover)
            except LiuyingError as error:  # one that is refused does not stop the others
                is_refused, cause = True, error.message
            if as_json or cause is None:
                tell(f"已重做 {video_id}", {"id": video_id, "cause": cause}, as_json=as_json)
            else:
                typer.echo(printable(f"视频 {video_id} 没有重做：{cause}"), err=True)
    if is_refused:
        raise typer.Exit(EXIT_REFUSED)
