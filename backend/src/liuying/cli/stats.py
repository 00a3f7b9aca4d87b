"""`liuying stats`: what visitors did, in the terminal, as JSON, or as a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import AsJson, Yes, confirm, refuse, refuse_usage, show
from liuying.kit.system_errors import reason_of
from liuying.kit.terminal_text import json_text, printable

if TYPE_CHECKING:
    from rich.console import Console

    from liuying.pages.statistics import Count, Statistics
    from liuying.workflows.storage import Stored

BAR_WIDTH = 40
MAX_TITLE_LENGTH = 40


def stats_command(
    days: Annotated[int, typer.Option(min=1, max=30, help="最近几天，最多 30。")] = 30,
    html: Annotated[Path | None, typer.Option(help="写成一个网页文件，不含外部资源。")] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """播放、收藏、分享、失败、占用空间。日期按 UTC。

    退出码：0 完成；1 文件写不进去；2 用法有误或未确认。

    例：liuying stats --days 7

    例：liuying stats --html report.html
    """
    from liuying.cli.statistics_page import statistics_page
    from liuying.pages.statistics import read_statistics
    from liuying.workflows.storage import measure_storage

    if html is not None and not html.absolute().parent.is_dir():
        refuse_usage(f"文件夹 {html.absolute().parent} 不存在")
    if html is not None and html.exists():
        confirm(f"{html} 已存在，将被替换。", is_agreed=yes)
    with existing_installation() as services, services.database.read() as connection:
        statistics = read_statistics(connection, services.clock(), days)
        storage = measure_storage(connection, services.layout, services.objects)
    if html is not None:
        try:
            html.write_text(statistics_page(statistics, storage), encoding="utf-8")
        except OSError as error:
            refuse(f"无法写入 {html}：{reason_of(error)}")
    if as_json:
        typer.echo(
            json_text(msgspec.to_builtins(statistics) | {"storage": msgspec.to_builtins(storage)})
        )
    elif html is not None:
        typer.echo(f"已写入 {html}")
    else:
        _print(statistics, storage)


def _print(statistics: Statistics, storage: Sequence[Stored]) -> None:
    from rich.console import Console

    from liuying.cli.statistics_page import size

    console = Console(highlight=False, markup=False)
    totals = statistics.totals
    console.print(
        f"视频 {totals.videos:,}（隐藏 {totals.hidden:,}），累计播放 {totals.views:,}，"
        f"最近 {statistics.days} 天播放 {totals.views_in_period:,}"
    )
    console.print(
        f"访客 {totals.visitors:,}，收藏 {totals.favourites:,}，分享 {totals.shares:,}，"
        f"分享带来的访问 {totals.share_visits:,}，未读反馈 {totals.unread_feedback:,}"
    )
    queue = statistics.queue
    console.print(
        f"导入队列：等待 {queue.waiting:,}，进行中 {queue.running:,}，失败 {queue.failed:,}"
    )
    _bars(console, "每天的播放", statistics.views_by_day)
    _bars(
        console,
        "每小时的播放（最近 24 小时）",
        [one for one in statistics.views_by_hour if one.count],
    )
    for title, counts in (
        ("播放最多", statistics.top_videos),
        ("收藏最多", statistics.top_favourites),
    ):
        console.print(f"\n{title}", style="bold")
        show(
            [msgspec.structs.asdict(one) for one in counts],
            {"id": "编号", "title": "标题", "count": "次数"},
            as_json=False,
        )
    _bars(console, "每天的收藏", [one for one in statistics.favourites_by_day if one.count])
    _bars(console, "每天的分享", [one for one in statistics.shares_by_day if one.count])
    console.print("\n占用空间", style="bold")
    show(
        [{"kind": one.kind, "size": size(one.bytes)} for one in storage],
        {"kind": "", "size": ""},
        as_json=False,
    )
    console.print("\n播放失败与卡顿", style="bold")
    rows = [
        msgspec.structs.asdict(one) | {"title": printable(one.title)[:MAX_TITLE_LENGTH]}
        for one in statistics.health
    ]
    headings = {
        "id": "编号",
        "title": "标题",
        "starts": "开始",
        "stalls": "卡顿",
        "failures": "失败",
    }
    show(
        rows,
        headings | {"failed_networks": "失败的网络", "fails_for_many": "许多访客失败"},
        as_json=False,
    )


def _bars(console: Console, title: str, counts: Sequence[Count]) -> None:
    from rich.text import Text

    console.print(f"\n{title}", style="bold")
    highest = max((one.count for one in counts), default=0)
    if not highest:
        console.print("（没有）")
    for one in counts if highest else ():
        # At least a sign for what happened at all.
        length = max(1, round(BAR_WIDTH * one.count / highest)) if one.count else 0
        console.print(
            Text(f"{one.moment[-5:]} ").append("█" * length, style="red").append(f" {one.count:,}")
        )
