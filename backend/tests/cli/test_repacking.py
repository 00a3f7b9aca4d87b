"""`liuying video repack` as the operator types it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.installation.services import Services
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.command_line import Run, run
from tests.media.clips import FAST, h264, make_clip, picture, tone
from tests.workflows.published import as_versions_before, visible_files

__all__ = ["run"]


def test_all_that_have_segments(services: Services, tmp_path: Path, run: Run) -> None:
    clip = make_clip(tmp_path / "sea.mp4", *picture("640x360", 2), *tone(2), *h264())
    result = import_file(services, clip, VideoMeta(title="海", category=72), settings=FAST)
    as_versions_before(services, result.key)
    assert "liuying video repack --all" in run(services.data_dir, "doctor").stdout
    for wrong in (("video", "repack"), ("video", "repack", "1", "--all")):
        assert run(services.data_dir, *wrong).exit_code == 2
    first = run(services.data_dir, "video", "repack", "--all")
    assert (first.exit_code, f"已合并 {result.video_id}（1/1）" in first.stdout) == (0, True)
    assert "个文件变成 1 个" in first.stdout
    assert any(name.endswith(".m4s") for name in visible_files(services))  # for a while
    assert "没有需要合并的视频" in run(services.data_dir, "video", "repack", "--all").stdout
    again = run(services.data_dir, "video", "repack", str(result.video_id), "--json")
    assert msgspec.json.decode(again.stdout) == {"id": result.video_id, "outcome": "whole"}
    refused = run(services.data_dir, "video", "repack", "99")
    assert (refused.exit_code, "没有编号为 99 的视频" in refused.stderr) == (1, True)
