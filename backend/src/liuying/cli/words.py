"""`liuying notice`, `liuying hot`, `liuying topic`: what the operator writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer

from liuying.cli.opening import installation
from liuying.cli.output import (
    AsJson,
    Yes,
    confirm,
    read_text,
    refuse_usage,
    show,
    shown_moment,
    tell,
)
from liuying.cli.parameters import Number, Position
from liuying.features.notices import service as notices
from liuying.features.notices.tables import notice
from liuying.features.search import hot_words, terms
from liuying.features.search.service import list_hot_groups
from liuying.features.topics import service as topics
from liuying.features.topics.tables import topic, topic_video
from liuying.kit.rows import MAX_ID

notices_app = typer.Typer(no_args_is_help=True, help="管理公告。")
hot_app = typer.Typer(no_args_is_help=True, help="管理热搜词：置顶的组、屏蔽的词。")
topics_app = typer.Typer(no_args_is_help=True, help="管理专题。")

Title = Annotated[str | None, typer.Option(help="标题。")]
SHOWN_IDS = typer.Argument(metavar="编号…", max=MAX_ID, help="视频编号，按显示次序。")


@notices_app.command("list")
def list_notices(as_json: AsJson = False) -> None:
    """列出公告，新的在前。

    例：liuying notice list
    """
    with installation() as services, services.database.read() as connection:
        rows = _notice_rows(connection, sa.true())
    show(rows, {"id": "编号", "title": "标题", "updated_at": "时间"}, as_json=as_json)


@notices_app.command("add")
def add_notice(
    title: Annotated[str, typer.Argument(metavar="标题")],
    content: Annotated[
        str | None, typer.Argument(metavar="内容", help="HTML；留空时用 --file。")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="从文件读取内容。")] = None,
    as_json: AsJson = False,
) -> None:
    """发布公告。内容是 HTML，只保留文字、列表和链接。

    例：liuying notice add 今晚维护 "<p>22 点到 23 点。</p>"
    """
    text = _content(content, file)
    if text is None:
        refuse_usage("请写内容，或用 --file 指定文件")
    with installation() as services, services.database.write() as connection:
        number = notices.write_notice(connection, title, text, services.clock())
        (row,) = _notice_rows(connection, notice.c.id == number)
    tell(f"已发布公告 {number}", row, as_json=as_json)


@notices_app.command("edit")
def edit_notice(
    number: Number,
    title: Title = None,
    content: Annotated[str | None, typer.Option(help="HTML。")] = None,
    file: Annotated[Path | None, typer.Option(help="从文件读取内容。")] = None,
    as_json: AsJson = False,
) -> None:
    """修改公告；访客会再次看到它是新的。

    例：liuying notice edit 3 --file notice.html
    """
    if title is None and content is None and file is None:
        refuse_usage("没有要修改的内容")
    with installation() as services, services.database.write() as connection:
        notices.edit_notice(connection, number, title, _content(content, file), services.clock())
        (row,) = _notice_rows(connection, notice.c.id == number)
    tell(f"已修改公告 {number}", row, as_json=as_json)


@notices_app.command("remove")
def remove_notice(number: Number, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除公告。

    例：liuying notice remove 3 --yes
    """
    confirm(f"将删除公告 {number}。", is_agreed=yes)
    with installation() as services, services.database.write() as connection:
        notices.remove_notice(connection, number)
    tell(f"已删除公告 {number}", {"id": number, "removed": True}, as_json=as_json)


@hot_app.command("list")
def list_hot(as_json: AsJson = False) -> None:
    """列出热搜组。

    例：liuying hot list
    """
    with installation() as services, services.database.read() as connection:
        rows = _hot_rows(connection)
    show(rows, {"title": "标题", "words": "热词"}, as_json=as_json)


@hot_app.command("set")
def set_hot(
    title: Annotated[str, typer.Argument(metavar="标题")],
    words: Annotated[list[str], typer.Argument(metavar="热词…")],
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """写一组热词，替换同名的组。

    例：liuying hot set 编辑推荐 海边 夜景 极光
    """
    with installation() as services, services.database.write() as connection:
        kept = hot_words.set_hot_group(connection, title, words, position)
        row = next(one for one in _hot_rows(connection) if one["title"] == kept)
    tell(f"已更新「{title}」", row, as_json=as_json)


@hot_app.command("remove")
def remove_hot(
    title: Annotated[str, typer.Argument(metavar="标题")], yes: Yes = False, as_json: AsJson = False
) -> None:
    """删除一组热词。

    例：liuying hot remove 编辑推荐 --yes
    """
    confirm(f"将删除热搜组「{title}」。", is_agreed=yes)
    with installation() as services, services.database.write() as connection:
        hot_words.remove_hot_group(connection, title)
    tell(f"已删除「{title}」", {"title": title, "removed": True}, as_json=as_json)


@hot_app.command("trending")
def list_trending(as_json: AsJson = False) -> None:
    """列出访客近 24 小时的热搜：至少 5 个不同网络搜过、没有屏蔽的词。

    例：liuying hot trending
    """
    with installation() as services, services.database.read() as connection:
        rows = [dict(row._mapping) for row in terms.trending_rows(connection, services.clock())]
    show(rows, {"term": "词", "networks": "网络数"}, as_json=as_json)


@hot_app.command("block")
def block_hot(
    words: Annotated[list[str], typer.Argument(metavar="词…")], as_json: AsJson = False
) -> None:
    """屏蔽热搜词：不再出现在热搜和联想里，搜索本身不受影响。

    例：liuying hot block 某词
    """
    with installation() as services, services.database.write() as connection:
        kept = hot_words.block_words(connection, words)
    tell(f"已屏蔽 {len(words)} 个词", {"blocked": kept}, as_json=as_json)


@hot_app.command("unblock")
def unblock_hot(
    word: Annotated[str, typer.Argument(metavar="词")], as_json: AsJson = False
) -> None:
    """取消屏蔽。

    例：liuying hot unblock 某词
    """
    with installation() as services, services.database.write() as connection:
        kept = hot_words.unblock_word(connection, word)
    tell(f"已取消屏蔽「{word}」", {"unblocked": kept}, as_json=as_json)


@hot_app.command("blocked")
def list_blocked(as_json: AsJson = False) -> None:
    """列出屏蔽的词。

    例：liuying hot blocked
    """
    with installation() as services, services.database.read() as connection:
        rows = [{"word": word} for word in terms.blocked_words(connection)]
    show(rows, {"word": "词"}, as_json=as_json)


@topics_app.command("list")
def list_topics(as_json: AsJson = False) -> None:
    """列出专题。

    例：liuying topic list
    """
    with installation() as services, services.database.read() as connection:
        rows = _topic_rows(connection, sa.true())
    show(rows, {"id": "编号", "title": "标题", "intro": "简介", "videos": "视频"}, as_json=as_json)


@topics_app.command("set")
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


@topics_app.command("remove")
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


def _notice_rows(
    connection: sa.Connection, condition: sa.ColumnElement[bool]
) -> list[dict[str, Any]]:
    statement = (
        sa.select(notice).where(condition).order_by(notice.c.updated_at.desc(), notice.c.id.desc())
    )
    return [
        {
            "id": row.id,
            "title": row.title,
            "updated_at": shown_moment(row.updated_at),
            "content": row.content,
        }
        for row in connection.execute(statement)
    ]


def _hot_rows(connection: sa.Connection) -> list[dict[str, Any]]:
    return [{"title": group.title, "words": group.lists} for group in list_hot_groups(connection)]


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


def _content(content: str | None, file: Path | None) -> str | None:
    return read_text(file) if file is not None else content
