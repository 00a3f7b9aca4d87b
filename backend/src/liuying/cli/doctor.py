"""`liuying doctor`: what is wrong with an installation, and what to do about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import AsJson, Yes, confirm, local_time
from liuying.kit.clock import system_clock
from liuying.kit.terminal_text import json_text, printable

if TYPE_CHECKING:
    from liuying.workflows.doctor.findings import Finding

EXIT_WARNINGS, EXIT_ERRORS = 1, 2
SIGNS = {"info": ("○", "dim"), "warning": ("△", "yellow"), "error": ("✕", "red")}


def doctor_command(
    quick: Annotated[
        bool, typer.Option("--quick", help="视频文件只查是否存在，不查是否完整。")
    ] = False,
    remove_orphans: Annotated[
        bool, typer.Option("--remove-orphans", help="先删除没有记录指向、超过一天的文件，再检查。")
    ] = False,
    recount_names: Annotated[
        bool, typer.Option("--recount-names", help="先重新数艺人和标签的视频数，再检查。")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """检查整个安装：版本、转码程序、磁盘、设置、密钥、数据库、文件、导入、播放、广告。

    只读，不迁移数据库，网站可以照常运行。

    退出码：0 没有问题；1 有需要处理的；2 有错误，访客或数据受影响（或用法有误）。

    例：liuying doctor

    例：liuying doctor --json --quick
    """
    if remove_orphans:
        _remove_orphans(is_agreed=yes)
    if recount_names:
        _recount_names()
    findings = _findings(is_quick=quick)
    if as_json:
        typer.echo(json_text(findings))
    else:
        _print(findings)
    worst = {str(finding.severity) for finding in findings}
    raise typer.Exit(
        EXIT_ERRORS if "error" in worst else EXIT_WARNINGS if "warning" in worst else 0
    )


def _findings(*, is_quick: bool) -> list[Finding]:
    from liuying.installation.doctor import examine
    from liuying.installation.environment import SettingsError, read_settings
    from liuying.workflows.doctor.findings import Remedy, error

    try:
        settings = read_settings(os.environ)
    except SettingsError as fault:
        return [error("settings", str(fault), Remedy("改正这个环境变量；网站会拒绝启动"))]
    return list(examine(settings, system_clock, is_quick=is_quick))


def _remove_orphans(*, is_agreed: bool) -> None:
    from liuying.workflows.doctor.files import find_orphans

    with existing_installation() as services:
        with services.database.read() as connection:
            orphans = find_orphans(connection, services.layout, services.objects)
        count = len(orphans.folders) + len(orphans.pictures)
        if not count:
            return
        confirm(
            f"将删除 {count} 项无用的文件，共 {orphans.bytes / 1e6:.1f} MB。", is_agreed=is_agreed
        )
        orphans.remove(services.objects)
    typer.echo(f"已删除 {count} 项无用的文件", err=True)


def _recount_names() -> None:
    from liuying.workflows.indexing import recount_names

    with existing_installation() as services:
        recount_names(services.database)
    typer.echo("已重新数过", err=True)


def _print(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, soft_wrap=True)
    for finding in findings:
        sign, style = SIGNS[finding.severity]
        when = "" if finding.at is None else f"（{local_time(finding.at)}）"
        console.print(Text(f"{sign} {printable(finding.sentence)}{when}", style=style))
        if finding.remedy is not None:
            console.print(f"  → {printable(finding.remedy.text)}")
            for command in finding.remedy.commands:
                console.print(f"    {printable(command)}")
    errors, warnings = (
        sum(1 for one in findings if one.severity == kind) for kind in ("error", "warning")
    )
    console.print(
        f"共 {errors} 个错误，{warnings} 个需要处理" if errors or warnings else "一切正常"
    )
