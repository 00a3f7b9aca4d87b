"""`liuying removals`: the public page of what was taken down and why."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, show, tell
from liuying.core.playback.queries import tombstones
from liuying.features.removals.service import RemovalPage, read_page, set_page
from liuying.kit.clock import to_iso

app = typer.Typer(
    no_args_is_help=True,
    help="下架公示：公开的一页，列出永久下架的日期和原因。",
)
# More than anybody has taken down; the page itself has pages.
MOST = 10_000


@app.command("show")
def show_page(as_json: AsJson = False) -> None:
    """显示开关，和会公开的内容，新的在前。

    例：liuying removals show
    """
    with existing_installation() as services, services.database.read() as connection:
        page = read_page(connection)
        rows = [_row(row) for row in tombstones.taken_down(connection, 0, MOST)]
    if as_json:
        show([{**_values(page), "removals": rows}], {}, as_json=True)
        return
    typer.echo(_said(page))
    show(rows, {"removed_at": "下架时间", "reason": "原因", "title": "标题"}, as_json=False)


@app.command("on")
def open_page(
    titles: Annotated[bool, typer.Option("--titles", help="连视频的标题一起公开。")] = False,
    as_json: AsJson = False,
) -> None:
    """公开这一页，“我的”页面上有链接；马上生效。以前下架的也会列出，先用 show 看一遍。

    原因按下架时写的原样公开：请不要写举报人的任何信息。

    例：liuying removals on --titles
    """
    _set(RemovalPage(is_shown=True, shows_titles=titles), as_json=as_json)


@app.command("off")
def close_page(as_json: AsJson = False) -> None:
    """不再公开：这个地址和从来没有过一样。

    例：liuying removals off
    """
    _set(RemovalPage(), as_json=as_json)


def _set(page: RemovalPage, *, as_json: bool) -> None:
    with installation() as services, services.database.write() as connection:
        set_page(connection, page)
    tell(_said(page), _values(page), as_json=as_json)


def _said(page: RemovalPage) -> str:
    if not page.is_shown:
        return "下架公示没有公开"
    return "下架公示已公开，列出标题" if page.shows_titles else "下架公示已公开，不列标题"


def _values(page: RemovalPage) -> dict[str, Any]:
    return {"is_shown": page.is_shown, "shows_titles": page.shows_titles}


def _row(row: Any) -> dict[str, Any]:
    at = to_iso(row.removed_at)
    return {"removed_at": at, "reason": row.reason, "title": row.title or ""}
