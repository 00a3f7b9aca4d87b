"""What the operator's commands say, and how they end.

Exit codes: 0 done, 1 refused or not found, 2 wrong usage or not confirmed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from liuying.kit.clock import Milliseconds
from liuying.kit.errors import InvalidInputError
from liuying.kit.moments import EXAMPLE, parse_moment
from liuying.kit.system_errors import reason_of
from liuying.kit.terminal_text import json_text, printable
from liuying.kit.text_files import text_of

EXIT_REFUSED, EXIT_USAGE = 1, 2
AGREEMENT = frozenset({"y", "yes", "是"})
MAX_FILE_BYTES = 40 * 1024 * 1024

AsJson = Annotated[bool, typer.Option("--json", help="以 JSON 输出，供脚本使用。")]
Yes = Annotated[bool, typer.Option("--yes", help="不询问，直接执行。")]


def show(
    rows: Sequence[Mapping[str, object]], headings: Mapping[str, str], *, as_json: bool
) -> None:
    """Print rows as a table, or as a JSON array with every value.

    Args:
        rows: Values by name.
        headings: Which names are columns, and what stands above them.
    """
    if as_json:
        typer.echo(json_text(rows))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", show_header=any(headings.values()))
    for heading in headings.values():
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[name]) for name in headings))
    # Piped into another program, a line is as long as it is.
    width = None if sys.stdout.isatty() else 400
    Console(markup=False, highlight=False, width=width).print(table)
    if not rows:
        typer.echo("（没有）")


def tell(sentence: str, record: object, *, as_json: bool) -> None:
    """Say what a command did: a sentence, or one JSON object on a line of its own for a script to
    read.

    Args:
        sentence: For the operator.
        record: What was made or changed as it is now, named as the listing command's `--json` names
            it; of what was removed, the number or name and `removed`.
    """
    typer.echo(json_text(record, indent=None) if as_json else sentence)


def tell_all(sentence: str, records: Sequence[object], *, as_json: bool) -> None:
    """Say what a command did to several: one sentence, or each of them as `tell` does."""
    for record in records if as_json else [None]:
        tell(sentence, record, as_json=as_json)


def _cell(value: object) -> str:
    match value:
        case None:
            return "—"
        case bool():
            return "是" if value else "否"
        case datetime():
            return value.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        case list() | tuple():
            return "、".join(printable(str(one)) for one in value) or "—"
        case _:
            return printable(str(value))


def confirm(question: str, *, is_agreed: bool) -> None:
    """Ask before something that cannot be undone; ends the program with code 2 where the answer is
    no.
    """
    if is_agreed:
        return
    if not sys.stdin.isatty():
        refuse_usage(f"{question}请加 --yes 确认")
    # Asked on standard error: standard output is a script's.
    answer = typer.prompt(
        f"{question}确定吗？输入 y 继续",
        default="n",
        show_default=False,
        prompt_suffix="：",
        err=True,
    )
    if answer.strip().lower() not in AGREEMENT:
        refuse_usage("已取消")


def refuse(message: str, code: int = EXIT_REFUSED) -> NoReturn:
    """End with one line, and code 1 where nothing else is said."""
    typer.echo(printable(message), err=True)
    raise typer.Exit(code)


def refuse_usage(message: str) -> NoReturn:
    """End with one line and code 2."""
    refuse(message, EXIT_USAGE)


def read_file(path: Path) -> bytes:
    """The bytes of a file that an option names; ends with code 2 where it cannot be read or is too
    large.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            refuse_usage(
                f"文件 {path} 有 {path.stat().st_size / 2**20:.1f} MiB，"
                f"最多 {MAX_FILE_BYTES // 2**20} MiB"
            )
        return path.read_bytes()
    except OSError as error:
        refuse_usage(f"文件 {path} 无法读取：{reason_of(error)}")


def read_text(path: Path) -> str:
    """The text of a file that an option names; ends with code 2 where `kit.text_files` knows no
    encoding of it.
    """
    try:
        return text_of(read_file(path), f"文件 {path}")
    except InvalidInputError as error:
        refuse_usage(error.message)


def read_moment(name: str, text: str | None, *, is_end: bool = False) -> Milliseconds | None:
    """A time as `kit.moments` reads it, without a zone in this machine's; ends with code 2 where it
    is none.

    Args:
        name: The option.
        text: Its value.
        is_end: Whether a date alone means its end: that day belongs to what ends.
    """
    if text is None:
        return None
    try:
        moment, is_date = parse_moment(text)
        if is_end and is_date:
            moment += timedelta(days=1)
        return int(moment.astimezone(UTC).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        refuse_usage(f"{name} 的写法不对：{text}。例如 {EXAMPLE}")


def shown_moment(moment: Milliseconds | None) -> datetime | None:
    """A row's time: JSON has it as the wire does, a table in this machine's zone, as `read_moment`
    takes it.
    """
    return None if moment is None else datetime.fromtimestamp(moment // 1000, UTC)


def local_time(text: str | None) -> str:
    """A time of the wire in this machine's zone, for whoever reads it in the terminal."""
    return _cell(text and datetime.fromisoformat(text))
