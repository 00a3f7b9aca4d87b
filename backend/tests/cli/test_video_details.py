"""What the operator says of a video beside its title: `liuying video edit`."""

from __future__ import annotations

from pathlib import Path

from liuying.core.catalogue.queries.details import detail_row
from liuying.installation.services import Services
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.command_line import Run, run
from tests.media.clips import FAST, h264, make_clip, picture
from tests.workflows.published import row_of

__all__ = ["run"]


def test_description_premiere_and_date(services: Services, tmp_path: Path, run: Run) -> None:
    clip = make_clip(tmp_path / "clip.mp4", *picture("64x36", 1), *h264())
    video_id = import_file(services, clip, VideoMeta(), settings=FAST).video_id

    def edit(*options: str) -> None:
        done = run(services.data_dir, "video", "edit", str(video_id), *options)
        assert done.exit_code == 0, done.output

    edit("--description", "第一行\n第二行", "--premiered", "1997-05-01T00:00Z")
    with services.database.read() as connection:
        detail = detail_row(connection, video_id)
    assert detail is not None
    assert (detail.description, detail.premiered_at) == ("第一行\n第二行", 862_444_800_000)
    edit("--created-at", "2999-01-01")
    assert not row_of(services, video_id).is_listed
    assert "定时发布" in run(services.data_dir, "video", "list").stdout
    edit("--created-at", "2020-01-01", "--description", "")
    assert row_of(services, video_id).is_listed
    with services.database.read() as connection:
        detail = detail_row(connection, video_id)
    assert detail is not None
    assert detail.description == ""
