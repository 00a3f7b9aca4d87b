"""`liuying tab`: the entries of the bar at the foot of the screen."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, Yes, confirm, refuse_usage, show, tell
from liuying.cli.parameters import Position
from liuying.features.tabs import queries
from liuying.features.tabs import service as tabs
from liuying.features.tabs.rules import ICONS, SCREENS

app = typer.Typer(no_args_is_help=True, help="管理底部的入口：名称、图标、次序、外部链接。")

Key = Annotated[str, typer.Argument(metavar="代号", help="代号，见 liuying tab list。")]
Icon = Annotated[str | None, typer.Option(help=f"图标：{'、'.join(ICONS)}。")]
COLUMNS = {
    "key": "代号",
    "name": "名称",
    "icon": "图标",
    "url": "地址",
    "position": "次序",
    "is_hidden": "隐藏",
}


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """列出底部的入口，隐藏的也在内。

    例：liuying tab list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = _rows(connection)
    show(rows, COLUMNS, as_json=as_json)


@app.command("add")
def add_command(
    name: Annotated[str, typer.Argument(metavar="名称")],
    url: Annotated[str, typer.Argument(metavar="链接")],
    icon: Icon = None,
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """新建打开外部链接的入口。最多显示 6 个入口，满了先隐藏一个。

    例：liuying tab add 商城 https://shop.example/ --icon eye --position 4
    """
    with installation() as services, services.database.write() as connection:
        key = tabs.add_tab(connection, name, url, icon, position)
        row = _row(connection, key)
    tell(f"已新建入口 {key}", row, as_json=as_json)


@app.command("edit")
def edit_command(
    key: Key,
    name: Annotated[str | None, typer.Option(help="名称，最多 8 个字。")] = None,
    icon: Icon = None,
    url: Annotated[str | None, typer.Option(help="链接，只用于自己新建的入口。")] = None,
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """修改入口；没有写的保持不变。

    例：liuying tab edit miin --name 短视频 --position 1
    """
    draft = tabs.TabDraft(name=name, icon=icon, url=url, position=position)
    if draft == tabs.TabDraft():
        refuse_usage("没有要修改的内容")
    with installation() as services, services.database.write() as connection:
        tabs.edit_tab(connection, key, draft)
        row = _row(connection, key)
    tell(f"已修改入口 {key}", row, as_json=as_json)


@app.command("hide")
def hide_command(key: Key, as_json: AsJson = False) -> None:
    """隐藏入口；页面的地址仍然可用。首页和我的不能隐藏。

    例：liuying tab hide favorites
    """
    with installation() as services, services.database.write() as connection:
        tabs.set_tab_hidden(connection, key, is_hidden=True)
        row = _row(connection, key)
    tell(f"已隐藏入口 {key}", row, as_json=as_json)


@app.command("unhide")
def unhide_command(key: Key, as_json: AsJson = False) -> None:
    """恢复隐藏的入口。

    例：liuying tab unhide favorites
    """
    with installation() as services, services.database.write() as connection:
        tabs.set_tab_hidden(connection, key, is_hidden=False)
        row = _row(connection, key)
    tell(f"已恢复入口 {key}", row, as_json=as_json)


@app.command("remove")
def remove_command(key: Key, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除自己新建的入口。

    例：liuying tab remove link1
    """
    confirm(f"将删除入口 {key}。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        tabs.remove_tab(connection, key)
    tell(f"已删除入口 {key}", {"key": key, "removed": True}, as_json=as_json)


def _rows(connection: sa.Connection) -> list[dict[str, Any]]:
    rows = [dict(row._mapping) for row in queries.all_tabs(connection)]
    for row in rows:
        row["url"] = f"/{row['key']}" if row["key"] in SCREENS else row["url"]
    return rows


def _row(connection: sa.Connection, key: str) -> dict[str, Any]:
    return next(row for row in _rows(connection) if row["key"] == key)
