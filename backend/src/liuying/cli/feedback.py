"""`liuying feedback`: what visitors reported, for the operator to read, export and tick off."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import AsJson, local_time, refuse, refuse_usage, tell
from liuying.features.feedback import service
from liuying.features.feedback.rules import defused
from liuying.features.feedback.schemas import FeedbackView, State
from liuying.kit.files import OWNER_ONLY, atomic_write
from liuying.kit.identifiers import MAX_ID
from liuying.kit.system_errors import reason_of
from liuying.kit.terminal_text import json_text, printable

app = typer.Typer(no_args_is_help=True, help="查看、导出访客的反馈。", rich_markup_mode=None)

FORMATS = (".csv", ".jsonl")
COLUMNS = ("id", "created_at", "title", "content", "video_id", "visitor", "is_read", "diagnostics")

FeedbackId = Annotated[int, typer.Argument(metavar="编号", min=1, max=MAX_ID, help="反馈的编号。")]


@app.command("list")
def list_command(
    unread: Annotated[bool, typer.Option("--unread", help="只列出未处理的反馈。")] = False,
    as_json: AsJson = False,
    limit: Annotated[
        int, typer.Option(min=1, max=10_000, help="最多列出的条数，从最新的开始。")
    ] = 50,
) -> None:
    """列出反馈，最新的在前；* 表示未处理。

    例：liuying feedback list --unread
    """
    with existing_installation() as services, services.database.read() as connection:
        found, total = service.list_feedback(connection, unread, limit)
    if as_json:
        typer.echo(json_text(found))
        return
    for one in found:
        mark = " " if one.is_read else "*"
        about = f"视频 {one.video_id}" if one.video_id is not None else "-"
        typer.echo(
            f"{mark} {one.id}  {local_time(one.created_at)}  {printable(one.title)}  {about}  "
            f"{printable(one.content)}"
        )
    typer.echo(f"共 {total} 条" + (f"，列出最新的 {len(found)} 条" if len(found) < total else ""))


@app.command("show")
def show_command(
    feedback_id: FeedbackId,
    as_json: AsJson = False,
) -> None:
    """显示一条反馈的全部内容。

    例：liuying feedback show 12
    """
    with existing_installation() as services, services.database.read() as connection:
        found = service.get_feedback(connection, feedback_id)
    if as_json:
        typer.echo(json_text(found))
        return
    typer.echo(f"编号：{found.id}（{'已处理' if found.is_read else '未处理'}）")
    typer.echo(f"时间：{local_time(found.created_at)}")
    typer.echo(f"类型：{printable(found.title)}")
    typer.echo(f"视频：{found.video_id if found.video_id is not None else '-'}")
    typer.echo(f"访客：{found.visitor or '-'}")
    typer.echo("内容：")
    for line in found.content.splitlines():
        typer.echo(f"  {printable(line)}")
    if found.diagnostics is not None:
        typer.echo(f"诊断：{json_text(found.diagnostics)}")


@app.command("export")
def export_command(
    target: Annotated[
        Path, typer.Argument(metavar="文件", help="写入的文件，以 .csv 或 .jsonl 结尾；不会覆盖。")
    ],
    as_json: AsJson = False,
) -> None:
    """把全部反馈导出为表格（.csv）或逐行 JSON（.jsonl）。

    例：liuying feedback export 反馈.csv
    """
    if target.suffix.lower() not in FORMATS:
        refuse_usage("文件名应以 .csv 或 .jsonl 结尾")
    if target.exists():
        refuse_usage(f"文件已存在：{target}")
    with existing_installation() as services, services.database.read() as connection:
        try:
            count = export(target, service.every_feedback(connection))
        except OSError as error:
            refuse(f"无法写入 {target}：{reason_of(error)}")
    tell(f"已导出 {count} 条", {"file": str(target), "count": count}, as_json=as_json)


@app.command("done")
def done_command(feedback_id: FeedbackId, as_json: AsJson = False) -> None:
    """把一条反馈标为已处理。

    例：liuying feedback done 12
    """
    with existing_installation() as services, services.database.write() as connection:
        service.set_state(connection, feedback_id, State.DONE)
        found = service.get_feedback(connection, feedback_id)
    tell(f"已处理 {feedback_id}", found, as_json=as_json)


def export(target: Path, reports: Iterable[FeedbackView]) -> int:
    """Write reports to a file that appears only when it is whole.

    Returns:
        How many there were.

    Raises:
        OSError: The file cannot be written.
    """
    # A table program knows UTF-8 by the mark at its beginning. Reports are for the operator's eyes
    # only.
    is_table = target.suffix.lower() == ".csv"
    with atomic_write(target, mode=OWNER_ONLY, is_durable=False) as file:
        lines = codecs.getwriter("utf-8-sig" if is_table else "utf-8")(file)
        count = 0
        table = csv.writer(lines)
        if is_table:
            table.writerow(COLUMNS)
        for report in reports:
            count += 1
            if is_table:
                table.writerow(_cells(report))
            else:
                lines.write(json.dumps(msgspec.to_builtins(report), ensure_ascii=False) + "\n")
    return count


def _cells(report: FeedbackView) -> list[str]:
    values = msgspec.to_builtins(report)
    if report.diagnostics is not None:
        values["diagnostics"] = json.dumps(report.diagnostics, ensure_ascii=False)
    texts = ("" if values[name] is None else str(values[name]) for name in COLUMNS)
    return [defused(text) for text in texts]
