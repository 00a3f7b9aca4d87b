"""Faults of the import queue: failed files, and files that nobody works on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from liuying.core.jobs.queries.queue import count_left
from liuying.core.jobs.service import measure_queue
from liuying.kit.clock import Milliseconds
from liuying.workflows.doctor.findings import Finding, Place, Remedy, some, warning
from liuying.workflows.queries.doctor import failed_jobs

# A worker looks every second, and takes over a dead one's job within 20 s.
STUCK_MS: Milliseconds = 120_000
SHOWN = 5


def examine_jobs(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    """All about the ledger."""
    queue = measure_queue(connection, now)
    failed = queue.failed - queue.undecided
    if failed:
        yield warning(
            "jobs-failed",
            f"{failed} 个任务失败：{some(_named(connection, failed, is_undecided=False))}",
            Remedy(
                "看看原因，处理后重试",
                Place.JOBS,
                (
                    "liuying jobs show 任务",
                    "liuying jobs retry --failed",
                    "liuying jobs clear --state failed",
                ),
            ),
        )
    if queue.undecided:
        names = some(_named(connection, queue.undecided, is_undecided=True))
        yield warning(
            "jobs-undecided",
            f"{queue.undecided} 个导入等你决定：{names}",
            Remedy(
                "看看原因，决定要不要导入",
                Place.JOBS,
                (
                    "liuying jobs show 任务",
                    "liuying jobs retry 任务 --accept-match",
                    "liuying jobs retry 任务 --accept-damaged",
                ),
            ),
        )
    yield from _unattended(connection, queue.running, queue.oldest_wait_ms, now)


def _named(connection: sa.Connection, count: int, *, is_undecided: bool) -> list[str]:
    """The newest ones by name; the others are only counted."""
    found = failed_jobs(connection, SHOWN, is_undecided=is_undecided)
    names = [f"{Path(source).name}（{cause}）" for source, cause in found]
    return names + [""] * (count - len(names))


def _unattended(
    connection: sa.Connection, running: int, oldest_wait: Milliseconds, now: Milliseconds
) -> Iterator[Finding]:
    left = count_left(connection, now - STUCK_MS)
    said = [f"{left} 个任务中断后无人接手"] if left else []
    # A file may wait for hours behind a busy worker; without a worker it should not wait at all.
    if oldest_wait > STUCK_MS and running == left:
        said.append(f"有文件已等了 {oldest_wait // 60_000} 分钟")
    if said:
        yield warning(
            "jobs-unattended",
            f"导入队列没有进程处理：{'，'.join(said)}",
            Remedy(
                "启动网站（LIUYING_WORKERS 不为 0），或另开处理进程", commands=("liuying worker",)
            ),
        )
