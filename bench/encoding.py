"""What an import costs beside MediaCMS's and PeerTube's own calls of the same transcoder, and how
the results look.

Every system encodes the same films, one after the other: CPU seconds (user and system, of the whole
import with its covers, storyboard and packaging in our case; of the encoding alone in theirs),
seconds until the first rung plays and until all is done, VMAF against the source at the source's
size, bits a second. `x264` is what the encoder alone takes for our rungs, fed with pictures of the
right size: with our settings, and plainly with preset veryfast. Real clips are read from
LIUYING_SAMPLES; the two films of two minutes are put together from them.

The file is long because it both makes what is measured and measures it.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from pathlib import Path

import av
import msgspec
import sqlalchemy as sa
from films import SAMPLES, ffmpeg, long_films, x264
from peer_encoders import Source, mediacms, peertube

from liuying.core.playback.tables import rendition
from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.media.encoder_arguments import CLOCK, key_frame_rule, quality_arguments
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.ladder import Rung
from liuying.media.plan import Plan, make_plan
from liuying.media.probe import probe
from liuying.workflows.import_progress import Stage
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta

CLIPS = (
    "phone_vertical_1080x1916_h264.ts",
    "bbb_1080p60_aac51.mp4",
    "rotated90_720p.mp4",
    "butterfly_720p_stereo.mp4",
    "flower_540p_cc0.mp4",
)
LONG_S = 120
# Once as a camera writes, once so that the top rung can be kept.
LONG_FILMS = {
    "two_minutes": x264("14", "600"),
    "two_minutes_fit": [
        *x264("24", "60"),
        "-maxrate",
        "2500k",
        "-bufsize",
        "2500k",
        "-flags",
        "+cgop",
    ],
}
# One picture in so many is scored.
SCORED = 5


class Encoded(msgspec.Struct):
    """What one system made of a film. Seconds; height → file."""

    cpu: float
    wall: float
    first: float
    files: dict[int, Path]


def main() -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", help="a part of the name of the films to encode", default="")
    wanted = parser.parse_args().only
    with tempfile.TemporaryDirectory(prefix="liuying-encoding-") as folder:
        films = [SAMPLES / name for name in CLIPS if wanted in name]
        forms = {name: form for name, form in LONG_FILMS.items() if wanted in name}
        films += long_films(Path(folder), LONG_S, 720, forms)
        print(
            "| film | | CPU s | CPU against MediaCMS | first rung s | all s | first against MediaCMS's all "
            "| CPU against x264 | against x264 veryfast |\n|---|---|---|---|---|---|---|---|---|"
        )
        pictures = []
        for film in films:
            pictures += compare(film, Path(folder) / film.stem)
        print(
            "\n| film | height | VMAF / kbit/s 流影 | MediaCMS | PeerTube |\n|---|---|---|---|---|"
        )
        print("\n".join(pictures))


def compare(film: Path, folder: Path) -> list[str]:
    """Encode a film three times, print what that took; returns the lines of how the results
    look.
    """
    folder.mkdir()
    source = source_of(film)
    plan = make_plan(probe(film))
    ours = by_us(film, folder)
    peers = {"MediaCMS": by_peer(mediacms(source, made(folder / "mediacms")))}
    peers["PeerTube"] = by_peer(peertube(source, made(folder / "peertube")))
    is_copied = plan.rungs[-1].is_copied
    against = "— | —"
    if not is_copied:
        floors = [
            by_encoder_alone(film, plan, choose) for choose in (quality_arguments, plain_settings)
        ]
        against = " | ".join(f"{ours.cpu / floor:.2f}" for floor in floors)
    name = f"{film.stem} ({source.width}×{source.height}{', top rung kept' if is_copied else ''})"
    theirs = peers["MediaCMS"]
    print(
        f"| {name} | 流影 | {ours.cpu:.1f} | {ours.cpu / theirs.cpu:.2f} | {ours.first:.1f} | {ours.wall:.1f} "
        f"| {ours.first / theirs.wall:.2f} | {against} |"
    )
    for peer, result in peers.items():
        share = f"{result.cpu / theirs.cpu:.2f}"
        print(
            f"| | {peer} | {result.cpu:.1f} | {share} | {result.first:.1f} | {result.wall:.1f} | | | |",
            flush=True,
        )
    heights = sorted(set(ours.files) & set(theirs.files))
    cells = [ours, theirs, peers["PeerTube"]]
    return [
        f"| {film.stem} | {height} | "
        + " | ".join(looks(film, plan, each.files.get(height)) for each in cells)
        + " |"
        for height in heights
    ]


def by_us(film: Path, folder: Path) -> Encoded:
    """An import as the product does it, on an installation of its own."""
    services = open_services(Settings(data_dir=made(folder / "liuying")))
    migrate(services.database)
    first = 0.0

    def watch(stage: Stage, _share: float) -> None:
        nonlocal first
        if stage is Stage.LADDER and not first:
            first = time.monotonic() - began

    began = time.monotonic()
    with cpu_of_children() as spent, cpu_of_itself() as own:
        import_file(services, film, VideoMeta(title="测"), watch)
    wall = time.monotonic() - began
    with services.database.read() as connection:
        rows = connection.execute(
            sa.select(rendition.c.height, rendition.c.width, rendition.c.path)
        ).all()
    files = {}
    for height, width, playlist in rows:
        rung = services.data_dir / "media" / "public" / str(playlist).removeprefix("/media/")
        (published,) = rung.parent.glob("*.mp4")
        files[min(height, width)] = published
    services.database.close()
    return Encoded(spent[0] + own[0], wall, first or wall, files)


def by_peer(commands: dict[int, list[str]]) -> Encoded:
    """The commands one after the other: as one worker does."""
    began, first = time.monotonic(), 0.0
    with cpu_of_children() as spent:
        for arguments in commands.values():
            ffmpeg(arguments)
            first = first or time.monotonic() - began
    files = {side: Path(arguments[-1]) for side, arguments in commands.items()}
    return Encoded(spent[0], time.monotonic() - began, first, files)


def plain_settings(_plan: Plan, _rung: Rung) -> list[str]:
    """The encoder as x264 itself understands a quick encoding; the limits of time were derived from
    this one.
    """
    return [
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        "22",
        "-profile:v",
        "high",
    ]


def by_encoder_alone(film: Path, plan: Plan, choose: Callable[[Plan, Rung], list[str]]) -> float:
    """CPU seconds of x264 on our encoded rungs, without decoding, scaling, sound and packaging."""
    total = 0.0
    for rung in plan.rungs:
        if rung.is_copied:
            continue
        rate = rung.rate or plan.probe.timing.rate
        shape = f"scale={rung.width}:{rung.height}:flags=bicubic,fps={rate:g},format=yuv420p"
        feed = [
            ffmpeg_binary(),
            "-loglevel",
            "error",
            "-i",
            str(film),
            "-an",
            "-vf",
            shape,
            "-f",
            "rawvideo",
            "-",
        ]
        encode = [
            *(
                ffmpeg_binary(),
                "-loglevel",
                "error",
                "-f",
                "rawvideo",
                "-pix_fmt",
                "yuv420p",
            ),
            *(
                "-s",
                f"{rung.width}x{rung.height}",
                "-r",
                f"{rate:g}",
                "-i",
                "-",
                *choose(plan, rung),
            ),
            *(
                "-maxrate",
                str(rung.max_bits),
                "-bufsize",
                str(rung.max_bits * 2),
                "-sc_threshold",
                "0",
                "-g",
                "600",
            ),
            *(
                "-force_key_frames",
                key_frame_rule(plan),
                "-enc_time_base",
                CLOCK,
                "-f",
                "null",
                "-",
            ),
        ]
        feeder = subprocess.Popen(feed, stdout=subprocess.PIPE)
        encoder = subprocess.Popen(encode, stdin=feeder.stdout)
        if feeder.stdout is not None:
            feeder.stdout.close()
        _, _, usage = os.wait4(encoder.pid, 0)
        feeder.wait()
        total += usage.ru_utime + usage.ru_stime
    return total


def looks(film: Path, plan: Plan, encoded: Path | None) -> str:
    """`VMAF / kbit/s` of one rendition, shown at the source's size; the picture alone is
    counted.
    """
    if encoded is None:
        return "—"
    with av.open(str(encoded)) as container:
        stream = container.streams.video[0]
        rate, total, seconds = stream.average_rate, 0, 0.0
        for packet in container.demux(stream):
            total += packet.size
            if packet.pts is not None:
                seconds = max(
                    seconds,
                    float((packet.pts + (packet.duration or 0)) * packet.time_base),
                )
    side = plan.probe.video
    graph = (
        f"[0:v:0]fps={rate},scale={side.width}:{side.height}:flags=bicubic,format=yuv420p,setpts=N[d];"
        f"[1:{side.index}]fps={rate},scale={side.width}:{side.height}:flags=bicubic,format=yuv420p,setpts=N[r];"
        f"[d][r]libvmaf=n_threads=2:n_subsample={SCORED}:shortest=1"
    )
    arguments = [
        "-i",
        str(encoded),
        "-i",
        str(film),
        "-filter_complex",
        graph,
        "-f",
        "null",
        "-",
    ]
    said = ffmpeg(arguments, level="info")
    found = re.search(r"VMAF score: ([\d.]+)", said)
    if found is None:
        raise SystemExit(f"no score for {encoded.name}: {said[-400:]}")
    return f"{float(found[1]):.1f} / {total * 8 / seconds / 1000:,.0f}"


def source_of(film: Path) -> Source:
    """What the peers' commands need to know of a film."""
    found = probe(film)
    bits = int(film.stat().st_size * 8 / found.timing.duration)
    rate = Fraction(found.timing.rate).limit_denominator(1001)
    return Source(
        film,
        found.video.width,
        found.video.height,
        rate,
        bits,
        found.audio_index is not None,
    )


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@contextmanager
def _cpu(who: int) -> Iterator[list[float]]:
    before, spent = resource.getrusage(who), [0.0]
    yield spent
    after = resource.getrusage(who)
    spent[0] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cpu_of_children() -> AbstractContextManager[list[float]]:
    """CPU seconds of the processes that end meanwhile."""
    return _cpu(resource.RUSAGE_CHILDREN)


def cpu_of_itself() -> AbstractContextManager[list[float]]:
    """CPU seconds of this process."""
    return _cpu(resource.RUSAGE_SELF)


if __name__ == "__main__":
    main()
