"""What a search costs in the engine, beside the same question put as LIKE.

Fills a database of its own with made-up titles, then asks for parts of them: words of one to four characters and pairs
of words. `first` is the whole work of a query that nobody asked before (every id in order, counted), `page` a later
page of the same query, `LIKE` the first page and the count without an index. Milliseconds.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import sqlalchemy as sa

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "backend")]

from liuying.domains.search.documents import VideoTexts, write_documents  # noqa: E402  # the path above comes first
from liuying.domains.search.folding import fold  # noqa: E402  # as above
from liuying.domains.search.kept_orders import KeptOrders  # noqa: E402  # as above
from liuying.domains.search.query import ordered_ids  # noqa: E402  # as above
from liuying.domains.search.tables import search_document  # noqa: E402  # as above
from liuying.main.migrating import migrate  # noqa: E402  # as above
from liuying.main.services import open_services  # noqa: E402  # as above
from liuying.main.settings import Settings  # noqa: E402  # as above
from tests.chinese_titles import make_titles  # noqa: E402  # as above

BATCH = 5000
PAGE = 24
FOUND = search_document.c


def fill(connection: sa.Connection, titles: Sequence[str], first_id: int) -> None:
    """Index a batch; views and dates differ, so that there is an order."""
    write_documents(
        connection,
        [
            VideoTexts(
                first_id + place,
                title,
                ["标签", title[:2]],
                (first_id + place) % 9973,
                place * 86_400_000,
            )
            for place, title in enumerate(titles)
        ],
    )


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


def batches(titles: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(titles, BATCH)):
        yield batch


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
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = open_services(Settings(data_dir=Path(folder), database_url=chosen.database))
        migrate(services.database)
        titles: list[str] = []
        began = time.perf_counter()
        for batch in batches(make_titles(chosen.videos)):
            with services.database.write() as connection:
                fill(connection, batch, len(titles) + 1)
            titles += batch
        each = (time.perf_counter() - began) / len(titles) * 1_000_000
        size = sum(file.stat().st_size for file in Path(folder).glob("*.db*")) / 1_000_000
        print(f"{len(titles):,} titles, indexed in {each:.0f} µs each; {size:.0f} MB with their texts\n")
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
