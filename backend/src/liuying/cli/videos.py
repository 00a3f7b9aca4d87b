"""`liuying video`: list, look at, change, hide, remove and restore videos."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from liuying.cli.mending import mend_command
from liuying.cli.opening import existing_installation
from liuying.cli.output import (
    EXIT_REFUSED,
    AsJson,
    read_file,
    read_moment,
    refuse,
    refuse_usage,
    show,
    tell,
    tell_all,
)
from liuying.cli.parameters import VideoId, VideoIds
from liuying.cli.repacking import repack_command
from liuying.cli.video_bin import (
    bin_command,
    purge_command,
    remove_command,
    restore_command,
    takedown_command,
)
from liuying.cli.video_original import original_command
from liuying.cli.video_rows import (
    COLUMNS,
    DETAILS,
    details_of,
    in_words,
    row_of,
    rows_of,
)
from liuying.core.catalogue.named_categories import meant_category
from liuying.features.views.rules import FAILURE_DAYS
from liuying.kit.files import read_at_most
from liuying.media.webvtt import MAX_BYTES
from liuying.pages.statistics import health_of
from liuying.workflows.editing import edit_video, set_hidden
from liuying.workflows.queries.videos import select_videos, videos_by_id
from liuying.workflows.subtitle_files import set_subtitle
from liuying.workflows.video_meta import GivenMeta, explain

app = typer.Typer(no_args_is_help=True, help="查看、修改、隐藏、删除和恢复视频。")

HEALTH_COLUMNS = {
    "id": "编号",
    "title": "标题",
    "starts": "开始",
    "mean_wait_ms": "平均等待（毫秒）",
    "stalls": "卡顿",
    "failures": "失败",
    "failed_networks": "失败的网络",
    "share": "失败率",
    "fails_for_many": "许多访客失败",
}


@app.command("list")
def list_command(
    category_name: Annotated[
        str | None, typer.Option("--category", help="分类的名称或编号。")
    ] = None,
    title: Annotated[str | None, typer.Option(help="标题里的字。")] = None,
    hidden: Annotated[bool, typer.Option("--hidden", help="只看隐藏的。")] = False,
    hot: Annotated[bool, typer.Option("--hot", help="按播放次数，不按时间。")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="最多几条。")] = 50,
    as_json: AsJson = False,
) -> None:
    """列出视频，新的在前。

    例：liuying video list --category 旅行 --hot --limit 20
    """
    with existing_installation() as services, services.database.read() as connection:
        found = select_videos(
            connection,
            category_id=None
            if category_name is None
            else meant_category(connection, category_name),
            title=title,
            only_hidden=hidden,
            by_views=hot,
            limit=limit,
        )
    rows = [row_of(one) for one in found]
    show(rows if as_json else [in_words(row) for row in rows], COLUMNS, as_json=as_json)


@app.command("show")
def show_command(video_id: VideoId, as_json: AsJson = False) -> None:
    """一个视频的全部资料：标签、艺人、清晰度、来源、占用空间。

    例：liuying video show 12
    """
    with existing_installation() as services, services.database.read() as connection:
        row = videos_by_id(connection, [video_id]).get(video_id)
        if row is None:
            refuse(f"没有编号为 {video_id} 的视频")
        known = details_of(connection, row, services.objects)
    if as_json:
        show([known], COLUMNS, as_json=True)
        return
    worded = in_words(known)
    rows = [{"name": heading, "value": worded[name]} for name, heading in DETAILS.items()]
    show(rows, {"name": "", "value": ""}, as_json=False)


@app.command("health")
def health_command(
    days: Annotated[
        int, typer.Option(min=1, max=365, help="最近几天，含今天，按 UTC。")
    ] = FAILURE_DAYS,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="最多几条。")] = 50,
    as_json: AsJson = False,
) -> None:
    """播放器报告的失败与卡顿，失败多的在前。

    「许多访客失败」：这几天的失败来自至少 5 个网络（每个网络一天算一次），
    并且占全部尝试的两成以上。
    网站按今天和昨天判断，并通知 LIUYING_WEBHOOK_URL。

    退出码：0 没有这样的视频；1 有。

    例：liuying video health --days 7
    """
    with existing_installation() as services, services.database.read() as connection:
        found = health_of(connection, services.clock(), days, most=limit)
    show([msgspec.structs.asdict(one) for one in found], HEALTH_COLUMNS, as_json=as_json)
    if any(one.fails_for_many for one in found):
        raise typer.Exit(EXIT_REFUSED)


@app.command("edit")
def edit_command(
    video_ids: VideoIds,
    title: Annotated[str | None, typer.Option(help="标题。")] = None,
    category_name: Annotated[
        str | None, typer.Option("--category", help="分类的名称或编号。")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help="标签；可以多次，替换原有的。")] = None,
    artist: Annotated[list[str] | None, typer.Option(help="艺人；可以多次，替换原有的。")] = None,
    views: Annotated[int | None, typer.Option(min=0, help="播放次数。")] = None,
    cover: Annotated[Path | None, typer.Option(help="封面图片：JPEG、PNG 或 WebP。")] = None,
    description: Annotated[
        str | None, typer.Option(help="简介，可以有多行；空文字去掉简介。")
    ] = None,
    premiered: Annotated[str | None, typer.Option(help="首播，如 2026-12-01。")] = None,
    created: Annotated[
        str | None,
        typer.Option("--created-at", help="发布的时间；在将来的，到时自动出现。"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """修改视频的资料；没有写的保持不变。

    例：liuying video edit 12 --title "海边的一天" --label 海边 --label 旅行

    例：liuying video edit 12 --created-at "2026-12-01 20:00"
    """
    values: dict[str, Any] = {
        "description": description,
        "premiered_at": read_moment("--premiered", premiered),
        "created_at": read_moment("--created-at", created),
        "title": title,
        "labels": label or None,
        "artists": artist or None,
        "pageviews": views,
    }
    if title is not None and len(video_ids) > 1:
        refuse_usage("--title 只能用于一个视频")
    try:
        given = msgspec.convert(values, GivenMeta)
    except msgspec.ValidationError as error:
        refuse_usage(f"参数有误：{explain(error)}")
    picture = None if cover is None else read_file(cover)
    if not given.stated() and picture is None and category_name is None:
        refuse_usage("没有要修改的内容")
    with existing_installation() as services:
        if (
            category_name is not None
        ):  # a new name here is a typing error: categories are made by `category add`
            with services.database.read() as connection:
                number = meant_category(connection, category_name)
            given = msgspec.structs.replace(given, category=number)
        for video_id in video_ids:
            edit_video(services, video_id, given, picture)
            tell_all(f"已修改 {video_id}", rows_of(services.database, [video_id]), as_json=as_json)


@app.command("subtitles")
def subtitles_command(
    video_id: VideoId,
    file: Annotated[
        Path | None, typer.Argument(metavar="文件", help="SRT、WebVTT、ASS 或 SSA。")
    ] = None,
    language: Annotated[str, typer.Option(help="语言：zh-Hans、zh-Hant、en……")] = "zh",
    remove: Annotated[bool, typer.Option("--remove", help="去掉这个语言的字幕。")] = False,
    as_json: AsJson = False,
) -> None:
    """设置一个语言的字幕，替换原有的；或用 --remove 去掉。

    例：liuying video subtitles 12 clip.srt --language zh-Hans
    """
    if remove == (file is not None):
        refuse_usage("请写字幕文件，或用 --remove 去掉")
    with existing_installation() as services:
        content = None if file is None else read_at_most(file, MAX_BYTES, "字幕")
        lang = set_subtitle(services, video_id, language, content)
    record = {"id": video_id, "language": lang, "removed": remove}
    tell(f"已去掉 {lang} 字幕" if remove else f"已设置 {lang} 字幕", record, as_json=as_json)


@app.command("hide")
def hide_command(video_ids: VideoIds, as_json: AsJson = False) -> None:
    """从所有列表和页面上撤下，可以恢复。

    例：liuying video hide 12 13
    """
    with existing_installation() as services:
        set_hidden(services, video_ids, is_hidden=True)
        rows = rows_of(services.database, video_ids)
    tell_all(f"已隐藏 {len(rows)} 个视频", rows, as_json=as_json)


@app.command("unhide")
def unhide_command(video_ids: VideoIds, as_json: AsJson = False) -> None:
    """恢复隐藏的视频。

    例：liuying video unhide 12
    """
    with existing_installation() as services:
        set_hidden(services, video_ids, is_hidden=False)
        rows = rows_of(services.database, video_ids)
    tell_all(f"已恢复 {len(rows)} 个视频", rows, as_json=as_json)


# Last on the page of help.
app.command("original")(original_command)
app.command("mend")(mend_command)
app.command("repack")(repack_command)
app.command("remove")(remove_command)
app.command("restore")(restore_command)
app.command("bin")(bin_command)
app.command("purge")(purge_command)
app.command("takedown")(takedown_command)
