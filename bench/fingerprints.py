"""Films that were taken down, and others: how many of their variants are held, and how many pairs
of different films are taken for one another.

Films are drawn from the demo's scenes. Variants go through the transcoder twice: as somebody makes
them, and as the lowest rendition that an import makes of them. Pairs of different films share a
title card, an intro, a black part or a drawn scene in groups; all others may contain the same kind
of scene, drawn from another seed.

Give `--samples` a folder with further films, whose variants count too.

The file is long because it both makes what is measured and measures it.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import av
import numpy as np
from PIL import Image, ImageDraw

from liuying.core.playback.queries import tombstones
from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.database import Database
from liuying.media import fingerprint, sketching
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.fingerprint import Fingerprint, Sketch
from liuying.media.fingerprint_matching import find_match, may_match
from liuying.workflows import publication
from liuying.workflows.import_video import import_file
from liuying.workflows.resemblance import refuse_resembling
from liuying.workflows.video_meta import VideoMeta
from liuying_demo.render import Cut, stage_of
from liuying_demo.scenes.repertoire import SCENES

SIZE, RATE = (480, 270), 20
ENCODE = ("-an", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p")
EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2"
VARIANTS = {
    "re-encode": ("-vf", EVEN, "-crf", "33"),
    "360p": ("-vf", f"scale=-2:180,{EVEN}", "-crf", "28"),
    "crop 10 %": ("-vf", f"crop=iw*0.9:ih*0.9,{EVEN}"),
    "border": ("-vf", f"pad=iw*1.2:ih*1.2:(ow-iw)/2:(oh-ih)/2,{EVEN}"),
    "logo": ("-vf", f"drawbox=x=iw*0.77:y=ih*0.06:w=iw*0.18:h=ih*0.13:color=yellow:t=fill,{EVEN}"),
    "5 % faster": ("-vf", f"setpts=PTS/1.05,{EVEN}"),
    "5 % slower": ("-vf", f"setpts=PTS/0.95,{EVEN}"),
    "mirrored": ("-vf", f"hflip,{EVEN}"),
    "30 s intro": (),
}
# Films that were taken down where imports are measured, and seconds of each.
TAKEN_DOWN, TAKEN_S = 20, 60
# Films whose import is measured: size, seconds, and pictures from one key frame to the next.
COSTS = (
    ((320, 180), 60, 250),
    (SIZE, 60, 250),
    (SIZE, 60, 5),
    (SIZE, 20, 250),
    (SIZE, 20, 40),
    (SIZE, 10, 250),
    ((640, 360), 20, 250),
)
# Seconds of what a group shares.
SHARED = {"title card": 6, "intro": 20, "black": 15, "drawn scene": 15}


def transcode(*arguments: str, folder: Path | None = None) -> None:
    """Run the transcoder, in a folder if one is given."""
    command = [ffmpeg_binary(), "-v", "error", "-y", *arguments]
    subprocess.run(command, check=True, cwd=folder)


def runner(folder: Path) -> sketching.Run:
    """The transcoder in a folder, as sketching calls it."""
    return lambda arguments: transcode(*arguments, folder=folder)


def shots(seed: int, seconds: float) -> list[Cut]:
    """A film: scenes of 3 to 8 s."""
    chance = random.Random(seed)
    cuts: list[Cut] = []
    while sum(cut.seconds for cut in cuts) < seconds:
        scene = SCENES[chance.choice(sorted(SCENES))]
        cuts.append(Cut(scene, chance.uniform(3, 8), chance.randrange(1_000_000)))
    return cuts


def frames(cuts: list[Cut], size: tuple[int, int], rate: float) -> Iterator[Image.Image]:
    """Its frames."""
    for cut in cuts:
        shot = cut.scene(stage_of(cut, size))
        for number in range(round(cut.seconds * rate)):
            yield shot(number / rate).to_image()


def draw(
    seed: int, seconds: float, target: Path, size: tuple[int, int] = SIZE, keys: int = 250
) -> Path:
    """A film's file, with a key frame every so many pictures at least."""
    command = [ffmpeg_binary(), "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", f"{size[0]}x{size[1]}", "-r", str(RATE), "-i", "-", *ENCODE]
    command += ["-g", str(keys), str(target)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None
        for frame in frames(shots(seed, seconds), size, RATE):
            encoder.stdin.write(frame.convert("RGB").tobytes())
        encoder.stdin.close()
    return target


def rendition(source: Path) -> Path:
    """As the lowest one of an import: a key frame every 2 s."""
    target = source.with_suffix(".240.mp4")
    keys = ("-force_key_frames", "expr:gte(t,n_forced*2)", "-sc_threshold", "0", "-g", "250")
    transcode("-i", str(source), "-vf", "scale=-2:240", *ENCODE, "-crf", "27", *keys, str(target))
    return target


def glance(source: Path) -> Sketch:
    """As an import's."""
    with av.open(str(source)) as container:
        length = (container.duration or 0) / av.time_base
    return sketching.glance_at_rendition(source, length)


def sketch(source: Path) -> Sketch:
    """As an import's, where it looks closely."""
    folder = source.parent
    return sketching.sketch_rendition(runner(folder), folder, source)


def taken_down(source: Path) -> Fingerprint:
    """As when it is taken down."""
    folder = source.parent
    return sketching.fingerprint_rendition(runner(folder), folder, source)


def variants(films: list[Path], folder: Path, wanted: int) -> None:
    """Make variants, in turn of every kind, and say how many are held."""
    intro = draw(999, 30, folder / "intro.mp4")
    taken = {film: taken_down(rendition(film)) for film in films}
    held, made, missed, named = Counter[str](), Counter[str](), [], 0
    turns = itertools.cycle(VARIANTS.items())
    for film, (kind, options) in zip(itertools.cycle(films), turns, strict=False):
        if sum(made.values()) == wanted:
            break
        target = folder / f"{film.stem}-{kind.replace(' ', '-')}.mp4"
        if options:
            transcode("-i", str(film), *options, *ENCODE, str(target))
        else:
            both = "".join(f"[{n}:v]scale=480:270,setsar=1,fps={RATE}[v{n}];" for n in (0, 1))
            joined = f"{both}[v0][v1]concat=n=2:v=1:a=0"
            given = ("-i", str(intro), "-i", str(film), "-filter_complex", joined)
            transcode(*given, *ENCODE, str(target))
        made_of_it = rendition(target)
        is_suspect = may_match(glance(made_of_it), taken[film])
        found = find_match(sketch(made_of_it), taken[film]) if is_suspect else None
        made[kind] += 1
        if found is None:
            missed.append(target.stem)
            continue
        held[kind] += 1
        # Where an intro was added, what is named begins after it.
        named += kind != "30 s intro" or found.spans[0][0] > 20
    print("| variant | made | held |\n|---|---|---|")
    for kind in VARIANTS:
        print(f"| {kind} | {made[kind]} | {held[kind]} |")
    print(f"| all | {sum(made.values())} | {sum(held.values())} |")
    print(
        f"\nThe seconds named lie within the film in {named} of them. Missed: {missed or 'none'}."
    )


def drawn_pictures(cuts: list[Cut]) -> fingerprint.Pictures:
    """Pictures of a film, as the transcoder hands them over."""
    square = (fingerprint.SIDE, fingerprint.SIDE)
    drawn = frames(cuts, (240, 136), fingerprint.TAKEN_RATE)
    return np.stack(
        [np.asarray(one.convert("L").resize(square, Image.Resampling.BOX)) for one in drawn]
    )


def shared_part(kind: str) -> fingerprint.Pictures:
    """What the films of a group have in common."""
    count = SHARED[kind] * fingerprint.TAKEN_RATE
    if kind == "black":
        return np.full((count, fingerprint.SIDE, fingerprint.SIDE), 16, np.uint8)
    if kind == "title card":
        card = Image.new("L", (fingerprint.SIDE, fingerprint.SIDE), 20)
        drawing = ImageDraw.Draw(card)
        for line, text in enumerate(("LIUYING", "presents", "a film by")):
            drawing.text((20 + 6 * line, 25 + 14 * line), text, fill=230)
        return np.repeat(np.asarray(card)[None], count, axis=0)
    seconds = float(SHARED[kind])
    cuts = shots(77, seconds) if kind == "intro" else [Cut(SCENES["peak"], seconds, 5)]
    return drawn_pictures(cuts)[:count]


def pairs(number: int) -> None:
    """Compare different films with each other, and say how many are taken for one another."""
    kinds = list(SHARED)
    parts = {kind: shared_part(kind) for kind in kinds}
    group = number // 6
    taken: list[Fingerprint] = []
    glanced: list[Sketch] = []
    seen: list[Sketch] = []
    for film in range(number):
        own = drawn_pictures(shots(10_000 + film, 40))
        kind = kinds[film // group] if film // group < len(kinds) else None
        whole = own if kind is None else np.concatenate([parts[kind], own])
        taken.append(fingerprint.fingerprint_of(whole))
        moments = np.arange(len(whole)) / fingerprint.TAKEN_RATE
        at_a_glance = sketching.glance_seconds(len(whole) / fingerprint.TAKEN_RATE)
        for looks, seconds in ((glanced, at_a_glance), (seen, sketching.KEY_FRAMES_S)):
            keys = slice(None, None, round(seconds * fingerprint.TAKEN_RATE))
            looks.append(fingerprint.sketch_of(whole[keys], moments[keys]))
    wrong, compared, sharing, closely = [], 0, 0, [0, 0]
    glancing = 0.0
    began = time.process_time()
    for one, other in itertools.combinations(range(number), 2):
        compared += 1
        is_sharing = one // group == other // group and one // group < len(kinds)
        sharing += is_sharing
        glances = time.process_time()
        closely[is_sharing] += may_match(glanced[one], taken[other])
        glancing += time.process_time() - glances
        # Of every pair, so that the close look is measured too.
        if find_match(seen[one], taken[other]) is not None:
            wrong.append((one, other, kinds[one // group] if is_sharing else ""))
    spent = time.process_time() - began
    print(
        f"\n{compared} pairs of different films, of which {sharing} share a part "
        f"({', '.join(f'{kind} {seconds} s' for kind, seconds in SHARED.items())}): "
        f"{len(wrong)} taken for one another. "
        f"{1000 * (spent - glancing) / compared:.1f} ms of processor time a pair. At a glance, "
        f"{1000 * glancing / compared:.2f} ms a pair, {closely[1]} of those that share a part need "
        f"a closer look and {closely[0]} of the {compared - sharing} others."
    )
    for one, other, kind in wrong[:20]:
        print(f"- {one} and {other} {kind}")


class Looks:
    """In place of `refuse_resembling`, and what it costs.

    Attributes:
        seconds: Of processor time, for each import.
        closely: How many films were looked at closely.
    """

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.closely = 0

    def __call__(
        self, database: Database, glance: Callable[[], Sketch], sketch: Callable[[], Sketch]
    ) -> None:
        def counted() -> Sketch:
            self.closely += 1
            return sketch()

        began = _processor_time()
        refuse_resembling(database, glance, counted)
        self.seconds.append(_processor_time() - began)


def costs(folder: Path, rounds: int) -> None:
    """Import films into new installations, in turn without and with films that were taken down,
    and say what looking costs.
    """
    taken = [
        fingerprint.fingerprint_of(drawn_pictures(shots(20_000 + number, TAKEN_S))).to_bytes()
        for number in range(TAKEN_DOWN)
    ]
    print(
        f"\nProcessor time of an import, without and with {TAKEN_DOWN} films of {TAKEN_S} s that "
        f"were taken down, in turn; medians of {rounds}.\n\n| film | key frames every | import | "
        "with them, pair by pair | looking | share | looked at closely |\n"
        "|---|---|---|---|---|---|---|"
    )
    for size, seconds, keys in COSTS:
        name = f"{size[0]}x{size[1]}, {seconds} s"
        film = draw(500, seconds, folder / f"{name}-{keys}.mp4", size, keys)
        # The first import loads what later ones find loaded.
        imported(film, folder / f"{name}-{keys}-loading", taken, Looks())
        without, ratios, looks = [], [], Looks()
        for number in range(rounds):
            place = folder / f"{name}-{keys}-{number}"
            without.append(imported(film, place / "without", [], Looks()))
            ratios.append(imported(film, place / "with", taken, looks) / without[-1])
        looking, whole = statistics.median(looks.seconds), statistics.median(without)
        print(
            f"| {name} | {keys / RATE:g} s | {whole:.2f} s | "
            f"{100 * (statistics.median(ratios) - 1):+.1f} % | {1000 * looking:.0f} ms | "
            f"{100 * looking / whole:.1f} % | {looks.closely} of {rounds} |",
            flush=True,
        )


def imported(film: Path, folder: Path, taken: list[bytes], looks: Looks) -> float:
    """Seconds of processor time that an import into a new installation takes."""
    services = open_services(Settings(data_dir=folder))
    migrate(services.database)
    with services.database.write() as connection:
        for number, one in enumerate(taken):
            tombstones.lay_tombstone(connection, f"{number:064}", "bench", 0)
            tombstones.set_fingerprint(connection, f"{number:064}", one)
    began = _processor_time()
    with mock.patch.object(publication, "refuse_resembling", looks):
        import_file(services, film, VideoMeta())
    return _processor_time() - began


def _processor_time() -> float:
    """Seconds of this process and its ended children."""
    return sum(
        one.ru_utime + one.ru_stime
        for one in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def main() -> None:
    """Draw, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--films", type=int, default=20)
    parser.add_argument("--variants", type=int, default=63)
    parser.add_argument("--pairs-of", type=int, default=204)
    parser.add_argument("--samples", type=Path)
    parser.add_argument("--cost-rounds", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        films = sorted(chosen.samples.glob("*.mp4")) if chosen.samples else []
        films = [Path(film) for film in films]
        for number in range(chosen.films - len(films)):
            films.append(draw(number, 45, folder / f"film-{number}.mp4"))
        if films:
            variants(films, folder, chosen.variants)
        if chosen.cost_rounds:
            costs(folder, chosen.cost_rounds)
    if chosen.pairs_of:
        pairs(chosen.pairs_of)


if __name__ == "__main__":
    main()
