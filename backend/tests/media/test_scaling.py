"""Sizes and colours: what files say of theirs, and which scaler takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import pytest

from liuying.media import scaling
from liuying.media.scaling import COVER_FORMAT, scaled
from liuying.media.video_facts import VideoFacts
from tests.media.clips import make_clip, picture
from tests.media.facts import probe_of
from tests.media.productions import made


def filters(wanted: str = "yuv420p", **video: Any) -> str:
    facts: VideoFacts = probe_of(**video).video
    return ",".join(scaled(facts, 640, 360, wanted))


@pytest.mark.parametrize(
    ("video", "scaler"),
    [
        ({}, "zscale"),
        ({"codec": "hevc", "matrix": 5}, "zscale"),
        ({"codec": "vp9"}, "scale"),  # may have odd sides
        ({"pixel_format": "yuv420p10le"}, "scale"),
        ({"is_full_range": True}, "scale"),
        ({"is_interlaced": True}, "scale"),
        ({"matrix": 9}, "scale"),
    ],
)
def test_what_the_quicker_scaler_refuses_is_left_to_the_other(
    video: dict[str, Any], scaler: str
) -> None:
    assert f",{scaler}=" in filters(**video)
    assert ",scale=" in filters(COVER_FORMAT, **video)


def test_a_transcoder_without_it_scales_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "has_zimg", lambda: False)
    assert "zscale" not in filters()


@pytest.mark.parametrize(
    ("video", "declared"),
    [
        ({}, "range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709"),
        (
            {"matrix": 6, "is_full_range": True},
            "range=pc:colorspace=smpte170m:color_primaries=bt709:color_trc=bt709",
        ),
        ({"matrix": 8}, "range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709"),
        ({"pixel_format": "gbrp"}, "range=tv:color_primaries=bt709:color_trc=bt709"),
        (
            {"is_hdr": True, "matrix": 9, "primaries": 2},
            "range=tv:colorspace=bt2020nc:color_primaries=bt2020",
        ),
        (
            {"is_hdr": True, "matrix": 9, "primaries": 12},
            "range=tv:colorspace=bt2020nc:color_primaries=smpte432",
        ),
        (
            {"is_hdr": True, "matrix": 14, "primaries": 12},
            "range=tv:colorspace=ictcp:color_primaries=bt2020",
        ),
        (
            {"is_hdr": True, "matrix": 13, "primaries": 8},
            "range=tv:colorspace=bt2020nc:color_primaries=bt2020",
        ),
    ],
)
def test_what_can_be_converted_is_declared(video: dict[str, Any], declared: str) -> None:
    assert filters(**video).startswith(f"setparams={declared},")


ODD_COLOURS = {
    "logarithmic": ("yuv420p", "transfer=log316:colorprim=bt2020:colormatrix=smpte170m"),
    "differences": ("yuv420p", "colormatrix=YCgCo"),
    "derived": ("yuv420p", "colormatrix=chroma-derived-c"),
    "hdr that says no more": ("yuv420p10le", "transfer=smpte2084"),
    "hdr of old tubes": ("yuv420p10le", "transfer=arib-std-b67:colorprim=bt470m:colormatrix=ictcp"),
    "grey hdr": ("gray10le", "transfer=smpte2084"),
    "red, green and blue": ("yuv444p", "colormatrix=GBR:transfer=log100"),
}


@pytest.mark.parametrize("kind", ODD_COLOURS)
def test_whatever_colours_a_file_claims_it_is_made(kind: str, tmp_path: Path) -> None:
    pixel_format, said = ODD_COLOURS[kind]
    encoder = (
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-pix_fmt",
        pixel_format,
        "-x264-params",
        said,
    )
    clip = make_clip(tmp_path / "clip.mp4", *picture("320x240", 1), *encoder)
    production = made(clip, tmp_path / "work")
    assert production.cover_picture().size == (320, 240)
    with av.open(str(production.files.work / f"{production.plan.rungs[0].name}.mp4")) as container:
        shown = next(container.decode(video=0))
        assert (shown.format.name, int(shown.colorspace), int(shown.color_trc)) == ("yuv420p", 1, 1)
