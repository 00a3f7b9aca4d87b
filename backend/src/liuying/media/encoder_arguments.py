"""The encoder's arguments for one rendition: quality, limits and key frames."""

from __future__ import annotations

from liuying.media.chunks import CUT_TOLERANCE_S
from liuying.media.ladder import Rung
from liuying.media.plan import Plan
from liuying.media.segment_times import SEGMENT_SECONDS, with_short_start

CLOCK = "1/90000"


def encoder_arguments(plan: Plan, rung: Rung, keys: str = "") -> list[str]:
    """How a rendition is encoded.

    Args:
        keys: Where key frames are forced instead of where the plan's rule says.
    """
    return [
        *quality_arguments(plan, rung),
        *("-maxrate", str(rung.max_bits), "-bufsize", str(rung.max_bits * 2)),
        # One thread per rendition: with several, x264's rate control depends on thread timing, and
        # the same source comes out differently. Renditions, scaling and decoding still run in
        # parallel.
        *("-threads:v", "1"),
        # Key frames only where segments begin: a scene change must not move one rendition's cut.
        *("-sc_threshold", "0", "-g", "600", "-force_key_frames", keys or key_frame_rule(plan)),
        # A fine clock: the nominal rate's clock would move or drop pictures of a variable rate.
        *("-fps_mode", "vfr", "-enc_time_base", CLOCK),
    ]


def quality_arguments(plan: Plan, rung: Rung) -> list[str]:
    """The encoder, and how it weighs time against size for a rendition."""
    settings, rate = plan.settings, rung.rate or plan.probe.timing.rate
    refined = settings.refinements
    quality = f"{settings.quality_at(rate):g}"
    chosen = ("-c:v", "libx264", "-preset", settings.preset, "-profile:v", "high", "-crf", quality)
    return [*chosen, *(("-x264-params", refined) if refined else ())]


def key_frame_rule(plan: Plan) -> str:
    """Where key frames are forced: at the plan's cuts, otherwise by `SEGMENT_SECONDS`.

    The expression counts forced frames: 0, 1, 2 s, then every 2 s.
    """
    if plan.cuts:
        cuts = with_short_start(plan.cuts, plan.probe.timing.duration)
        return ",".join(f"{max(0.0, cut - CUT_TOLERANCE_S):.3f}" for cut in cuts)
    first, _, repeated = SEGMENT_SECONDS
    moment = f"if(lt(n_forced,2),n_forced*{first:g},{2 * first:g}+(n_forced-2)*{repeated:g})"
    return f"expr:gte(t,{moment}-{CUT_TOLERANCE_S})"
