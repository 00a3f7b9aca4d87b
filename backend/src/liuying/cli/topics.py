"""`liuying topic`: collections of videos that the operator puts together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import (
    AsJson,
    Yes,
    confirm,
    show,
    tell,
)
from liuying.cli.parameters import Position
from liuying.cli.pictures import encrypted_picture
from liuying.features.topics import queries
from liuying.features.topics import service as topics
from liuying.kit.identifiers import MAX_ID

app = typer.Typer(no_args_is_help=True, help="管理专题。")

SHOWN_IDS = typer.Argument(metavar="编号…", max=MAX_ID, help="视频编号，按显示次序。")


@app.command("list")
def list_topics(as_json: AsJson = False) -> None:
    """列出专题。

    例：liuying topic list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [_shown(row) for row in queries.all_topics(connection)]
    show(rows, {"id": "编号", "title": "标题", "intro": "简介", "videos": "视频"}, as_json=as_json)


@app.command("set")
def set_topic(
    title: Annotated[str, typer.Argument(metavar="标题")],
    video_ids: Annotated[list[int] | None, SHOWN_IDS] = None,
    intro: Annotated[str | None, typer.Option(help="简介。")] = None,
    position: Position = None,
    image: Annotated[
        Path | None, typer.Option(help="图片：JPEG、PNG 或 WebP；没有时用第一个视频的封面。")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """写一个专题，或修改同名的专题；写了视频就替换原有的。有视频的专题显示在首页，
    自己的页面在 /topic?id=编号，轮播图和广告可以链接到它。

    例：liuying topic set 雪山 12 13 14 --intro "看雪"
    """
    with existing_installation() as services:
        picture = encrypted_picture(services, image, topics.PICTURE_WIDTH)
        with services.database.write() as connection:
            number = topics.set_topic(
                connection,
                title,
                intro,
                video_ids or None,
                position,
                msgspec.UNSET if picture is None else picture,
            )
            row = _shown(queries.topic_row(connection, number))
    tell(f"已更新专题 {number}，页面在 /topic?id={number}", row, as_json=as_json)


@app.command("remove")
def remove_topic(
    title: Annotated[str, typer.Argument(metavar="标题")], yes: Yes = False, as_json: AsJson = False
) -> None:
    """删除专题；视频不受影响。

    例：liuying topic remove 雪山 --yes
    """
    confirm(f"将删除专题「{title}」。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        topics.remove_topic(connection, title)
    tell(f"已删除「{title}」", {"title": title, "removed": True}, as_json=as_json)


def _shown(row: sa.RowMapping) -> dict[str, Any]:
    return {**row, "image": row["image"] is not None}
