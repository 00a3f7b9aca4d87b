"""`liuying bench`: an installation to measure with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Annotated

import typer

from liuying.cli.output import AsJson, tell

MAX_VIDEOS = 10_000_000

app = typer.Typer(no_args_is_help=True, help="测量用的数据；不要在正式的网站上执行。")


@app.callback()
def bench() -> None:
    """A group, though it has one command yet."""


@app.command("seed")
def seed_command(
    videos: Annotated[
        int, typer.Option("--videos", min=1, max=MAX_VIDEOS, help="视频的数量。")
    ] = 100_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="同一个数字生成同样的内容。")] = 1,
    as_json: AsJson = False,
) -> None:
    """在空的数据文件夹里填充编造的视频：40 个分类、20,000 位艺人、5,000 个标签，可以搜索，
    没有视频文件。

    填充过的安装不能再导入真实视频，有数据的安装不能填充。中断后请删除数据文件夹重来。

    例：LIUYING_DATA_DIR=/tmp/bench liuying bench seed --videos 1000000
    """
    # Loaded where it is asked for: the page of help names every command.
    from liuying.cli.opening import installation
    from liuying_seeding import fill
    from liuying_seeding.videos import Plan

    began = monotonic()
    with installation() as services, _bar(videos) as report:
        fill.seed(services.database, Plan(videos, seed, services.clock()), report)
    seconds = monotonic() - began
    record = {"videos": videos, "seconds": round(seconds, 3)}
    tell(f"已填充 {videos:,} 个视频，用时 {seconds:.0f} 秒", record, as_json=as_json)


@contextmanager
def _bar(videos: int) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("填充", total=videos)
        yield lambda written: bars.update(task, completed=written)
