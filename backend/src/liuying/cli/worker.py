"""`liuying worker`, and the process in which it imports."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.opening import installation, store_or_exit


def worker_command(
    until_empty: Annotated[
        bool, typer.Option("--until-empty", help="没有可做的、也没有长片可帮就结束。")
    ] = False,
) -> None:
    """处理导入队列；可以同时运行任意多个，也可以在别的机器上。

    别的机器要用同一个数据库和密钥，并且数据文件夹相同或用同一个对象存储（LIUYING_STORE）。

    空闲时帮别的进程处理正在导入的长片。

    Ctrl-C 或 SIGTERM：停下手里的文件并放回队列，别的进程立即接着做。

    例：liuying worker

    例：liuying worker --until-empty
    """
    from liuying.cli.stopping import StopRequest, told_by_signals
    from liuying.installation.json_logs import write_json_logs
    from liuying.worker.claiming import Worker

    stop = StopRequest()
    with installation(is_noted=False) as services, told_by_signals(stop):
        store_or_exit(services)
        write_json_logs()
        Worker(services, lambda: stop.is_made).run(is_until_empty=until_empty)


def run_imports_command() -> None:
    """按工作进程的指示导入；由它启动。"""
    from liuying.installation.json_logs import write_json_logs
    from liuying.worker.job_runner import run_imports

    with installation(is_noted=False) as services:
        write_json_logs()
        run_imports(services)
