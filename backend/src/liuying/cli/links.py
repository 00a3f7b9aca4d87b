"""`liuying link`: links of the page /mine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, Yes, confirm, refuse_usage, show, tell
from liuying.cli.parameters import Number, Position
from liuying.cli.pictures import encrypted_picture
from liuying.features.ads import link_writing, queries

PICTURE_WIDTH = 1280

app = typer.Typer(no_args_is_help=True, help="管理“我的”页面上的链接。")

Title = Annotated[str | None, typer.Option(help="标题。")]
Text = Annotated[str | None, typer.Option(help="说明文字。")]
Url = Annotated[str | None, typer.Option(help="链接，http(s)://。")]
PicturePath = Annotated[Path | None, typer.Option("--image", help="图片：JPEG、PNG 或 WebP。")]
COLUMNS = {
    "id": "编号",
    "kind": "种类",
    "title": "标题",
    "text": "说明",
    "url": "链接",
    "position": "次序",
}


@app.command("list")
def list_links(as_json: AsJson = False) -> None:
    """列出链接：checkin 签到、activity 活动、community 社区、exchange 友情链接。

    例：liuying link list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [_shown(row) for row in queries.all_links(connection)]
    show(rows, COLUMNS, as_json=as_json)


@app.command("add")
def add_link(
    kind: Annotated[
        str, typer.Argument(metavar="种类", help="checkin、activity、community 或 exchange。")
    ],
    title: Annotated[str, typer.Argument(metavar="标题")],
    url: Annotated[str, typer.Argument(metavar="链接")],
    text: Text = None,
    image: PicturePath = None,
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """新建链接。

    例：liuying link add community 交流社区 https://example.com/
    """
    with installation() as services:
        picture = encrypted_picture(services, image, PICTURE_WIDTH)
        draft = link_writing.LinkDraft(
            kind=kind, title=title, url=url, text=text, image=picture, position=position
        )
        with services.database.write() as connection:
            number = link_writing.add_link(connection, draft)
            row = _shown(queries.link_row(connection, number))
    tell(f"已新建链接 {number}", row, as_json=as_json)


@app.command("edit")
def edit_link(
    number: Number,
    title: Title = None,
    url: Url = None,
    text: Text = None,
    image: PicturePath = None,
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """修改链接；没有写的保持不变。

    例：liuying link edit 2 --title 新社区 --url https://example.com/new
    """
    with existing_installation() as services:
        picture = encrypted_picture(services, image, PICTURE_WIDTH)
        draft = link_writing.LinkDraft(
            title=title, url=url, text=text, image=picture, position=position
        )
        if draft == link_writing.LinkDraft():
            refuse_usage("没有要修改的内容")
        with services.database.write() as connection:
            link_writing.edit_link(connection, number, draft)
            row = _shown(queries.link_row(connection, number))
    tell(f"已修改链接 {number}", row, as_json=as_json)


@app.command("remove")
def remove_link(number: Number, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除链接。

    例：liuying link remove 2 --yes
    """
    confirm(f"将删除链接 {number}。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        link_writing.remove_link(connection, number)
    tell(f"已删除链接 {number}", {"id": number, "removed": True}, as_json=as_json)


def _shown(row: sa.RowMapping) -> dict[str, Any]:
    return {name: row[name] for name in COLUMNS}
