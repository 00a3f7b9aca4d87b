"""`liuying category`, `liuying artist`, `liuying tag`: what videos are sorted by."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import sqlalchemy as sa
import typer

from liuying.domains.catalogue import editing, queries
from liuying.domains.catalogue.tables import category, video
from liuying.kit.images import SealedImage
from liuying.main.commands.output import AsJson, Yes, confirm, installation, read_file, show
from liuying.main.services import Services
from liuying.media.cover import encode_picture, open_picture
from liuying.workflows.indexing import reindex_video

ICON_WIDTH, PORTRAIT_WIDTH = 192, 480

categories = typer.Typer(no_args_is_help=True, help="管理分类。")
artists = typer.Typer(no_args_is_help=True, help="管理艺人。")
tags = typer.Typer(no_args_is_help=True, help="管理标签。")

Number = Annotated[int, typer.Argument(metavar="编号", help="编号，见 list。")]
Position = Annotated[int | None, typer.Option(min=0, help="排列次序，小的在前。")]
Icon = Annotated[Path | None, typer.Option(help="图标图片：JPEG、PNG 或 WebP。")]


@categories.command("list")
def list_categories(as_json: AsJson = False) -> None:
    """按显示次序列出分类。72（短视频）和 73（分享解锁）不出现在网站的分类里。"""
    count = sa.func.count(video.c.id).label("videos")
    statement = (
        sa.select(category.c.id, category.c.name, category.c.position, count)
        .outerjoin(video, video.c.category_id == category.c.id)
        .group_by(category.c.id, category.c.name, category.c.position)
        .order_by(category.c.position, category.c.id)
    )
    with installation() as services, services.database.read() as connection:
        rows = [dict(row._mapping) for row in connection.execute(statement)]
    show(rows, {"id": "编号", "name": "名称", "position": "次序", "videos": "视频"}, as_json=as_json)


@categories.command("add")
def add_category(
    name: Annotated[str, typer.Argument(metavar="名称")], position: Position = None, icon: Icon = None
) -> None:
    """新建分类。

    例：liuying category add 旅行 --position 1 --icon travel.png
    """
    with installation() as services:
        picture = _picture(services, icon, ICON_WIDTH)
        with services.database.write() as connection:
            number = editing.add_category(connection, name, position, picture)
    typer.echo(f"已新建分类 {number}")


@categories.command("edit")
def edit_category(
    number: Number,
    name: Annotated[str | None, typer.Option(help="名称。")] = None,
    position: Position = None,
    icon: Icon = None,
) -> None:
    """修改分类的名称、次序或图标。

    例：liuying category edit 3 --name 美食 --position 0
    """
    with installation() as services:
        picture = _picture(services, icon, ICON_WIDTH)
        with services.database.write() as connection:
            editing.edit_category(connection, number, name, position, picture)
    typer.echo(f"已修改分类 {number}")


@categories.command("remove")
def remove_category(number: Number, yes: Yes = False) -> None:
    """删除空的分类；里面还有视频时，先用 liuying video edit 移走。"""
    confirm(f"将删除分类 {number}。", is_agreed=yes)
    with installation() as services, services.database.write() as connection:
        editing.remove_category(connection, number)
    typer.echo(f"已删除分类 {number}")


@artists.command("list")
def list_artists(as_json: AsJson = False) -> None:
    """列出艺人和他们的视频数。"""
    with installation() as services, services.database.read() as connection:
        found = queries.artist_rows(connection)
        rows = [
            {"id": row.id, "name": row.name, "initial": row.initial, "videos": row.video_count, "intro": row.intro}
            for row in found
        ]
    show(rows, {"id": "编号", "name": "名称", "initial": "首字母", "videos": "视频"}, as_json=as_json)


@artists.command("edit")
def edit_artist(
    number: Number,
    name: Annotated[str | None, typer.Option(help="名称。")] = None,
    intro: Annotated[str | None, typer.Option(help="简介。")] = None,
    image: Annotated[Path | None, typer.Option(help="头像图片：JPEG、PNG 或 WebP。")] = None,
) -> None:
    """修改艺人的名称、简介或头像。

    例：liuying artist edit 4 --intro "拍风景的人" --image portrait.jpg
    """
    with installation() as services:
        picture = _picture(services, image, PORTRAIT_WIDTH)
        with services.database.write() as connection:
            _reindex(connection, editing.edit_artist(connection, number, name, intro, picture))
    typer.echo(f"已修改艺人 {number}")


@artists.command("merge")
def merge_artists(
    number: Number, into: Annotated[int, typer.Argument(metavar="并入", help="保留的艺人的编号。")]
) -> None:
    """把一个艺人的视频并入另一个，并删除前者。

    例：liuying artist merge 9 4
    """
    with installation() as services, services.database.write() as connection:
        _reindex(connection, editing.merge_artists(connection, number, into))
    typer.echo(f"已并入 {into}")


@tags.command("list")
def list_tags(as_json: AsJson = False) -> None:
    """列出标签，用得多的在前。"""
    with installation() as services, services.database.read() as connection:
        rows = [{"id": row.id, "name": row.name, "videos": row.video_count} for row in queries.label_rows(connection)]
    show(rows, {"id": "编号", "name": "名称", "videos": "视频"}, as_json=as_json)


@tags.command("rename")
def rename_tag(number: Number, name: Annotated[str, typer.Argument(metavar="名称")]) -> None:
    """给标签换名称。"""
    with installation() as services, services.database.write() as connection:
        _reindex(connection, editing.rename_label(connection, number, name))
    typer.echo(f"已改名 {number}")


@tags.command("merge")
def merge_tags(number: Number, into: Annotated[int, typer.Argument(metavar="并入", help="保留的标签的编号。")]) -> None:
    """用一个标签取代另一个。"""
    with installation() as services, services.database.write() as connection:
        _reindex(connection, editing.merge_labels(connection, number, into))
    typer.echo(f"已并入 {into}")


@tags.command("remove")
def remove_tag(number: Number, yes: Yes = False) -> None:
    """从所有视频上去掉一个标签。"""
    confirm(f"将从所有视频上去掉标签 {number}。", is_agreed=yes)
    with installation() as services, services.database.write() as connection:
        _reindex(connection, editing.remove_label(connection, number))
    typer.echo(f"已删除标签 {number}")


def _reindex(connection: sa.Connection, video_ids: Iterable[int]) -> None:
    for video_id in video_ids:
        reindex_video(connection, video_id)


def _picture(services: Services, path: Path | None, width: int) -> SealedImage | None:
    if path is None:
        return None
    picture = open_picture(read_file(path))
    return encode_picture(picture, services.sealer, services.data_dir / "enc", width)
