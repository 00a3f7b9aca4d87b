"""What a start costs with many videos: reading the orders of lists, and the searchable texts.

Starts three processes one after another, each of which does what a server does beside its first
answers. The first reads all texts and saves them, the others map what it saved. Seconds, MiB:
memory of its own, and of files, which processes share. At the end each asks for words of titles
that nobody has asked for before, milliseconds.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "backend")]

from server import memory_of  # noqa: E402  # the path above comes first

from liuying.core.catalogue.queries import change_log  # noqa: E402  # as above
from liuying.core.catalogue.sort_index import SortIndex  # noqa: E402  # as above
from liuying.features.search.memory_index import MemoryIndex  # noqa: E402  # as above
from liuying.features.search.pinyin import load_dictionaries  # noqa: E402  # as above
from liuying.features.search.result_cache import ResultCache  # noqa: E402  # as above
from liuying.features.search.saved_texts import SavedTexts  # noqa: E402  # as above
from liuying.features.search.tables import search_document  # noqa: E402  # as above
from liuying.installation.migrating import migrate  # noqa: E402  # as above
from liuying.installation.services import open_services  # noqa: E402  # as above
from liuying.installation.settings import Settings  # noqa: E402  # as above
from liuying.kit.clock import system_clock  # noqa: E402  # as above
from liuying.kit.database import Database  # noqa: E402  # as above
from liuying.kit.freed_memory import give_memory_back  # noqa: E402  # as above
from liuying_seeding import fill  # noqa: E402  # as above
from liuying_seeding.videos import Plan  # noqa: E402  # as above

WORDS = 400
# Of titles that are read to take words from.
TITLES = 4_000
LENGTHS = (1, 2, 3, 4)


def start(folder: str, name: str) -> None:
    """Read everything as a server does, and print a line of the table."""
    services = open_services(Settings(data_dir=Path(folder)))
    database = services.database
    before, cpu = memory_of_own(), time.process_time()
    began = time.perf_counter()
    orders = SortIndex(database, services.hashes)
    orders.build()
    give_memory_back()
    listed = time.perf_counter() - began
    load_dictionaries()
    texts = MemoryIndex(
        database, change_log, SavedTexts(services.layout.searched_texts, database, services.clock)
    )
    texts.build()
    gc.freeze()
    give_memory_back()
    searched, used = time.perf_counter() - began, time.process_time() - cpu
    times = ask(database, texts)
    own, files = memory_of_own(), memory_of(os.getpid(), "RssFile")
    cells = (
        f"{listed:.1f}",
        f"{searched:.1f}",
        f"{used:.1f}",
        f"{before}",
        f"{own}",
        f"{files}",
        f"{memory_of(os.getpid(), 'VmHWM')}",
        f"{times[len(times) // 2]:.2f}",
        f"{times[len(times) * 99 // 100]:.2f}",
    )
    print(f"| {name} | {' | '.join(cells)} |", flush=True)
    database.close()


def memory_of_own() -> int:
    """MiB that no other process shares."""
    return memory_of(os.getpid(), "RssAnon")


def ask(database: Database, texts: MemoryIndex) -> list[float]:
    """Search for parts of some titles, each once; milliseconds, ascending."""
    dice = random.Random(7)
    times, results = [], ResultCache(texts)
    with database.read() as connection:
        newest = connection.execute(sa.select(sa.func.max(search_document.c.video_id))).scalar_one()
        wanted = sorted(dice.sample(range(1, newest + 1), TITLES))
        statement = sa.select(search_document.c.title).where(search_document.c.video_id.in_(wanted))
        titles = list(connection.execute(statement).scalars())
        words = {
            title[place : place + dice.choice(LENGTHS)].strip()
            for title in titles
            for place in [dice.randrange(max(1, len(title) - 4))]
        }
        for word in sorted(words - {""})[:WORDS]:
            began = time.perf_counter()
            results.find(connection, word, 0, 24)
            times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


def main() -> None:
    """Fill, start three times and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=300_000)
    parser.add_argument("--data", type=Path, help="a folder that `liuying bench seed` has filled")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        services = open_services(Settings(data_dir=chosen.data or Path(scratch)))
        migrate(services.database)
        if chosen.data is None:
            fill.seed(services.database, Plan(chosen.videos, 1, system_clock()))
        with services.database.read() as connection:
            count = sa.select(sa.func.count()).select_from(search_document)
            videos = connection.execute(count).scalar_one()
        services.database.close()
        saved = services.layout.searched_texts
        shutil.rmtree(saved, ignore_errors=True)
        print(
            f"{videos:,} videos.\n\n"
            "| start | lists | searches | CPU | own before | own | of files | at most | p50 | p99 |\n"
            f"{'|---' * 10}|",
            flush=True,
        )
        # Each a process of its own, as servers are.
        spawned = multiprocessing.get_context("spawn")
        for name in ("reads and saves", "maps", "maps again"):
            process = spawned.Process(target=start, args=(str(services.settings.data_dir), name))
            process.start()
            process.join()
            if process.exitcode:
                sys.exit(1)
        size = sum(file.stat().st_size for file in saved.rglob("*") if file.is_file())
        print(f"\nThe saved files have {size / 1_000_000:,.0f} MB.")


if __name__ == "__main__":
    main()
