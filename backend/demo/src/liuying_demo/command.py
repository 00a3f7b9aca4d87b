"""`liuying demo`."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Annotated

import typer

from liuying.cli.output import AsJson

PR_SET_PDEATHSIG = 1


def demo_command(
    parent: Annotated[int | None, typer.Option(hidden=True, help="随此进程一同结束。")] = None,
    as_json: AsJson = False,
) -> None:
    """导入演示目录；可以随时中断，再次执行时从中断处继续。

    例：liuying demo
    """
    # Loaded where a demo is asked for: the page of help names every command.
    from liuying.cli.opening import opened_services
    from liuying_demo.fill import fill
    from liuying_demo.progress import JsonReport, console_report

    if parent is not None:
        _end_with_parent(parent)
    with opened_services() as services:
        fill(services, report=JsonReport if as_json else console_report)


def _end_with_parent(parent: int) -> None:
    """Ask the kernel for SIGTERM when the parent dies, however it dies.

    Only Linux does; elsewhere the parent must do it.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(0)
