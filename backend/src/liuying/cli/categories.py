"""`liuying category`, `liuying artist`, `liuying tag`: what videos are sorted by."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, Yes, confirm, refuse_usage, show, tell
from liuying.cli.parameters import Position
from liuying.cli.pictures import encrypted_picture
from liuying.core.catalogue import editing
from liuying.core.catalogue.age_gate import set_category_gated
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.rows import ArtistRow
from liuying.core.catalogue.tables import artist, category, label
from liuying.kit.database import AnyRow
from liuying.kit.rows import row_id_of
from liuying.workflows.indexing import reindex_videos
from liuying.workflows.sealing import settle_gates

ICON_WIDTH, PORTRAIT_WIDTH = 192, 480

categories = typer.Typer(no_args_is_help=True, help="管理分类。")
artists = typer.Typer(no_args_is_help=True, help="管理艺人。")
tags = typer.Typer(no_args_is_help=True, help="管理标签。")

Which = Annotated[str, typer.Argument(metavar="编号或名称", help="编号或名称，见 list。")]
Icon = Annotated[Path | None, typer.Option(help="图标图片：JPEG、PNG 或 WebP。")]


@categories.command("list")
def list_categories(as_json: AsJson = False) -> None:
    """按显示次序列出分类。72（短视频）和 73（分享解锁）不出现在网站的分类里。

    例：liuying category list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [dict(row) for row in names.all_categories(connection)]
    headings = {
        "id": "编号",
        "name": "名称",
        "position": "次序",
        "videos": "视频",
        "is_hidden": "隐藏",
        "is_gated": "需确认年龄",
    }
    show(rows, headings, as_json=as_json)


@categories.command("add")
def add_category(
    name: Annotated[str, typer.Argument(metavar="名称")],
    position: Position = None,
    icon: Icon = None,
    as_json: AsJson = False,
) -> None:
    """新建分类。

    例：liuying category add 旅行 --position 1 --icon travel.png
    """
    with installation() as services:
        picture = encrypted_picture(services, icon, ICON_WIDTH)
        with services.database.write() as connection:
            number = editing.add_category(connection, name, position, picture)
            row = dict(names.counted_category(connection, number))
    tell(f"已新建分类 {number}", row, as_json=as_json)


@categories.command("edit")
def edit_category(
    which: Which,
    name: Annotated[str | None, typer.Option(help="名称。")] = None,
    position: Position = None,
    icon: Icon = None,
    as_json: AsJson = False,
) -> None:
    """修改分类的名称、次序或图标。

    例：liuying category edit 美味 --name 美食 --position 0
    """
    if name is None and position is None and icon is None:
        refuse_usage("没有要修改的内容")
    with existing_installation() as services:
        picture = encrypted_picture(services, icon, ICON_WIDTH)
        with services.database.write() as connection:
            number = row_id_of(connection, category, which, "分类")
            editing.edit_category(connection, number, name, position, picture)
            row = dict(names.counted_category(connection, number))
    tell(f"已修改分类 {which}", row, as_json=as_json)


@categories.command("hide")
def hide_category(which: Which, as_json: AsJson = False) -> None:
    """隐藏分类：不出现在首页和网站的分类里；里面的视频照常能看到、能搜到。

    例：liuying category hide 旅行
    """
    _set_hidden(which, is_hidden=True, said="隐藏", as_json=as_json)


@categories.command("unhide")
def unhide_category(which: Which, as_json: AsJson = False) -> None:
    """恢复隐藏的分类。

    例：liuying category unhide 旅行
    """
    _set_hidden(which, is_hidden=False, said="恢复", as_json=as_json)


@categories.command("gate")
def gate_category(which: Which, as_json: AsJson = False) -> None:
    """要访客先确认年龄，才给看这个分类的封面和视频；马上生效。说明见 liuying age-gate。

    例：liuying category gate 夜场
    """
    _set_gated(which, is_gated=True, as_json=as_json)


@categories.command("ungate")
def ungate_category(which: Which, as_json: AsJson = False) -> None:
    """不再要求确认年龄：视频一个接一个地放开，命令等到全部完成。

    例：liuying category ungate 夜场
    """
    _set_gated(which, is_gated=False, as_json=as_json)


@categories.command("remove")
def remove_category(which: Which, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除空的分类；里面还有视频时，先用 liuying video edit 移走。

    例：liuying category remove 旅行 --yes
    """
    confirm(f"将删除分类 {which}。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        number = row_id_of(connection, category, which, "分类")
        editing.remove_category(connection, number)
    tell(f"已删除分类 {which}", {"id": number, "removed": True}, as_json=as_json)


@artists.command("list")
def list_artists(as_json: AsJson = False) -> None:
    """列出艺人和他们的视频数。

    例：liuying artist list --json
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [_artist(*found) for found in names.artist_rows(connection)]
    show(
        rows, {"id": "编号", "name": "名称", "initial": "首字母", "videos": "视频"}, as_json=as_json
    )


@artists.command("edit")
def edit_artist(
    which: Which,
    name: Annotated[str | None, typer.Option(help="名称。")] = None,
    intro: Annotated[str | None, typer.Option(help="简介。")] = None,
    image: Annotated[Path | None, typer.Option(help="头像图片：JPEG、PNG 或 WebP。")] = None,
    as_json: AsJson = False,
) -> None:
    """修改艺人的名称、简介或头像。

    例：liuying artist edit 4 --intro "拍风景的人" --image portrait.jpg
    """
    if name is None and intro is None and image is None:
        refuse_usage("没有要修改的内容")
    with existing_installation() as services:
        picture = encrypted_picture(services, image, PORTRAIT_WIDTH)
        with services.database.write() as connection:
            number = row_id_of(connection, artist, which, "艺人")
            reindex_videos(
                connection, editing.edit_artist(connection, number, name, intro, picture)
            )
            row = _artist(*names.artist_row(connection, number))
    tell(f"已修改艺人 {which}", row, as_json=as_json)


@artists.command("merge")
def merge_artists(
    which: Which,
    into: Annotated[str, typer.Argument(metavar="并入", help="保留的艺人的编号或名称。")],
    as_json: AsJson = False,
) -> None:
    """把一个艺人的视频并入另一个，并删除前者。

    例：liuying artist merge 旧名 新名
    """
    with existing_installation() as services, services.database.write() as connection:
        numbers = [row_id_of(connection, artist, one, "艺人") for one in (which, into)]
        reindex_videos(connection, editing.merge_artists(connection, *numbers))
        row = _artist(*names.artist_row(connection, numbers[1]))
    tell(f"已并入 {into}", row, as_json=as_json)


@tags.command("list")
def list_tags(as_json: AsJson = False) -> None:
    """列出标签，用得多的在前。

    例：liuying tag list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [_label(*found) for found in names.label_rows(connection)]
    show(rows, {"id": "编号", "name": "名称", "videos": "视频"}, as_json=as_json)


@tags.command("rename")
def rename_tag(
    which: Which, name: Annotated[str, typer.Argument(metavar="名称")], as_json: AsJson = False
) -> None:
    """给标签换名称。

    例：liuying tag rename 海滩 海边
    """
    with existing_installation() as services, services.database.write() as connection:
        number = row_id_of(connection, label, which, "标签")
        reindex_videos(connection, editing.rename_label(connection, number, name))
        row = _label(*names.label_row(connection, number))
    tell(f"已改名 {which}", row, as_json=as_json)


@tags.command("merge")
def merge_tags(
    which: Which,
    into: Annotated[str, typer.Argument(metavar="并入", help="保留的标签的编号或名称。")],
    as_json: AsJson = False,
) -> None:
    """用一个标签取代另一个。

    例：liuying tag merge 海滩 海边
    """
    with existing_installation() as services, services.database.write() as connection:
        numbers = [row_id_of(connection, label, one, "标签") for one in (which, into)]
        reindex_videos(connection, editing.merge_labels(connection, *numbers))
        row = _label(*names.label_row(connection, numbers[1]))
    tell(f"已并入 {into}", row, as_json=as_json)


@tags.command("remove")
def remove_tag(which: Which, yes: Yes = False, as_json: AsJson = False) -> None:
    """从所有视频上去掉一个标签。

    例：liuying tag remove 海滩 --yes
    """
    confirm(f"将从所有视频上去掉标签 {which}。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        number = row_id_of(connection, label, which, "标签")
        reindex_videos(connection, editing.remove_label(connection, number))
    tell(f"已删除标签 {which}", {"id": number, "removed": True}, as_json=as_json)


def _set_hidden(which: str, *, is_hidden: bool, said: str, as_json: bool) -> None:
    with existing_installation() as services, services.database.write() as connection:
        number = row_id_of(connection, category, which, "分类")
        editing.set_category_hidden(connection, number, is_hidden=is_hidden)
        row = dict(names.counted_category(connection, number))
    tell(f"已{said}分类 {which}", row, as_json=as_json)


def _set_gated(which: str, *, is_gated: bool, as_json: bool) -> None:
    with existing_installation() as services:
        with services.database.write() as connection:
            number = row_id_of(connection, category, which, "分类")
            set_category_gated(connection, number, is_gated=is_gated)
            row = dict(names.counted_category(connection, number))
        settled = settle_gates(services)
    said = "先确认年龄" if is_gated else "不用确认年龄"
    tell(f"分类 {which} {said}，处理了 {settled} 个视频", row, as_json=as_json)


def _artist(row: AnyRow | ArtistRow, count: int) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "initial": row.initial,
        "videos": count,
        "intro": row.intro,
    }


def _label(row: AnyRow, count: int) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, "videos": count}
