"""`liuying jobs`: the import queue."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Annotated

import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import (
    EXIT_REFUSED,
    AsJson,
    Yes,
    confirm,
    local_time,
    refuse_usage,
    show,
    tell,
)
from liuying.core.jobs import service
from liuying.core.jobs.queries import queue
from liuying.core.jobs.rules import OPEN_STATES, UNDECIDED, Fault, Kind, State
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import LiuyingError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.terminal_text import json_text, printable
from liuying.workflows.job_causes import with_option

app = typer.Typer(help="导入队列：查看、重试、取消、清理。", rich_markup_mode=None)

JobIds = Annotated[
    list[int] | None,
    typer.Argument(metavar="编号", min=1, max=MAX_ID, help="任务的编号；可以写多个。"),
]
HEADINGS = {
    "id": "编号",
    "name": "状态",
    "share": "进度",
    "stage": "阶段",
    "attempt": "次数",
    "file": "文件",
    "cause": "原因",
}
# So many running jobs are named above the list.
MOST_RUNNING = 20
Change = Callable[[sa.Connection, int, Milliseconds], None]


# No group of its own without a name: what is asked of a queue is how it stands.
@app.callback(invoke_without_command=True)
def _jobs(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_command()


@app.command("list")
def list_command(
    state: Annotated[State | None, typer.Option(help="只列出这个状态的任务。")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="每页几个。")] = 50,
    page: Annotated[int, typer.Option(min=1, max=MAX_ID, help="第几页，最新的在第一页。")] = 1,
    as_json: AsJson = False,
) -> None:
    """列出任务，最新的在前；上面是各状态的总数，和正在处理的还要多久。

    状态：waiting 等待，running 进行中，done 完成，failed 失败，cancelled 已取消。

    例：liuying jobs list --state failed

    例：liuying jobs list --page 2
    """
    with existing_installation() as services, services.database.read() as connection:
        now = services.clock()
        found, total = service.list_jobs(connection, now, state, limit, page)
        running, _ = service.list_jobs(connection, now, State.RUNNING, MOST_RUNNING)
        counts = queue.count_by_state(connection)
    if as_json:
        typer.echo(json_text(found))
        return
    typer.echo(
        "，".join(f"{name} {counts.get(one.value, 0)}" for one, name in service.NAMES.items())
    )
    for one in running:
        typer.echo(f"正在处理 {one.id} {printable(_name_of(one))}：{_progress_of(one)}")
    shown = [
        {
            "id": one.id,
            "name": service.NAMES[one.state],
            "share": f"{one.progress:.0%}",
            "stage": one.stage or "—",
            "attempt": one.attempt,
            "file": _name_of(one),
            "cause": one.cause or "—",
        }
        for one in found
    ]
    show(shown, HEADINGS, as_json=False)
    pages = max(1, -(-total // limit))
    if pages > 1:
        typer.echo(f"共 {total} 个，第 {page} 页，共 {pages} 页")


def _progress_of(one: service.JobView) -> str:
    """`43% 其余清晰度，约剩 2 分钟`."""
    if one.seconds_left is None:
        left = ""
    elif one.seconds_left < 60:
        left = f"，约剩 {one.seconds_left} 秒"
    else:
        left = f"，约剩 {round(one.seconds_left / 60)} 分钟"
    return f"{one.progress:.0%} {one.stage}".strip() + left


@app.command("show")
def show_command(
    job_id: Annotated[int, typer.Argument(metavar="编号", min=1, max=MAX_ID, help="任务的编号。")],
    as_json: AsJson = False,
) -> None:
    """显示一个任务的全部内容。

    例：liuying jobs show 12
    """
    with existing_installation() as services, services.database.read() as connection:
        found = service.get_job(connection, job_id, services.clock())
    if as_json:
        typer.echo(json_text(found))
        return
    wanted = {
        name: value for name, value in found.wanted.items() if value
    }  # no given values are none
    lines = {
        "编号": found.id,
        "状态": service.NAMES[found.state],
        "文件": _name_of(found) if found.kind == Kind.MEND.value else found.source,
        "进度": _progress_of(found),
        "次数": f"{found.attempt}（失败 {found.failures}）",
        "原因": f"{with_option(found.cause, found.fault)} / {found.cause_en}"
        if found.cause
        else "—",
        "视频": found.video_id if found.video_id is not None else "—",
        "处理者": found.worker or "—",
        "放入": local_time(found.created_at),
        "开始": local_time(found.started_at),
        "结束": local_time(found.ended_at),
        "下次": local_time(found.next_at),
        "说明": json_text(wanted, indent=None) if wanted else "—",
    }
    for name, value in lines.items():
        typer.echo(f"{name}：{printable(str(value))}")


@app.command("retry")
def retry_command(
    job_ids: JobIds = None,
    failed: Annotated[bool, typer.Option("--failed", help="所有失败的任务。")] = False,
    accept_match: Annotated[
        bool, typer.Option("--accept-match", help="画面与已下架的内容相同也导入。")
    ] = False,
    accept_damaged: Annotated[
        bool, typer.Option("--accept-damaged", help="损坏的帧再多也导入。")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """现在就重试：失败的、已取消的，或在等下次重试的任务。

    --failed 不含等您决定的（画面与已下架的内容相同，或损坏太多）：
    写上 --accept-match 或 --accept-damaged，才连同它们重试。

    退出码：0 全部完成；1 有任务不能重试；2 用法有误。

    例：liuying jobs retry 12 13

    例：liuying jobs retry --failed

    例：liuying jobs retry 12 --accept-match
    """
    decided = {Fault.HELD: accept_match, Fault.DAMAGED: accept_damaged}
    _change_each(
        job_ids,
        State.FAILED if failed else None,
        partial(service.retry_job, accepts_match=accept_match, accepts_damage=accept_damaged),
        "已放回队列",
        without=[fault for fault in UNDECIDED if not decided[fault]],
        as_json=as_json,
    )


@app.command("cancel")
def cancel_command(
    job_ids: JobIds = None,
    waiting: Annotated[bool, typer.Option("--waiting", help="所有等待的任务。")] = False,
    as_json: AsJson = False,
) -> None:
    """取消任务。进行中的在几秒内停止，做了一半的文件会删除；已经能看的首个清晰度保留。

    退出码：0 全部完成；1 有任务不能取消；2 用法有误。

    例：liuying jobs cancel 12
    """
    _change_each(
        job_ids, State.WAITING if waiting else None, service.cancel_job, "已取消", as_json=as_json
    )


@app.command("clear")
def clear_command(
    state: Annotated[
        list[State] | None,
        typer.Option(help="清理哪些状态；可以多次使用。默认 done 和 cancelled。"),
    ] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """清理已经结束的任务的记录；视频不受影响。完成和取消的记录 30 天后也会自动清理。

    例：liuying jobs clear --state failed --yes
    """
    states = set(state or (State.DONE, State.CANCELLED))
    if OPEN_STATES & states:
        refuse_usage("等待和进行中的任务要先取消")
    with existing_installation() as services:
        with services.database.read() as connection:
            count = queue.count_states(connection, states)
        if count:
            confirm(f"将清理 {count} 条记录。", is_agreed=yes)
            with services.database.write() as connection:
                count = service.clear_jobs(connection, states)
    tell(f"已清理 {count} 条记录", {"cleared": count}, as_json=as_json)


def _name_of(one: service.JobView) -> str:
    """What a job is about."""
    name = Path(one.source).name
    return f"视频 {name}（补齐画面和声音）" if one.kind == Kind.MEND.value else name


def _change_each(
    job_ids: list[int] | None,
    every: State | None,
    change: Change,
    done: str,
    *,
    without: Collection[Fault] = (),
    as_json: bool,
) -> None:
    """Change jobs one by one: one that refuses does not stop the others.

    Args:
        every: All jobs in this state instead of numbers, but for those that failed for one of
            `without`.
    """
    if bool(job_ids) == (every is not None):
        refuse_usage("请写任务的编号，或用选项选择全部，不能同时用")
    is_any = is_refused = False
    with existing_installation() as services:
        if every is not None:
            with services.database.read() as connection:
                job_ids = queue.jobs_of_state(connection, every, without)
        for job_id in dict.fromkeys(job_ids or ()):
            cause = ""
            try:
                with services.database.write() as connection:
                    change(connection, job_id, services.clock())
            except LiuyingError as error:
                cause = error.message
            is_any, is_refused = True, is_refused or bool(cause)
            if as_json or not cause:
                tell(f"{done} {job_id}", {"id": job_id, "cause": cause or None}, as_json=as_json)
            else:
                typer.echo(cause, err=True)
    if not is_any and not as_json:
        typer.echo("（没有）")
    if is_refused:
        raise typer.Exit(EXIT_REFUSED)
