"""How much sooner a long film is whole where two workers share it than where one makes it alone.

A film of five minutes, put together from the real clips in LIUYING_SAMPLES, is queued on a fresh
installation and made by one `liuying worker` on the first processor; then on another one by two,
each on a processor of its own. The result must be the same to the last bit. Needs two processors
that nobody else uses: other work spoils the seconds, less so how the CPU time is shared among the
workers.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path

import msgspec
import sqlalchemy as sa
from films import long_films, x264

from liuying.core.jobs.rules import State
from liuying.core.jobs.tables import job
from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.workflows.import_manifest import Item
from liuying.workflows.import_run import ImportRun
from liuying.workflows.video_meta import GivenMeta

LOOK_S = 0.5


class Made(msgspec.Struct):
    """What some workers made of the film: seconds from the claim to the end, CPU seconds of each,
    name → hash.
    """

    wall: float
    cpu: list[float]
    files: dict[str, str]


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=300, help="how long the film is")
    parser.add_argument("--height", type=int, default=540, help="its height in pixels")
    wanted = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:
        raise SystemExit("two processors are needed")
    with tempfile.TemporaryDirectory(prefix="liuying-workers-") as name:
        folder = Path(name)
        film = long_films(folder, wanted.seconds, wanted.height, {"film": x264("20", "250")})[0]
        one = make(film, folder / "one", processors[:1])
        two = make(film, folder / "two", processors[:2])
    print(
        "| workers, each on one processor | s from claim to done | against one | CPU s of each |\n|---|---|---|---|"
    )
    for number, run in enumerate((one, two), 1):
        each = " + ".join(f"{seconds:.0f}" for seconds in sorted(run.cpu, reverse=True))
        print(f"| {number} | {run.wall:.1f} | {one.wall / run.wall:.2f} | {each} |")
    if one.files != two.files:
        raise SystemExit("the published files differ")
    print(
        f"\n{wanted.seconds} s of {wanted.height} lines; all {len(one.files)} published files are the same."
    )


def make(film: Path, data_dir: Path, processors: list[int]) -> Made:
    """Queue the film on a new installation, and let a worker on each processor finish it."""
    data_dir.mkdir()
    services = open_services(Settings(data_dir=data_dir), clock=system_clock)
    migrate(services.database)
    with redirect_stdout(sys.stderr):
        ImportRun(services, GivenMeta(), is_queued=True).run([Item(film)])
    cpu: list[float] = []
    with ExitStack() as stack:
        workers = [
            stack.enter_context(worker(data_dir, processor, cpu)) for processor in processors
        ]
        while True:
            with services.database.read() as connection:
                found = connection.execute(sa.select(job)).one()
            if found.state == State.DONE.value:
                break
            if found.cause_en or any(one.poll() is not None for one in workers):
                raise SystemExit(f"not made: {found.cause_en}")
            time.sleep(LOOK_S)
    services.database.close()
    return Made(
        (found.ended_at - found.started_at) / 1000,
        cpu,
        hashes(data_dir / "media" / "public"),
    )


@contextmanager
def worker(data_dir: Path, processor: int, cpu: list[float]) -> Iterator[subprocess.Popen[bytes]]:
    """`liuying worker` on one processor; ended in order, and its CPU seconds with those of its
    processes added.
    """
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {processor})
    try:
        command = [sys.executable, "-m", "liuying", "worker"]
        process = subprocess.Popen(command, env={**os.environ, "LIUYING_DATA_DIR": str(data_dir)})
    finally:
        os.sched_setaffinity(0, every)
    try:
        yield process
    finally:
        before = os.times()
        process.terminate()
        process.wait()
        after = os.times()
        cpu.append(
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )


def hashes(public: Path) -> dict[str, str]:
    """Of every published file, by its name below its video's folder."""
    (video,) = public.iterdir()
    return {
        str(path.relative_to(video)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(video.rglob("*"))
        if path.is_file()
    }


if __name__ == "__main__":
    main()
