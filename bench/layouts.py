"""How long the first frame and seeks take where a rendition is one file, beside the same films with
a file for every segment, as versions before published them.

An installation is filled as that of the browser tests, and a film of three minutes is imported on
it. A copy gets a file for every segment. Both are served by the same program, and asked in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from films import long_films, x264

from liuying.installation.services import open_services
from liuying.installation.settings import REPOSITORY, Settings
from liuying.kit.clock import system_clock
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from liuying_seeding.segment_files import cut_into_segments

FILM_S, HEIGHT = 180, 720
PATIENCE_S = 600
PORTS = (24_611, 24_612)
NAMES = ("one file a rendition", "a file for every segment")


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="liuying-layouts-") as name, ExitStack() as stack:
        folder = Path(name)
        video = fill(folder / "new")
        shutil.copytree(folder / "new", folder / "old")
        playlists = list((folder / "old").glob("data/media/*/*/*/index.m3u8"))
        for playlist in playlists:
            cut_into_segments(playlist.parent)
        urls = [
            stack.enter_context(served(folder / place, port))
            for place, port in zip(("new", "old"), PORTS, strict=True)
        ]
        found = subprocess.run(
            ["node", "bench/web/layouts.mjs", *urls, str(video), str(rounds)],
            cwd=REPOSITORY,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        counts = [len(objects_of(folder / place)) for place in ("new", "old")]
    times: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for line in found.stdout.splitlines():
        one = json.loads(line)
        times[one["what"]][one["installation"]].append(one["ms"])
    print(
        f"| median (and 90th percentile) | {NAMES[0]} | {NAMES[1]} | of each |\n|---|---|---|---|"
    )
    for what, both in times.items():
        cells = " | ".join(f"{figures(some)} ms" for some in both)
        print(f"| {what} | {cells} | {len(both[0])} |")
    print(f"| files below `media/`, {len(playlists)} renditions | {counts[0]} | {counts[1]} | |")


def figures(some: list[float]) -> str:
    """Median and 90th percentile."""
    ranks = statistics.quantiles(some, n=10, method="inclusive")
    return f"{statistics.median(some):.0f} ({ranks[8]:.0f})"


def objects_of(folder: Path) -> list[Path]:
    """The published files of an installation."""
    return [path for path in (folder / "data" / "media").rglob("*") if path.is_file()]


def fill(folder: Path) -> int:
    """Fill an installation as the browser tests do; the number of its long film."""
    filler = REPOSITORY / "e2e" / "fixtures" / "serve.py"
    with running([sys.executable, str(filler), str(folder), str(PORTS[0])], PORTS[0], {}):
        pass
    film = long_films(folder, FILM_S, HEIGHT, {"film": x264("20", "250")})[0]
    services = open_services(Settings(data_dir=folder / "data"), clock=system_clock)
    found = import_file(services, film, VideoMeta(title="长片", category="旅行"))
    services.database.close()
    return found.video_id


@contextmanager
def served(folder: Path, port: int) -> Iterator[str]:
    """An installation, served."""
    program = Path(sys.executable).parent / "liuying"
    given = {"LIUYING_DATA_DIR": str(folder / "data")}
    with running([str(program), "serve"], port, given) as url:
        yield url


@contextmanager
def running(command: list[str], port: int, given: dict[str, str]) -> Iterator[str]:
    """A server, from when it answers until the block ends."""
    environment = {**os.environ, **given, "PORT": str(port), "HOST": "127.0.0.1"}
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            until = time.monotonic() + PATIENCE_S
            while not answers(f"{url}/readyz"):
                if time.monotonic() > until or server.poll() is not None:
                    raise SystemExit(f"{url} does not answer")
                time.sleep(0.5)
            yield url
        finally:
            server.terminate()


def answers(url: str) -> bool:
    """Whether something answers."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    main()
