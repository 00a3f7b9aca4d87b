"""`liuying ad`: what the operator advertises."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import (
    AsJson,
    Yes,
    confirm,
    read_moment,
    refuse_usage,
    show,
    shown_moment,
    tell,
)
from liuying.cli.parameters import Number, Position
from liuying.cli.pictures import encrypted_picture
from liuying.features.ads import queries, writing
from liuying.features.ads.rules import SLOTS
from liuying.installation.services import Services

AD_WIDTH = 1280

app = typer.Typer(no_args_is_help=True, help="管理广告：位置、时间窗口、权重。")

Which = Annotated[str, typer.Argument(metavar="编号或名称", help="编号或名称，见 list。")]
SLOT = typer.Option(
    "--slot",
    help="位置：USER、BANNER、PLAYINFO、PLAYBEFORE、SHORT_VIDEO、EXPLODE、LIST；见 ad slots。",
)
TITLE = typer.Option("--title", help="标题。")
URL = typer.Option("--url", help="链接：http(s):// 开头的完整地址，或站内路径，如 /topic?id=3。")
IMAGE = typer.Option("--image", help="图片：JPEG、PNG、WebP 或 GIF，可以是动图；尺寸见 slots。")
Slot = Annotated[str | None, SLOT]
Title = Annotated[str | None, TITLE]
Url = Annotated[str | None, URL]
PicturePath = Annotated[Path | None, IMAGE]
Text = Annotated[str | None, typer.Option(help="说明文字。")]
Tag = Annotated[str | None, typer.Option(help="轮播图属于哪个标签；BANNER 必须有。")]
Weight = Annotated[
    int | None, typer.Option(help="次序相同的几个里，排在最前的机会，按天轮换；1 到 1000。")
]
From = Annotated[str | None, typer.Option("--from", help="从何时起显示；空文字取消限制。")]
To = Annotated[
    str | None, typer.Option("--to", help="到何时为止，只写日期时含当天；空文字取消限制。")
]


@app.command("list")
def list_ads(slot: Slot = None, as_json: AsJson = False) -> None:
    """列出广告，过期和未开始的也在内，还有至今被看到和点击的次数（不记是谁）。

    例：liuying ad list --slot LIST
    """
    with existing_installation() as services, services.database.read() as connection:
        known = None if slot is None else writing.known_slot(slot)
        rows = [_shown(row) for row in queries.all_ads(connection, known)]
    headings = {
        "id": "编号",
        "slot": "位置",
        "title": "标题",
        "url": "链接",
        "tag": "标签",
        "from": "起",
        "to": "止",
        "views": "看到",
        "clicks": "点击",
    }
    show(rows, headings, as_json=as_json)


@app.command("slots")
def list_slots(as_json: AsJson = False) -> None:
    """列出广告的位置：在哪里显示，图片的尺寸，现在有几条、正在显示几条。

    图片可以更大，会缩小；JPEG、PNG、WebP、GIF 都可以，动图最多 150 帧、30 秒。

    例：liuying ad slots
    """
    with existing_installation() as services, services.database.read() as connection:
        found = queries.all_ads(connection)
        rows = [
            {
                "slot": slot,
                "place": rule.place,
                "size": f"{rule.width}×{rule.height}",
                "ads": sum(row["slot"] == slot for row in found),
                "shown": len(queries.ad_rows(connection, slot, services.clock())),
            }
            for slot, rule in SLOTS.items()
        ]
    headings = {
        "slot": "位置",
        "place": "显示在",
        "size": "图片",
        "ads": "广告",
        "shown": "正在显示",
    }
    show(rows, headings, as_json=as_json)


@app.command("add")
def add_ad(
    slot: Annotated[str, SLOT],
    title: Annotated[str, TITLE],
    url: Annotated[str, URL],
    image: Annotated[Path, IMAGE],
    text: Text = None,
    tag: Tag = None,
    position: Position = None,
    weight: Weight = None,
    starts: From = None,
    ends: To = None,
    as_json: AsJson = False,
) -> None:
    """新建广告；马上生效，不用重启。

    例：liuying ad add --slot LIST --title 春游 --url https://example.com/ --image spring.jpg --to
    2026-12-31
    """
    with installation() as services:
        draft = _draft(services, slot, title, url, image, text, tag, position, weight, starts, ends)
        with services.database.write() as connection:
            number = writing.add_ad(connection, draft)
            row = _shown(queries.ad_row(connection, number))
    tell(f"已新建广告 {number}", row, as_json=as_json)


@app.command("edit")
def edit_ad(
    number: Number,
    slot: Slot = None,
    title: Title = None,
    url: Url = None,
    image: PicturePath = None,
    text: Text = None,
    tag: Tag = None,
    position: Position = None,
    weight: Weight = None,
    starts: From = None,
    ends: To = None,
    as_json: AsJson = False,
) -> None:
    """修改广告；没有写的保持不变。

    例：liuying ad edit 5 --title 夏天 --to 2027-01-31
    """
    with existing_installation() as services:
        draft = _draft(services, slot, title, url, image, text, tag, position, weight, starts, ends)
        if draft == writing.AdDraft():
            refuse_usage("没有要修改的内容")
        with services.database.write() as connection:
            writing.edit_ad(connection, number, draft)
            row = _shown(queries.ad_row(connection, number))
    tell(f"已修改广告 {number}", row, as_json=as_json)


@app.command("remove")
def remove_ad(number: Number, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除广告。

    例：liuying ad remove 5 --yes
    """
    confirm(f"将删除广告 {number}。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        writing.remove_ad(connection, number)
    tell(f"已删除广告 {number}", {"id": number, "removed": True}, as_json=as_json)


def _shown(row: sa.RowMapping) -> dict[str, Any]:
    same = ("id", "slot", "title", "url", "tag", "position", "weight", "views", "clicks")
    window = {"from": shown_moment(row["starts_at"]), "to": shown_moment(row["ends_at"])}
    return {name: row[name] for name in same} | window


def _draft(
    services: Services,
    slot: str | None,
    title: str | None,
    url: str | None,
    image: Path | None,
    text: str | None,
    tag: str | None,
    position: int | None,
    weight: int | None,
    starts: str | None,
    ends: str | None,
) -> writing.AdDraft:
    return writing.AdDraft(
        slot=slot,
        title=title,
        text=text,
        url=url,
        image=encrypted_picture(services, image, AD_WIDTH),
        banner_tag=tag,
        position=position,
        weight=weight,
        starts_at=msgspec.UNSET if starts is None else read_moment("--from", starts or None),
        ends_at=msgspec.UNSET if ends is None else read_moment("--to", ends or None, is_end=True),
    )
