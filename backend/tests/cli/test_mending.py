"""`liuying video mend` as the operator types it: now, and by a worker."""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.core.jobs import service
from liuying.core.jobs.rules import State
from liuying.installation.services import Services, open_services
from liuying.kit.clock import system_clock
from liuying.worker.claiming import Worker
from liuying.workflows.mending import find_uneven
from tests.command_line import Run, run
from tests.workflows.test_mending import as_before, imported

__all__ = ["as_before", "run"]


def test_all_that_doctor_finds(
    services: Services, tmp_path: Path, run: Run, as_before: None
) -> None:
    result = imported(services, tmp_path, "sound_ends_early.mp4")
    found = run(services.data_dir, "doctor")
    assert "liuying video mend --all" in found.stdout
    assert run(services.data_dir, "video", "mend").exit_code == 2
    first = run(services.data_dir, "video", "mend", "--all", "--json")
    assert first.exit_code == 0
    assert msgspec.json.decode(first.stdout) == {"id": result.video_id, "outcome": "mended"}
    assert "没有需要补齐的视频" in run(services.data_dir, "video", "mend", "--all").stdout
    refused = run(services.data_dir, "video", "mend", "99")
    assert (refused.exit_code, "没有编号为 99 的视频" in refused.stderr) == (1, True)


def test_a_worker_does_what_is_queued(
    services: Services, tmp_path: Path, run: Run, as_before: None
) -> None:
    result = imported(services, tmp_path, "sound_ends_early.mp4")
    live = open_services(services.settings, clock=system_clock)
    queued = run(services.data_dir, "video", "mend", "--all", "--queue")
    assert (queued.exit_code, f"已排队 {result.video_id}" in queued.stdout) == (0, True)
    assert "补齐画面和声音" in run(services.data_dir, "jobs", "list").stdout
    Worker(live, lambda: False).run(is_until_empty=True)
    with live.database.read() as connection:
        job = service.get_job(connection, 1)
        assert (job.state, job.video_id, job.kind) == (State.DONE, result.video_id, "mend")
        assert list(find_uneven(connection, live.objects)) == []
    live.database.close()
