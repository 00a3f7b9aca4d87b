"""How many bits our rungs need for the look of MediaCMS's, by settings of the encoder, and what CPU
that takes.

Each rung that both have is encoded from the same scaled pictures at two qualities. Between them (and
a little beyond) the logarithm of the bits is taken as linear in VMAF: the bits at the VMAF of
MediaCMS's own rung are compared with its bits, 128 kbit/s of sound added to both. The CPU is the
encoder's alone, all rungs together, beside that of MediaCMS's encoder on the same pictures.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import tempfile
from pathlib import Path
from statistics import fmean

import msgspec
from films import SAMPLES, ffmpeg
from peer_encoders import MEDIACMS_BITS, MEDIACMS_FAST_BITS, MEDIACMS_KEY_S, MEDIACMS_PEAK

from liuying.media.encoder_arguments import key_frame_rule, quality_arguments
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.ladder import Rung
from liuying.media.plan import AUDIO_BITS, EncoderSettings, Plan, make_plan
from liuying.media.probe import probe

# With sound.
CLIPS = (
    "bbb_1080p60_aac51.mp4",
    "rotated90_720p.mp4",
    "butterfly_720p_stereo.mp4",
    "flower_540p_cc0.mp4",
)
QUALITIES = (22, 26)
# One picture in so many is scored.
SCORED = 5


class Point(msgspec.Struct, frozen=True):
    """An encoding: kbit/s of the picture, VMAF, CPU seconds."""

    kbits: float
    vmaf: float
    cpu: float


class Pictures(msgspec.Struct, frozen=True):
    """A rung's pictures before encoding, and the source's."""

    plan: Plan
    rung: Rung
    raw: Path
    source: Path
    rate: float
    seconds: float


def main() -> None:
    """Print a line for each of the settings that a JSON file names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("settings", type=Path, help="JSON: name → fields of EncoderSettings")
    wanted = json.loads(parser.parse_args().settings.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="liuying-frontier-", dir="/dev/shm") as folder:
        rungs = [one for name in CLIPS for one in pictures_of(SAMPLES / name, Path(folder))]
        peers = [by_mediacms(one) for one in rungs]
        peer_cpu = sum(one.cpu for one in peers)
        names = " | ".join(f"{one.source.stem.split('_')[0]} {one.rung.name}" for one in rungs)
        print(
            f"| settings | bits | CPU | {names} |\n|---|---|---|" + "---|" * len(rungs), flush=True
        )
        for name, fields in wanted.items():
            key_s = fields.pop("key_s", None)
            settings = EncoderSettings(**fields)
            ratios, cpu = [], 0.0
            for one, peer in zip(rungs, peers, strict=True):
                points = [by_us(one, settings, quality, key_s) for quality in QUALITIES]
                ratios.append(
                    (bits_at(points, peer.vmaf) + AUDIO_BITS / 1000)
                    / (peer.kbits + AUDIO_BITS / 1000)
                )
                cpu += fmean(point.cpu for point in points)
            cells = " | ".join(f"{one:.2f}" for one in ratios)
            mean = math.exp(fmean(math.log(one) for one in ratios))
            print(f"| {name} | {mean:.3f} | {cpu / peer_cpu:.2f} | {cells} |", flush=True)


def pictures_of(film: Path, folder: Path) -> list[Pictures]:
    """Those of the rungs that MediaCMS has, too, and that are not copied."""
    plan = make_plan(probe(film))
    found = []
    for rung in plan.rungs:
        if rung.is_copied or rung.short_side not in MEDIACMS_BITS:
            continue
        raw = folder / f"{film.stem}-{rung.name}.yuv"
        rate = rung.rate or plan.probe.timing.rate
        shape = f"scale={rung.width}:{rung.height}:flags=lanczos,fps={rate:g},format=yuv420p"
        ffmpeg(["-i", str(film), "-an", "-vf", shape, "-f", "rawvideo", str(raw)])
        seconds = raw.stat().st_size / (rung.width * rung.height * 1.5) / rate
        found.append(Pictures(plan, rung, raw, film, rate, seconds))
    return found


def by_us(one: Pictures, settings: EncoderSettings, quality: int, key_s: float | None) -> Point:
    """A rung as the product encodes it."""
    wanted = msgspec.structs.replace(settings, quality=quality)
    plan = msgspec.structs.replace(one.plan, settings=wanted)
    keys = key_frame_rule(plan) if key_s is None else f"expr:gte(t,n_forced*{key_s})"
    arguments = [*quality_arguments(plan, one.rung), "-maxrate", str(one.rung.max_bits)]
    arguments += ["-bufsize", str(one.rung.max_bits * 2), "-threads:v", "1", "-sc_threshold", "0"]
    return encoded(one, [*arguments, "-g", "600", "-force_key_frames", keys])


def by_mediacms(one: Pictures) -> Point:
    """The same pictures by MediaCMS's command."""
    side, is_fast = one.rung.short_side, one.rate > 30
    kbits = (MEDIACMS_FAST_BITS.get(side) if is_fast else None) or MEDIACMS_BITS[side]
    peak, distance = f"{int(kbits * MEDIACMS_PEAK)}k", int(one.rate * MEDIACMS_KEY_S)
    arguments = ["-c:v", "libx264", "-crf", "23", "-maxrate", peak, "-bufsize", peak]
    arguments += ["-force_key_frames", f"expr:gte(t,n_forced*{MEDIACMS_KEY_S})", "-threads:v", "1"]
    arguments += ["-x264-params", f"keyint={distance * 2}:keyint_min={distance}"]
    return encoded(one, [*arguments, "-preset", "medium", "-profile:v", "main"])


def encoded(one: Pictures, arguments: list[str]) -> Point:
    """Encode and score."""
    rung, target = one.rung, one.raw.with_suffix(".mp4")
    feed = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{rung.width}x{rung.height}"]
    command = [ffmpeg_binary(), "-v", "error", "-y", *feed, "-r", f"{one.rate:g}"]
    encoder = subprocess.Popen([*command, "-i", str(one.raw), *arguments, str(target)])
    _, status, usage = os.wait4(encoder.pid, 0)
    if status:
        raise SystemExit(f"the encoder failed: {arguments}")
    kbits = target.stat().st_size * 8 / one.seconds / 1000
    return Point(kbits, vmaf(one, target), usage.ru_utime + usage.ru_stime)


def vmaf(one: Pictures, target: Path) -> float:
    """At the source's size."""
    side = one.plan.probe.video
    shape = (
        f"fps={one.rate:g},scale={side.width}:{side.height}:flags=bicubic,format=yuv420p,setpts=N"
    )
    graph = f"[0:v:0]{shape}[d];[1:{side.index}]{shape}[r];"
    graph += f"[d][r]libvmaf=n_threads=2:n_subsample={SCORED}:shortest=1"
    inputs = ["-i", str(target), "-i", str(one.source)]
    said = ffmpeg([*inputs, "-filter_complex", graph, "-f", "null", "-"], level="info")
    found = re.search(r"VMAF score: ([\d.]+)", said)
    if found is None:
        raise SystemExit(f"no score: {said[-400:]}")
    return float(found[1])


def bits_at(points: list[Point], score: float) -> float:
    """Kilobits a second at a VMAF, by the line through two encodings."""
    better, worse = points
    slope = math.log(better.kbits / worse.kbits) / (better.vmaf - worse.vmaf)
    return worse.kbits * math.exp(slope * (score - worse.vmaf))


if __name__ == "__main__":
    main()
