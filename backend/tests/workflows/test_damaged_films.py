"""Films with damaged pictures: how many is said, and past a share of them they are refused."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from liuying.core.jobs.rules import Fault, State, judge
from liuying.installation.services import Services
from liuying.media.errors import DamagedError
from liuying.workflows.import_video import import_file
from liuying.workflows.job_causes import cause_of, with_option
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST, h264, make_clip, picture, tone
from tests.workflows.published import row_of, visible_files

PICTURES = 100


def scratched(folder: Path, every: int) -> Path:
    """A film of `PICTURES`, of which every so many-th is damaged in its middle."""
    whole = make_clip(folder / "whole.mp4", *picture(seconds=4), *tone(4), *h264(500))
    content = bytearray(whole.read_bytes())
    with av.open(str(whole)) as container:
        packets = [one for one in container.demux(video=0) if one.pos is not None]
        for packet in packets[every // 2 :: every]:
            middle = (packet.pos or 0) + packet.size // 2
            content[middle : middle + 40] = bytes(range(90, 130))
    clip = folder / "scratched.mp4"
    clip.write_bytes(content)
    return clip


def test_few_are_counted_and_kept_with_the_video(services: Services, tmp_path: Path) -> None:
    result = import_file(services, scratched(tmp_path, 50), VideoMeta(), settings=FAST)
    assert result.warning == f"画面有损坏：{PICTURES} 帧里有 2 帧解码出错"
    row = row_of(services, result.video_id)
    assert (row.state, row.cause) == ("complete", result.warning)


def test_many_are_refused_unless_accepted(services: Services, tmp_path: Path) -> None:
    clip = scratched(tmp_path, 8)
    with pytest.raises(DamagedError) as refusal:
        import_file(services, clip, VideoMeta(), settings=FAST)
    assert "100 帧里有 12 帧出错" in refusal.value.message
    cause = cause_of(refusal.value)
    assert (cause.fault, judge(cause.fault, 1, 0).state) == (Fault.DAMAGED, State.FAILED)
    assert with_option(cause.text, cause.fault).endswith("仍要导入（--accept-damaged）")
    assert visible_files(services) == []
    result = import_file(services, clip, VideoMeta(accepts_damage=True), settings=FAST)
    assert "12 帧" in result.warning
    assert row_of(services, result.video_id).state == "complete"


def test_a_whole_film_has_no_warning(services: Services, tmp_path: Path) -> None:
    scratched(tmp_path, 50)
    result = import_file(services, tmp_path / "whole.mp4", VideoMeta(), settings=FAST)
    assert result.warning == ""
