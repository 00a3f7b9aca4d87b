"""Files whose video is in the bin: a preview says what an import would, and a watched folder leaves
them alone.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from liuying.core.jobs.tables import job
from liuying.installation.services import Services
from liuying.workflows.import_manifest import Item
from liuying.workflows.import_run import ImportRun
from liuying.workflows.import_video import import_file
from liuying.workflows.removal import remove_videos, restore_videos
from liuying.workflows.video_meta import GivenMeta, VideoMeta
from tests.media.clips import FAST
from tests.media.conftest import clips, plain_clip

__all__ = ["clips", "plain_clip"]


@pytest.fixture
def binned(services: Services, plain_clip: Path) -> Services:
    import_file(services, plain_clip, VideoMeta(title="海"), settings=FAST)
    remove_videos(services, [1])
    return services


def said(
    services: Services,
    source: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    is_dry: bool = False,
    is_queued: bool = False,
    is_watched: bool = False,
) -> tuple[int, str, str]:
    """How many were refused, the outcome and the cause."""
    run = ImportRun(
        services,
        GivenMeta(),
        is_dry=is_dry,
        is_queued=is_queued,
        is_watched=is_watched,
        as_json=True,
    )
    refused = run.run([Item(source)])
    told = json.loads(capsys.readouterr().out)
    return refused, told["outcome"], told.get("cause") or ""


def test_a_preview_and_an_import_say_the_same(
    binned: Services, plain_clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    previewed = said(binned, plain_clip, capsys, is_dry=True)
    assert previewed == said(binned, plain_clip, capsys)
    assert previewed == (1, "refused", "视频 1 在回收站里：请先恢复，或彻底删除")


@pytest.mark.parametrize("is_queued", [True, False])
def test_a_watched_folder_passes_it_over(
    binned: Services, plain_clip: Path, capsys: pytest.CaptureFixture[str], *, is_queued: bool
) -> None:
    for _ in range(2):
        found = said(binned, plain_clip, capsys, is_watched=True, is_queued=is_queued)
        assert found == (0, "removed", "")
    with binned.database.read() as connection:
        assert connection.execute(sa.select(job)).all() == []
    restore_videos(binned, [1])
    found = said(binned, plain_clip, capsys, is_watched=True, is_queued=is_queued)
    assert found == (0, "queued" if is_queued else "known", "")
