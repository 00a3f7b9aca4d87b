"""`liuying maintenance`: what is due by the schedule that the console shows, for a timer; and the
schedule of backups.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Annotated

import typer

from liuying.cli.opening import installation, opened_services, store_or_exit
from liuying.cli.output import EXIT_REFUSED, AsJson, refuse, refuse_usage, tell
from liuying.features.maintenance.rules import KIND_NAMES, MINUTES_A_DAY, MOST_KEPT, Kind, RunState

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="到期的维护：定时备份和每天的体检；定时备份的时刻。",
)
TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


@app.command("run")
def run_command(as_json: AsJson = False) -> None:
    """做到期的定时备份和体检，也做控制台里要求了、还没有人做的；没有就马上结束。

    给定时器用，例如每 15 分钟一次。时刻是控制台里（或用 maintenance schedule）定的；控制台也在
    运行时，谁先到谁做，每个时刻只做一次。

    退出码：0 没有要做的，或做完了；1 有一项没有做成。

    例：liuying maintenance run
    """
    from liuying.console.maintenance.attendant import Attendant
    from liuying.features.maintenance.service import get_run, run_view

    with opened_services(may_begin=False, is_noted=False) as services:
        store_or_exit(services)
        numbers = Attendant(services).finish()
        with services.database.read() as connection:
            rows = [get_run(connection, number) for number in numbers]
    runs = [run_view(row) for row in rows if row is not None]
    for run in runs:
        is_done = run.state is RunState.DONE
        told = run.summary if is_done else run.fault or "已停止"
        record = {"kind": run.kind.value, "state": run.state.value, "told": told}
        tell(
            f"{KIND_NAMES[run.kind]}{'' if is_done else '没有做成'}：{told}",
            record,
            as_json=as_json,
        )
    if any(run.state is RunState.FAILED for run in runs):
        raise typer.Exit(EXIT_REFUSED)


@app.command("schedule")
def schedule_command(
    at: Annotated[
        str, typer.Option(metavar="时:分", help="每天的时刻，这台机器的时区，例如 04:00。")
    ] = "",
    off: Annotated[bool, typer.Option("--off", help="不定时备份。")] = False,
    keep: Annotated[
        int | None, typer.Option(min=1, max=MOST_KEPT, help="保留最近几个定时备份。")
    ] = None,
    with_media: Annotated[
        bool | None, typer.Option("--with-media/--without-media", help="含不含视频文件。")
    ] = None,
    with_originals: Annotated[
        bool | None,
        typer.Option("--with-originals/--without-originals", help="含不含保留的原文件。"),
    ] = None,
    if_unset: Annotated[
        bool, typer.Option("--if-unset", help="从来没有定过才定；安装包用它。")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """查看定时备份，或改它；与控制台“备份”页上的是同一个。

    没有写的保持不变。由控制台的进程或 maintenance run 来做，要有其中一个在运行。

    例：liuying maintenance schedule

    例：liuying maintenance schedule --at 04:00 --keep 7 --without-media
    """
    from liuying.console.maintenance.reading import obstacle_of
    from liuying.features.maintenance import service

    given = {"with_media": with_media, "with_originals": with_originals}
    changed = {name: value for name, value in given.items() if value is not None}
    if off and at:
        refuse_usage("--at 和 --off 不能同时用")
    minute = utc_minute(at) if at else None
    is_change = bool(at or off or keep is not None or changed)
    with installation(may_begin=is_change) as services:
        if at and (obstacle := obstacle_of(services)[0]):
            refuse(obstacle)
        with services.database.write() as connection:
            before = service.schedule_of(connection, Kind.BACKUP)
            schedule = service.Schedule(
                is_on=False if off else before.is_on or minute is not None,
                minute=before.minute if minute is None else minute,
                kept=keep or before.kept,
                options={**before.options, **changed},
                changed_at=services.clock(),
            )
            is_kept = if_unset and service.has_schedule(connection, Kind.BACKUP)
            if is_change and not is_kept:
                service.set_schedule(connection, Kind.BACKUP, schedule)
            found = service.schedule_of(connection, Kind.BACKUP)
    contents = "不带视频" if not found.options.get("with_media", True) else "带视频"
    sentence = f"每天 {local_time_of(found.minute)} 备份，{contents}，保留最近 {found.kept} 个"
    record = {
        "is_on": found.is_on,
        "minute": found.minute,
        "kept": found.kept,
        **found.options,
    }
    tell(sentence if found.is_on else "没有定时备份", record, as_json=as_json)


def _ahead() -> int:
    """Minutes by which this machine's time is ahead of UTC."""
    return int((datetime.now().astimezone().utcoffset() or timedelta()).total_seconds() // 60)


def utc_minute(text: str) -> int:
    """The minute of the UTC day of a time of this machine; another text ends the program."""
    found = TIME.fullmatch(text)
    if found is None:
        refuse_usage(f"时刻的写法不对：{text}，例如 04:00")
    return (int(found[1]) * 60 + int(found[2]) - _ahead()) % MINUTES_A_DAY


def local_time_of(minute: int) -> str:
    """A minute of the UTC day as this machine's time."""
    hours, minutes = divmod((minute + _ahead()) % MINUTES_A_DAY, 60)
    return f"{hours:02}:{minutes:02}"
