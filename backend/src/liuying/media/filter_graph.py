"""The transcoder's filters: one decoded stream, branched and scaled for each rendition."""

from __future__ import annotations

from collections.abc import Sequence

from liuying.media.candidates import cover_size
from liuying.media.chunks import Chunk, Cut, first_number
from liuying.media.ladder import Rung, is_held
from liuying.media.plan import Plan
from liuying.media.scaling import COVER_FORMAT, fits_zimg, scaled


def filtered(
    plan: Plan, rungs: Sequence[Rung], chunk: Chunk | None = None, choice: str = ""
) -> list[str]:
    """The arguments that give each rendition its pictures, and the cover its candidates.

    Args:
        rungs: Which renditions.
        chunk: The part of the film; None for the whole.
        choice: The filter that picks candidates for the cover; empty if none are wanted.
    """
    # One zimg thread is faster than any rendition's encoder: several would each scale some of the
    # others' rows as well.
    threads = ("-filter_complex_threads", "1") if fits_zimg(plan.probe.video) else ()
    return [*threads, "-filter_complex", _filters(plan, rungs, chunk, choice)]


def _filters(plan: Plan, rungs: Sequence[Rung], chunk: Chunk | None, choice: str) -> str:
    """One decoded stream, repaired, then a branch per rendition, cut to its chunk and scaled to its
    size.

    Args:
        plan: The plan.
        rungs: Which ones.
        chunk: The part of the film; None for the whole.
        choice: The filter that picks candidates for the cover; empty if none are wanted.
    """
    video = plan.probe.video
    chains = {}
    for number, rung in enumerate(rungs):
        chains[f"v{number}"] = [
            *_steady(plan, rung, chunk),
            *scaled(video, rung.width, rung.height, "yuv420p"),
        ]
    if choice:
        size = cover_size(video.width, video.height)
        chains["cover"] = [*_trim(None, chunk), choice, *scaled(video, *size, COVER_FORMAT)]
    head = f"[0:{video.index}]" + ",".join([*_repairs(plan), f"split={len(chains)}"])
    head += "".join(f"[for_{name}]" for name in chains)
    return ";".join(
        [head, *(f"[for_{name}]{','.join(chain)}[{name}]" for name, chain in chains.items())]
    )


def _steady(plan: Plan, rung: Rung, chunk: Chunk | None) -> list[str]:
    """Pictures at a rendition's rate, cut to the chunk; a first or last picture shown for long
    is repeated.
    """
    timing = plan.probe.timing
    if rung.rate is None:
        return _trim(None, chunk)
    is_first, is_last = chunk is None or chunk.start is None, chunk is None or chunk.end is None
    begin = f":start_time={timing.start:.5f}" if is_held(timing) and is_first else ""
    steps = [f"fps={rung.rate:g}{begin}", *_trim(rung.rate, chunk)]
    if is_held(timing) and is_last and timing.tail:
        steps.append(f"tpad=stop_mode=clone:stop_duration={timing.tail:.5f}")
    return steps


def _trim(rate: float | None, chunk: Chunk | None) -> list[str]:
    """Only the pictures of one chunk. It follows a change of rate, which therefore sees the
    pictures around the cut.
    """
    if chunk is None or (chunk.start is None and chunk.end is None):
        return []
    edges = {"start": chunk.start, "end": chunk.end}
    return [
        "trim="
        + ":".join(
            f"{name}={_divide(cut, rate):.6f}" for name, cut in edges.items() if cut is not None
        )
    ]


def _divide(cut: Cut, rate: float | None) -> float:
    """A moment between the pictures around a cut, closer to the later one, to which coarse
    clocks round it.
    """
    if rate is not None:
        return (first_number(cut.moment, rate) - 0.25) / rate
    return cut.before + 0.75 * (cut.after - cut.before)


def _repairs(plan: Plan) -> list[str]:
    """What every picture needs before scaling."""
    steps: list[str] = []
    if plan.probe.timing.is_frozen:
        steps.append(f"setpts=N/({plan.probe.timing.rate:g}*TB)")
    if plan.probe.video.is_interlaced:
        steps.append("bwdif=mode=send_frame:deint=interlaced")
    return steps
