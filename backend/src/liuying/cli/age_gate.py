"""`liuying age-gate`: whether visitors say their age first."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, refuse_usage, show, tell
from liuying.core.catalogue import age_gate
from liuying.core.catalogue.age_gate import DEFAULT_TEXT, DEFAULT_TITLE, AgeGate
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.queries.gating import count_unsettled
from liuying.workflows.sealing import settle_gates

app = typer.Typer(
    no_args_is_help=True,
    help="确认年龄：整个网站的开关、文案；哪些分类需要确认。",
)


@app.command("show")
def show_gate(as_json: AsJson = False) -> None:
    """显示开关、文案、需要确认的分类和还没处理完的视频数。

    例：liuying age-gate show
    """
    with existing_installation() as services, services.database.read() as connection:
        values = _values(connection, age_gate.read_gate(connection))
    headings = {"name": "项目", "value": "现值"}
    if as_json:
        show([values], headings, as_json=True)
        return
    rows = [
        {"name": "整个网站", "value": "需确认" if values["covers_site"] else "不需要"},
        {"name": "分类", "value": "、".join(values["categories"]) or "没有"},
        {"name": "标题", "value": values["title"]},
        {"name": "说明", "value": values["text"]},
        {"name": "未处理完", "value": values["unsettled"]},
    ]
    show(rows, headings, as_json=False)


@app.command("on")
def gate_site(as_json: AsJson = False) -> None:
    """整个网站先确认年龄；马上生效。只要求某个分类：liuying category gate。

    确认之前，访客看不到封面，也打不开视频；回答只保存在访客自己的设备上。

    例：liuying age-gate on
    """
    _change({"covers_site": True}, "整个网站先确认年龄", as_json=as_json)


@app.command("off")
def open_site(as_json: AsJson = False) -> None:
    """整个网站不再要求确认年龄：视频一个接一个地放开，命令等到全部完成。

    单独设了要确认的分类不变。

    例：liuying age-gate off
    """
    _change({"covers_site": False}, "整个网站不用确认年龄", as_json=as_json)


@app.command("text")
def set_text(
    title: Annotated[str | None, typer.Option(help="标题；空文字改回默认值。")] = None,
    text: Annotated[str | None, typer.Option(help="标题下面的说明；空文字改回默认值。")] = None,
    as_json: AsJson = False,
) -> None:
    """设置询问年龄时的文案。

    例：liuying age-gate text --title 请确认你的年龄 --text "本站内容只适合成年人。"
    """
    given = {"title": title, "text": text}
    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if not values:
        refuse_usage("请写要设置的文案：--title 或 --text")
    _change(values, "已更新文案", as_json=as_json)


def _change(values: dict[str, Any], said: str, *, as_json: bool) -> None:
    with installation() as services:
        with services.database.write() as connection:
            known = age_gate.read_gate(connection)
            age_gate.set_gate(connection, msgspec.structs.replace(known, **values))
        settled = settle_gates(services)
        with services.database.read() as connection:
            now = _values(connection, age_gate.read_gate(connection))
    tell(f"{said}，处理了 {settled} 个视频" if settled else said, now, as_json=as_json)


def _values(connection: sa.Connection, gate: AgeGate) -> dict[str, Any]:
    gated = [row["name"] for row in names.all_categories(connection) if row["is_gated"]]
    return {
        "covers_site": gate.covers_site,
        "title": gate.title or DEFAULT_TITLE,
        "text": gate.text or DEFAULT_TEXT,
        "categories": gated,
        "unsettled": count_unsettled(connection),
    }
