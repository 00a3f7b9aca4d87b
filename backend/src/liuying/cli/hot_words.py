"""`liuying hot`: pinned groups of hot words, and words that are never offered."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import (
    AsJson,
    Yes,
    confirm,
    show,
    tell,
)
from liuying.cli.parameters import Position
from liuying.features.search import hot_words as pinned
from liuying.features.search import terms
from liuying.features.search.queries.hot_words import blocked_words, list_hot_groups

app = typer.Typer(no_args_is_help=True, help="管理热搜词：置顶的组、屏蔽的词。")


@app.command("list")
def list_hot(as_json: AsJson = False) -> None:
    """列出热搜组。

    例：liuying hot list
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = _hot_rows(connection)
    show(rows, {"title": "标题", "words": "热词"}, as_json=as_json)


@app.command("set")
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
        stored = pinned.set_hot_group(connection, title, words, position)
        row = next(one for one in _hot_rows(connection) if one["title"] == stored)
    tell(f"已更新「{title}」", row, as_json=as_json)


@app.command("remove")
def remove_hot(
    title: Annotated[str, typer.Argument(metavar="标题")], yes: Yes = False, as_json: AsJson = False
) -> None:
    """删除一组热词。

    例：liuying hot remove 编辑推荐 --yes
    """
    confirm(f"将删除热搜组「{title}」。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        pinned.remove_hot_group(connection, title)
    tell(f"已删除「{title}」", {"title": title, "removed": True}, as_json=as_json)


@app.command("trending")
def list_trending(as_json: AsJson = False) -> None:
    """列出访客近 24 小时的热搜：至少 5 个不同网络搜过、没有屏蔽的词。

    例：liuying hot trending
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [dict(row._mapping) for row in terms.trending_rows(connection, services.clock())]
    show(rows, {"term": "词", "networks": "网络数"}, as_json=as_json)


@app.command("block")
def block_hot(
    words: Annotated[list[str], typer.Argument(metavar="词…")], as_json: AsJson = False
) -> None:
    """屏蔽热搜词：不再出现在热搜和联想里，搜索本身不受影响。

    例：liuying hot block 某词
    """
    with installation() as services, services.database.write() as connection:
        folded = pinned.block_words(connection, words)
    tell(f"已屏蔽 {len(words)} 个词", {"blocked": folded}, as_json=as_json)


@app.command("unblock")
def unblock_hot(
    word: Annotated[str, typer.Argument(metavar="词")], as_json: AsJson = False
) -> None:
    """取消屏蔽。

    例：liuying hot unblock 某词
    """
    with existing_installation() as services, services.database.write() as connection:
        folded = pinned.unblock_word(connection, word)
    tell(f"已取消屏蔽「{word}」", {"unblocked": folded}, as_json=as_json)


@app.command("blocked")
def list_blocked(as_json: AsJson = False) -> None:
    """列出屏蔽的词。

    例：liuying hot blocked
    """
    with existing_installation() as services, services.database.read() as connection:
        rows = [{"word": word} for word in blocked_words(connection)]
    show(rows, {"word": "词"}, as_json=as_json)


def _hot_rows(connection: sa.Connection) -> list[dict[str, Any]]:
    return [{"title": group.title, "words": group.lists} for group in list_hot_groups(connection)]
