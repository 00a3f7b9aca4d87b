"""Scaling pictures and converting their colours: filters, as pure functions of the source.

Files make arbitrary claims about their colours, and scalers refuse what they cannot convert. So
what is converted is declared first, from tables of valid values.
"""

from __future__ import annotations

from liuying.media.ffmpeg import has_zimg
from liuying.media.video_facts import VideoFacts

# Values of ITU-T H.273 by the scalers' names.
MATRIX_NAMES = {
    1: "bt709",
    4: "fcc",
    5: "bt470bg",
    6: "smpte170m",
    7: "smpte240m",
    9: "bt2020nc",
    10: "bt2020nc",
}
HDR_MATRIX_NAMES = MATRIX_NAMES | {14: "ictcp"}
HDR_PRIMARY_NAMES = {1: "bt709", 9: "bt2020", 11: "smpte431", 12: "smpte432"}
HDR_PEAK_NITS = 100
# zimg scales in half of swscale's time and as sharply; it refuses odd sides, which these never
# have.
EVEN_CODECS, EVEN_FORMAT = frozenset({"h264", "hevc"}), "yuv420p"
ZIMG_MATRICES = frozenset({1, 5, 6})
COVER_FORMAT = "bgr24"
WEB_COLOURS = "color_primaries=bt709:color_trc=bt709"
RGB_PREFIXES = ("gbr", "rgb", "bgr", "argb", "abgr", "0rgb", "0bgr", "x2rgb", "x2bgr", "pal8")


def scaled(video: VideoFacts, width: int, height: int, pixel_format: str) -> list[str]:
    """Filters to a size, standard dynamic range and BT.709 with limited range (full range for RGB).

    Args:
        video: The input.
        width: Pixels.
        height: Pixels.
        pixel_format: Of the output: `COVER_FORMAT` or 4:2:0.
    """
    is_rgb = pixel_format == COVER_FORMAT
    if video.is_hdr:
        return [
            _declared(video),
            f"zscale=w={width}:h={height}:f=lanczos:t=linear:npl={HDR_PEAK_NITS}",
            "format=gbrpf32le",
            "zscale=p=bt709",
            "tonemap=hable:desat=0",
            *(
                ("zscale=t=bt709:r=pc", "format=gbrp")
                if is_rgb
                else ("zscale=t=bt709:m=bt709:r=tv",)
            ),
            f"format={pixel_format}",
        ]
    if not is_rgb and fits_zimg(video):
        scale = f"zscale=w={width}:h={height}:f=lanczos:m=bt709:r=tv"
    else:
        target = "out_range=pc" if is_rgb else "out_color_matrix=bt709:out_range=tv"
        scale = f"scale={width}:{height}:flags=lanczos:{target}"
    return [_declared(video), scale, f"format={pixel_format}", "setsar=1"]


def _declared(video: VideoFacts) -> str:
    """Declares the pictures' colours, whatever the file claims; HDR is recognized by its
    transfer function.
    """
    said = ["setparams=range=" + ("pc" if video.is_full_range else "tv")]
    names, usual = (HDR_MATRIX_NAMES, "bt2020nc") if video.is_hdr else (MATRIX_NAMES, "bt709")
    matrix = names.get(video.matrix, usual)
    if not video.pixel_format.startswith(RGB_PREFIXES):
        said.append(f"colorspace={matrix}")
    if not video.is_hdr:
        return ":".join([*said, WEB_COLOURS])
    # ICtCp is defined only for these.
    primaries = "bt2020" if matrix == "ictcp" else HDR_PRIMARY_NAMES.get(video.primaries, "bt2020")
    return ":".join([*said, f"color_primaries={primaries}"])


def fits_zimg(video: VideoFacts) -> bool:
    """Whether every picture certainly has even sides and 8 bits, and the transcoder can scale
    that with zimg.
    """
    is_plain = not (video.is_hdr or video.is_interlaced or video.is_full_range)
    return (
        is_plain
        and has_zimg()
        and video.codec in EVEN_CODECS
        and video.pixel_format == EVEN_FORMAT
        and video.matrix in ZIMG_MATRICES
    )
