"""`liuying banner`: the chips above the carousel, to which its banners belong."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, Yes, confirm, refuse_usage, show, tell
from liuying.cli.parameters import POSITION, Position
from liuying.features.ads import queries, writing
from liuying.features.ads.tables import banner_tag
from liuying.kit.rows import row_id_of

app = typer.Typer(no_args_is_help=True, help="管理轮播图上方的标签。")

Which = Annotated[str, typer.Argument(metavar="编号或名称", help="编号或名称，见 list。")]


@app.command("list")
def list_banner_tags(as_json: AsJson = False) -> None:
    """列出轮播图的标签。

    例：liuying banner list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [dict(row._mapping) for row in queries.banner_tag_rows(connection)]
    show(rows, {"id": "编号", "name": "名称", "position": "次序"}, as_json=as_json)


@app.command("add")
def add_banner_tag(
    name: Annotated[str, typer.Argument(metavar="名称")],
    position: Annotated[int, POSITION] = 0,
    as_json: AsJson = False,
) -> None:
    """新建标签；轮播图用 liuying ad add --slot BANNER --tag 名称。

    例：liuying banner add 春天
    """
    with installation() as services, services.database.write() as connection:
        number = writing.add_banner_tag(connection, name, position)
        row = dict(queries.banner_tag_row(connection, number))
    tell(f"已新建标签 {number}", row, as_json=as_json)


@app.command("edit")
def edit_banner_tag(
    which: Which,
    name: Annotated[str | None, typer.Option(help="名称。")] = None,
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """修改标签的名称或次序。

    例：liuying banner edit 春天 --name 春游 --position 1
    """
    if name is None and position is None:
        refuse_usage("没有要修改的内容")
    with existing_installation() as services, services.database.write() as connection:
        number = row_id_of(connection, banner_tag, which, "标签")
        writing.edit_banner_tag(connection, number, name, position)
        row = dict(queries.banner_tag_row(connection, number))
    tell(f"已修改标签 {which}", row, as_json=as_json)


@app.command("remove")
def remove_banner_tag(which: Which, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除标签和它的轮播图。

    例：liuying banner remove 春天 --yes
    """
    confirm(f"将删除标签 {which} 和它的轮播图。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        number = row_id_of(connection, banner_tag, which, "标签")
        writing.remove_banner_tag(connection, number)
    tell(f"已删除标签 {which}", {"id": number, "removed": True}, as_json=as_json)
