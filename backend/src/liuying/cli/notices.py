"""`liuying notice`: what the operator tells all visitors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import (
    AsJson,
    Yes,
    confirm,
    read_moment,
    read_text,
    refuse_usage,
    show,
    shown_moment,
    tell,
)
from liuying.cli.parameters import Number
from liuying.cli.pictures import encrypted_picture
from liuying.features.notices import queries
from liuying.features.notices import service as notices
from liuying.installation.services import Services

app = typer.Typer(no_args_is_help=True, help="管理公告。")

Title = Annotated[str | None, typer.Option(help="标题。")]
Image = Annotated[Path | None, typer.Option(help="图片：JPEG、PNG、WebP 或 GIF，显示在文字上面。")]
From = Annotated[str | None, typer.Option("--from", help="从何时起显示；空文字取消限制。")]
To = Annotated[
    str | None, typer.Option("--to", help="到何时为止，只写日期时含当天；空文字取消限制。")
]


@app.command("list")
def list_notices(as_json: AsJson = False) -> None:
    """列出公告，新的在前。

    例：liuying notice list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [_shown(row) for row in queries.all_notices(connection)]
    headings = {
        "id": "编号",
        "title": "标题",
        "updated_at": "时间",
        "from": "起",
        "to": "止",
        "image": "有图片",
    }
    show(rows, headings, as_json=as_json)


@app.command("add")
def add_notice(
    title: Annotated[str, typer.Argument(metavar="标题")],
    content: Annotated[
        str | None, typer.Argument(metavar="内容", help="HTML；留空时用 --file。")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="从文件读取内容。")] = None,
    image: Image = None,
    starts: From = None,
    ends: To = None,
    as_json: AsJson = False,
) -> None:
    """发布公告。内容是 HTML，只保留文字、列表和链接；里面有图片、视频或表格会被拒绝；图片用
    --image。

    例：liuying notice add 今晚维护 "<p>22 点到 23 点。</p>" --to 2026-12-31
    """
    text = _content(content, file)
    if text is None:
        refuse_usage("请写内容，或用 --file 指定文件")
    with installation() as services:
        extras = _extras(services, image, starts, ends)
        with services.database.write() as connection:
            number = notices.write_notice(connection, title, text, services.clock(), extras)
            row = _shown(queries.notice_row(connection, number))
    tell(f"已发布公告 {number}", row, as_json=as_json)


@app.command("edit")
def edit_notice(
    number: Number,
    title: Title = None,
    content: Annotated[str | None, typer.Option(help="HTML。")] = None,
    file: Annotated[Path | None, typer.Option(help="从文件读取内容。")] = None,
    image: Image = None,
    starts: From = None,
    ends: To = None,
    as_json: AsJson = False,
) -> None:
    """修改公告；访客会再次看到它是新的。

    例：liuying notice edit 3 --file notice.html
    """
    if all(one is None for one in (title, content, file, image, starts, ends)):
        refuse_usage("没有要修改的内容")
    with existing_installation() as services:
        extras = _extras(services, image, starts, ends)
        text = _content(content, file)
        with services.database.write() as connection:
            notices.edit_notice(connection, number, title, text, services.clock(), extras)
            row = _shown(queries.notice_row(connection, number))
    tell(f"已修改公告 {number}", row, as_json=as_json)


@app.command("remove")
def remove_notice(number: Number, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除公告。

    例：liuying notice remove 3 --yes
    """
    confirm(f"将删除公告 {number}。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        notices.remove_notice(connection, number)
    tell(f"已删除公告 {number}", {"id": number, "removed": True}, as_json=as_json)


def _shown(row: sa.RowMapping) -> dict[str, Any]:
    return {
        "id": row["id"],
        "title": row["title"],
        "updated_at": shown_moment(row["updated_at"]),
        "from": shown_moment(row["starts_at"]),
        "to": shown_moment(row["ends_at"]),
        "image": row["image"] is not None,
        "content": row["content"],
    }


def _extras(
    services: Services, image: Path | None, starts: str | None, ends: str | None
) -> notices.NoticeExtras:
    picture = encrypted_picture(services, image, notices.PICTURE_WIDTH)
    return notices.NoticeExtras(
        image=msgspec.UNSET if picture is None else picture,
        starts_at=msgspec.UNSET if starts is None else read_moment("--from", starts or None),
        ends_at=msgspec.UNSET if ends is None else read_moment("--to", ends or None, is_end=True),
    )


def _content(content: str | None, file: Path | None) -> str | None:
    return read_text(file) if file is not None else content
