"""`liuying demo`."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from liuying.cli.output import AsJson, Yes, confirm, tell

app = typer.Typer(
    invoke_without_command=True,
    help="导入演示目录；可以随时中断，再次执行时从中断处继续。remove 把它拿走。",
)


@app.callback()
def demo_command(
    ctx: typer.Context,
    parent: Annotated[int | None, typer.Option(hidden=True, help="随此进程一同结束。")] = None,
    as_json: AsJson = False,
) -> None:
    """导入演示目录；可以随时中断，再次执行时从中断处继续。remove 把它拿走。

    例：liuying demo
    """
    if ctx.invoked_subcommand is not None:
        return
    # Loaded where a demo is asked for: the page of help names every command.
    from liuying.cli.opening import opened_services
    from liuying_demo.fill import fill
    from liuying_demo.mark import forget_removal
    from liuying_demo.progress import JsonReport, console_report

    if parent is not None:
        from liuying.kit.parent_process import end_with_parent

        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        end_with_parent(parent)
    # Beside a site that starts, no operator asked for it.
    with opened_services(is_noted=parent is None) as services:
        if parent is None:
            with services.database.write() as connection:
                forget_removal(connection)
        fill(services, report=JsonReport if as_json else console_report)


@app.command("remove")
def remove_command(yes: Yes = False, as_json: AsJson = False) -> None:
    """拿走演示目录：它的视频、广告、公告、专题和词；你自己的、你改过名的都留下。之后不会自己回来。

    例：liuying demo remove --yes
    """
    from liuying.cli.opening import opened_services
    from liuying_demo.removal import remove_demo

    confirm("将删除演示目录的全部内容，你自己的不受影响。", is_agreed=yes)

    def told(number: int, total: int) -> None:
        if not as_json:
            typer.echo(f"[{number}/{total}] 已删除")

    with opened_services(may_begin=False) as services:
        count = remove_demo(services, told)
    tell(f"已拿走演示目录：{count} 个视频", {"removed": count}, as_json=as_json)
