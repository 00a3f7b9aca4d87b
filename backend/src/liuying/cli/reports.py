"""`liuying report`: videos that visitors reported, for the operator to look at and decide."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import AsJson, local_time, tell
from liuying.features.reports import service
from liuying.features.reports.rules import NOTE_LENGTH, STATE_TEXTS, State
from liuying.features.reports.schemas import EntryView
from liuying.kit.identifiers import MAX_ID
from liuying.kit.terminal_text import json_text, printable
from liuying.workflows.removal import remove_reported

app = typer.Typer(no_args_is_help=True, help="处理访客对视频的举报。", rich_markup_mode=None)

EntryId = Annotated[int, typer.Argument(metavar="编号", min=1, max=MAX_ID, help="举报的编号。")]
Note = Annotated[str, typer.Option(help=f"备注，只给自己看，最多 {NOTE_LENGTH} 个字符。")]


@app.command("list")
def list_command(
    everything: Annotated[bool, typer.Option("--all", help="也列出已经处理的。")] = False,
    as_json: AsJson = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="最多列出几个视频。")] = 50,
) -> None:
    """被举报的视频，最近被举报的在前；每个视频一条，带次数。

    例：liuying report list
    """
    with existing_installation() as services, services.database.read() as connection:
        found, total = service.list_entries(connection, limit, only_open=not everything)
    if as_json:
        typer.echo(json_text(found))
        return
    for one in found:
        typer.echo(
            f"{one.id}  {local_time(one.last_at)}  {STATE_TEXTS[State(one.state)]}  "
            f"{one.reports} 次  视频 {one.video_id}  {printable(one.title)}"
        )
    typer.echo(f"共 {total} 个视频" + (f"，列出 {len(found)} 个" if len(found) < total else ""))


@app.command("show")
def show_command(entry_id: EntryId, as_json: AsJson = False) -> None:
    """一个视频受到的全部举报：原因、说明、联系方式。

    例：liuying report show 3
    """
    with existing_installation() as services, services.database.read() as connection:
        entry, reports = service.get_entry(connection, entry_id)
    if as_json:
        typer.echo(json_text({"entry": entry, "reports": reports}))
        return
    typer.echo(f"编号：{entry.id}（{STATE_TEXTS[State(entry.state)]}）")
    typer.echo(f"视频：{entry.video_id}  {printable(entry.title)}")
    typer.echo(f"次数：{entry.reports}")
    if entry.note:
        typer.echo(f"备注：{printable(entry.note)}")
    for one in reports:
        contact = f"  联系：{printable(one.contact)}" if one.contact else ""
        typer.echo(f"{local_time(one.created_at)}  {one.reason}{contact}")
        for line in one.content.splitlines():
            typer.echo(f"  {printable(line)}")


@app.command("work")
def work_command(entry_id: EntryId, note: Note = "", as_json: AsJson = False) -> None:
    """标为正在处理；举报人凭回执看到「正在处理」。

    例：liuying report work 3
    """
    _decide(entry_id, State.IN_WORK, note, "正在处理", as_json=as_json)


@app.command("dismiss")
def dismiss_command(entry_id: EntryId, note: Note = "", as_json: AsJson = False) -> None:
    """没有违规：视频不变，举报结束。再有人举报时是新的一条。

    例：liuying report dismiss 3 --note 已核实
    """
    _decide(entry_id, State.DISMISSED, note, "已结束，视频不变", as_json=as_json)


@app.command("remove")
def remove_command(entry_id: EntryId, as_json: AsJson = False) -> None:
    """举报属实：把视频移入回收站，举报结束。
    同一内容也不再接受：liuying video takedown。

    例：liuying report remove 3
    """
    with existing_installation() as services:
        remove_reported(services, entry_id)
        with services.database.read() as connection:
            entry, _ = service.get_entry(connection, entry_id)
    _tell("视频已移入回收站，举报结束", entry, as_json=as_json)


def _decide(entry_id: int, state: State, note: str, sentence: str, *, as_json: bool) -> None:
    with existing_installation() as services, services.database.write() as connection:
        service.set_state(connection, entry_id, state, note, services.clock())
        entry, _ = service.get_entry(connection, entry_id)
    _tell(sentence, entry, as_json=as_json)


def _tell(sentence: str, entry: EntryView, *, as_json: bool) -> None:
    tell(f"举报 {entry.id}：{sentence}", entry, as_json=as_json)
