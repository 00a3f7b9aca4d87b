"""`liuying import --queue`, `jobs` and `worker`, as the operator types them, on both databases."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from PIL import Image
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.core.jobs import service
from liuying.core.jobs.queries import ledger
from liuying.core.jobs.rules import LEASE_MS, Cause, Fault
from liuying.core.jobs.tables import job
from liuying.installation.doctor import examine
from liuying.installation.services import Services, open_services
from liuying.kit.clock import system_clock
from liuying.worker.claiming import Worker
from liuying.workflows.queued_import import MAX_PATH_BYTES
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.media.conftest import clips, plain_clip
from tests.workflows.published import row_of

__all__ = ["clips", "plain_clip"]
Run = Callable[..., Result]
FULL = Cause(Fault.REFUSED, "文件是空的", "The file has no bytes")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def run(services: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(services.data_dir))
    monkeypatch.setenv("LIUYING_DATABASE_URL", services.settings.database_url)

    def call(*arguments: str | Path) -> Result:
        return CliRunner().invoke(app, [str(one) for one in arguments])

    return call


@pytest.fixture
def folder(tmp_path: Path, plain_clip: Path) -> Path:
    """A video with what lies beside it, and one that is none."""
    folder = tmp_path / "视频"
    folder.mkdir()
    shutil.copy(plain_clip, folder / "海.mp4")
    (folder / "海.json").write_text('{"title": "旁边的标题", "labels": ["海"]}')
    (folder / "空.mp4").touch()
    return folder


def jobs(run: Run, *arguments: str) -> list[dict[str, Any]]:
    result = run("jobs", "list", "--json", *arguments)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = msgspec.json.decode(result.stdout)
    return found


@pytest.mark.data_folder("reads what lies beside a file anew; with a bucket both go to its inbox")
def test_a_folder_is_queued_and_worked_on(run: Run, services: Services, folder: Path) -> None:
    queued = run("import", folder, "--queue", "--category", "旅行")
    assert queued.exit_code == 0, queued.output
    assert queued.stdout.splitlines() == [
        "[1/2] 已排队 海.mp4（任务 1）",
        "[2/2] 已排队 空.mp4（任务 2）",
        "共 2 个文件，拒绝 0 个",
    ]
    again = run("import", folder / "海.mp4", "--queue", "--json")
    said = msgspec.json.decode(again.stdout)
    assert (said["outcome"], said["job_id"]) == ("waiting", 1)
    assert [one["state"] for one in jobs(run)] == ["waiting", "waiting"]
    # What lies beside a file is read when its turn comes.
    (folder / "海.json").write_text('{"title": "后来的标题"}')
    assert run("worker", "--until-empty").exit_code == 0
    empty, clip = jobs(run)
    assert (empty["state"], empty["fault"], empty["cause"]) == ("failed", "refused", "文件是空的")
    assert empty["cause_en"] == "The file has no bytes"
    assert (clip["state"], clip["progress"], clip["worker"], clip["cause"]) == (
        "done",
        1.0,
        None,
        "",
    )
    found = row_of(services, clip["video_id"])
    assert (found.title, found.state) == ("后来的标题", "complete")
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]
    shown = run("jobs", "show", "2")
    assert "原因：文件是空的 / The file has no bytes" in shown.stdout.splitlines()
    assert "海.mp4" in run("jobs", "list").stdout


def test_what_cannot_be_queued(run: Run, tmp_path: Path, folder: Path) -> None:
    (folder / "海.json").write_text('{"titel": "x"}')
    os.mkfifo(tmp_path / "pipe.mp4")
    strange = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.mp4"))
    strange.write_bytes(b"x")
    deep = tmp_path.joinpath(*["d" * 200] * 10)
    deep.mkdir(parents=True)
    (deep / "long.mp4").write_bytes(b"x")
    assert len(str(deep)) > MAX_PATH_BYTES
    refusals = {
        folder / "海.mp4": "说明文件 海.json 有误",
        tmp_path / "pipe.mp4": "不是普通文件",
        strange: "文件名不是 UTF-8",
        deep / "long.mp4": "路径过长",
    }
    for path, refusal in refusals.items():
        result = run("import", path, "--queue")
        assert (result.exit_code, refusal in result.stdout) == (1, True), result.output
    unknown = run("import", folder / "空.mp4", "--queue", "--category", "99")
    assert (unknown.exit_code, "没有编号为 99 的分类" in unknown.stdout) == (1, True)
    assert jobs(run) == []
    both = run("import", folder, "--queue", "--dry-run")
    assert (both.exit_code, "--queue 不能和 --dry-run 一起用" in both.output) == (2, True)


@pytest.mark.data_folder("queues covers where they lie; with a bucket they go to its inbox")
def test_a_manifest_is_queued_with_its_covers(
    run: Run, services: Services, folder: Path, tmp_path: Path
) -> None:
    Image.new("RGB", (64, 36), "teal").save(folder / "封面.png")
    (folder / "list.csv").write_text(
        "file,title,cover\n海.mp4,清单的标题,封面.png\n无.mp4,,\n", encoding="utf-8"
    )
    queued = run("import", "--manifest", folder / "list.csv", "--queue", "--label", "山")
    assert (queued.exit_code, "[2/2] 拒绝" in queued.stdout) == (1, True)
    assert jobs(run)[0]["wanted"] == {
        "given": {"title": "清单的标题", "labels": ["山"]},
        "cover": str(folder / "封面.png"),
    }
    assert run("worker", "--until-empty").exit_code == 0
    found = row_of(services, jobs(run)[0]["video_id"])
    assert (found.title, found.cover["width"], found.cover["height"]) == ("清单的标题", 64, 36)


def test_retry_cancel_clear(run: Run, services: Services, folder: Path) -> None:
    run("import", folder, "--queue")
    assert run("jobs", "cancel", "1").stdout == "已取消 1\n"
    twice = run("jobs", "cancel", "1", "2", "9")
    assert (twice.exit_code, twice.stdout) == (1, "已取消 2\n")
    assert "任务 1 已取消，不能取消" in twice.stderr
    assert "没有编号为 9 的任务" in twice.stderr
    said = [
        msgspec.json.decode(line)
        for line in run("jobs", "retry", "1", "2", "--json").stdout.splitlines()
    ]
    assert said == [{"id": 1, "cause": None}, {"id": 2, "cause": None}]
    with services.database.write() as connection:
        held = ledger.claim(connection, "one", system_clock())
        assert held is not None
        ledger.fail(connection, held, FULL, system_clock())
    assert [one["id"] for one in jobs(run, "--state", "failed")] == [held.job_id]
    assert run("jobs", "retry", "--failed").stdout == f"已放回队列 {held.job_id}\n"
    assert run("jobs", "retry", "--failed").stdout == "（没有）\n"
    assert run("jobs", "cancel", "--waiting").exit_code == 0
    unsure = run("jobs", "clear")
    assert (unsure.exit_code, "将清理 2 条记录。请加 --yes 确认" in unsure.output) == (2, True)
    assert run("jobs", "clear", "--yes").stdout == "已清理 2 条记录\n"
    assert jobs(run) == []


@pytest.mark.parametrize(
    ("fault", "option"), [("held", "--accept-match"), ("damaged", "--accept-damaged")]
)
def test_what_waits_for_a_decision_is_not_among_the_failed(
    run: Run, services: Services, folder: Path, fault: str, option: str
) -> None:
    run("import", folder, "--queue")
    values = {"state": "failed", "fault": fault}
    with services.database.write() as connection:
        connection.execute(sa.update(job).where(job.c.id == 2).values(values))
        connection.execute(
            sa.update(job).where(job.c.id == 1).values(values | {"fault": "unreadable"})
        )
    assert run("jobs", "retry", "--failed").stdout == "已放回队列 1\n"
    assert run("jobs", "retry", "--failed").stdout == "（没有）\n"
    other = {"--accept-match", "--accept-damaged"} - {option}
    assert run("jobs", "retry", "--failed", *other).stdout == "（没有）\n"
    assert run("jobs", "retry", "--failed", option).stdout == "已放回队列 2\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["jobs", "retry"], 2),
        (["jobs", "retry", "1", "--failed"], 2),
        (["jobs", "cancel", "0"], 2),
        (["jobs", "show", "99"], 1),
        (["jobs", "list", "--state", "odd"], 2),
        (["jobs", "clear", "--state", "running"], 2),
        (["serve", "--workers", "-1"], 2),
    ],
)
def test_wrong_usage_is_one_refusal(run: Run, arguments: list[str], code: int) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert "Traceback" not in result.output


def topics(services: Services, now: int) -> dict[str, str]:
    findings = examine(services.settings, lambda: now, is_quick=True)
    return {one.topic: one.sentence for one in findings if one.topic.startswith("jobs-")}


def test_doctor_and_metrics_tell_of_the_queue(run: Run, services: Services, folder: Path) -> None:
    run("import", folder, "--queue")
    with services.database.write() as connection:
        connection.execute(sa.update(job).values(due_at=NOW, created_at=NOW))
    assert topics(services, NOW + 60_000) == {}
    assert topics(services, NOW + 180_000) == {
        "jobs-unattended": "导入队列没有进程处理：有文件已等了 3 分钟"
    }
    with services.database.write() as connection:
        assert ledger.claim(connection, "one", NOW) is not None
    later = NOW + LEASE_MS + 180_000
    assert (
        topics(services, NOW + LEASE_MS + 60_000) == {}
    )  # somebody works, the other file waits for it
    assert topics(services, later)["jobs-unattended"].startswith(
        "导入队列没有进程处理：1 个任务中断后无人接手，有文件"
    )
    with services.database.write() as connection:
        held = ledger.claim(connection, "two", later)
        assert held is not None
        ledger.fail(connection, held, FULL, later)
        service.cancel_job(connection, 3 - held.job_id, later)
    name = Path(held.source).name
    assert topics(services, later) == {"jobs-failed": f"1 个任务失败：{name}（文件是空的）"}
    for fault in (Fault.HELD, Fault.DAMAGED):
        with services.database.write() as connection:
            connection.execute(sa.update(job).where(job.c.id == held.job_id).values(fault=fault))
        said = f"1 个导入等你决定：{name}（文件是空的）"
        assert topics(services, later) == {"jobs-undecided": said}
    client = Client(services)
    text = client.application.metrics.text()
    client.close()
    assert 'liuying_jobs{state="failed"} 1' in text
    assert 'liuying_jobs{state="waiting"} 0' in text
    assert "liuying_jobs_oldest_wait_seconds 0" in text
    assert "导入队列：等待 0，进行中 0，失败 1" in run("stats").stdout


def test_the_queue_says_how_it_stands(run: Run, services: Services, folder: Path) -> None:
    run("import", folder, "--queue")
    with services.database.write() as connection:
        held = ledger.claim(connection, "me", system_clock())
        assert held is not None
        started = sa.update(job).where(job.c.id == held.job_id)
        now = system_clock()
        connection.execute(started.values(started_at=now - 60_000, progress=0.5, stage="封面"))
    listed = run("jobs").stdout
    assert "等待 1，进行中 1，完成 0，失败 0，已取消 0" in listed
    assert f"正在处理 {held.job_id}" in listed
    assert "50% 封面，约剩 1 分钟" in listed
    second = run("jobs", "list", "--limit", "1", "--page", "2").stdout
    assert "共 2 个，第 2 页，共 2 页" in second


def test_an_import_that_waits_ends_with_all_renditions(
    run: Run, services: Services, folder: Path
) -> None:
    live = open_services(services.settings, clock=system_clock)
    is_over = threading.Event()
    worker = threading.Thread(target=Worker(live, is_over.is_set).run)
    worker.start()
    try:
        done = run("import", folder / "海.mp4", "--queue", "--wait", "--json")
    finally:
        is_over.set()
        worker.join()
        live.database.close()
    assert done.exit_code == 0, done.output
    said = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    assert [one["outcome"] for one in said] == ["queued", "imported"]
    assert row_of(services, said[1]["video_id"]).state == "complete"
    assert run("import", folder, "--wait").exit_code == 2
