"""What a search costs in the engine, beside the same question put as LIKE.

Fills an installation of its own (`liuying bench seed`), then asks for parts of its titles: words of one to four
characters and pairs of words. `first` is the whole work of a query that nobody asked before (every id in order,
counted), `page` a later page of the same query, `LIKE` the first page and the count without an index. Milliseconds.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import sqlalchemy as sa

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "backend")]

from liuying.domains.search.folding import fold  # noqa: E402  # the path above comes first
from liuying.domains.search.kept_orders import KeptOrders  # noqa: E402  # as above
from liuying.domains.search.query import ordered_ids  # noqa: E402  # as above
from liuying.domains.search.tables import search_document  # noqa: E402  # as above
from liuying.kit.clock import system_clock  # noqa: E402  # as above
from liuying.main.migrating import migrate  # noqa: E402  # as above
from liuying.main.services import open_services  # noqa: E402  # as above
from liuying.main.settings import Settings  # noqa: E402  # as above
from liuying.workflows.seeding.fill import seed  # noqa: E402  # as above
from liuying.workflows.seeding.videos import Plan  # noqa: E402  # as above

PAGE = 24
FOUND = search_document.c


def parts(titles: Sequence[str], length: int, count: int) -> list[str]:
    """Parts of titles, as often as titles hold them; `length` 0 is two words of two characters."""
    dice = random.Random(length)  # noqa: S311  # no secret
    found: list[str] = []
    while len(found) < count:
        words = fold(dice.choice(titles)).split()
        word = dice.choice(words)
        if len(word) >= max(length, 5):
            start = dice.randrange(len(word) - max(length, 4) + 1)
            found.append(word[start : start + length] if length else f"{word[:2]} {word[-2:]}")
    return found


def like(connection: sa.Connection, keyword: str) -> int:
    """The count and the first page by LIKE."""
    matches = sa.and_(*(FOUND.text.contains(word, autoescape=True) for word in keyword.split()))
    total = connection.execute(sa.select(sa.func.count()).select_from(search_document).where(matches)).scalar_one()
    connection.execute(sa.select(FOUND.video_id).where(matches).order_by(FOUND.score.desc()).limit(PAGE)).all()
    return total


def timed(work: Callable[[str], object], words: Sequence[str]) -> str:
    """Median and 99th percentile in milliseconds, as two cells."""
    times = []
    for word in words:
        began = time.perf_counter()
        work(word)
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return f"{times[len(times) // 2]:.2f} | {times[min(len(times) - 1, len(times) * 99 // 100)]:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=200_000)
    parser.add_argument(
        "--queries",
        type=int,
        default=200,
        help="for each length; of LIKE a tenth of it",
    )
    parser.add_argument(
        "--database",
        default="",
        help="address of an empty PostgreSQL database; SQLite without it",
    )
    parser.add_argument("--data", type=Path, help="a folder that `liuying bench seed` has filled")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.data or Path(scratch)
        services = open_services(Settings(data_dir=folder, database_url=chosen.database))
        migrate(services.database)
        if chosen.data is None:
            seed(services.database, Plan(chosen.videos, 1, system_clock()))
        with services.database.read() as connection:
            titles = list(connection.execute(sa.select(FOUND.title).order_by(FOUND.video_id)).scalars())
        size = sum(file.stat().st_size for file in folder.glob("*.db*")) / 1_000_000
        print(f"{len(titles):,} titles; {size:.0f} MB with everything else\n")
        print(
            "| words | found | first p50 | p99 | page p50 | p99 | LIKE p50 | p99 |\n|---|---|---|---|---|---|---|---|"
        )
        with services.database.read() as connection:
            for length, name in ((1, "1"), (2, "2"), (3, "3"), (4, "4"), (0, "2 + 2")):
                words = parts(titles, length, chosen.queries)
                kept = KeptOrders()
                found = sorted(len(ordered_ids(connection, word)) for word in words)
                for word in words:
                    kept.find(connection, word, 0, PAGE)
                cells = [
                    timed(lambda word: ordered_ids(connection, word), words),
                    timed(lambda word: kept.find(connection, word, 5 * PAGE, PAGE), words),
                    timed(
                        lambda word: like(connection, word),
                        words[: max(1, len(words) // 10)],
                    ),
                ]
                print(
                    f"| {name} | {found[len(found) // 2]:,} | {' | '.join(cells)} |",
                    flush=True,
                )
        services.database.close()


if __name__ == "__main__":
    main()
