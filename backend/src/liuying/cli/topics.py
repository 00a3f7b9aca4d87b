"""`liuying topic`: collections of videos that the operator puts together."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
import typer

from liuying.cli.opening import installation
from liuying.cli.output import (
    AsJson,
    Yes,
    confirm,
    show,
    tell,
)
from liuying.cli.parameters import Position
from liuying.features.topics import service as topics
from liuying.features.topics.tables import topic, topic_video
from liuying.kit.rows import MAX_ID

app = typer.Typer(no_args_is_help=True, help="管理专题。")

SHOWN_IDS = typer.Argument(metavar="编号…", max=MAX_ID, help="视频编号，按显示次序。")


@app.command("list")
def list_topics(as_json: AsJson = False) -> None:
    """列出专题。

    例：liuying topic list
    """
    with installation() as services, services.database.read() as connection:
        rows = _topic_rows(connection, sa.true())
    show(rows, {"id": "编号", "title": "标题", "intro": "简介", "videos": "视频"}, as_json=as_json)


@app.command("set")
def set_topic(
    title: Annotated[str, typer.Argument(metavar="标题")],
    video_ids: Annotated[list[int] | None, SHOWN_IDS] = None,
    intro: Annotated[str | None, typer.Option(help="简介。")] = None,
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """写一个专题，或修改同名的专题；写了视频就替换原有的。

    例：liuying topic set 雪山 12 13 14 --intro "看雪"
    """
    with installation() as services, services.database.write() as connection:
        number = topics.set_topic(connection, title, intro, video_ids or None, position)
        (row,) = _topic_rows(connection, topic.c.id == number)
    tell(f"已更新专题 {number}", row, as_json=as_json)


@app.command("remove")
def remove_topic(
    title: Annotated[str, typer.Argument(metavar="标题")], yes: Yes = False, as_json: AsJson = False
) -> None:
    """删除专题；视频不受影响。

    例：liuying topic remove 雪山 --yes
    """
    confirm(f"将删除专题「{title}」。", is_agreed=yes)
    with installation() as services, services.database.write() as connection:
        topics.remove_topic(connection, title)
    tell(f"已删除「{title}」", {"title": title, "removed": True}, as_json=as_json)


def _topic_rows(
    connection: sa.Connection, condition: sa.ColumnElement[bool]
) -> list[dict[str, Any]]:
    statement = (
        sa.select(topic, sa.func.count(topic_video.c.video_id).label("videos"))
        .outerjoin(topic_video)
        .where(condition)
        .group_by(topic.c.id, topic.c.title, topic.c.intro, topic.c.position)
        .order_by(topic.c.position, topic.c.id)
    )
    return [dict(row._mapping) for row in connection.execute(statement)]
