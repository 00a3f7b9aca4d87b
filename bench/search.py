"""What a search costs in the engine, beside the same question put to the database, and put as LIKE.

Fills an installation of its own (`liuying bench seed`), then asks for parts of its titles, as often
as titles hold them: words of one to four characters and pairs of words. `first` is the first page
and the count of a query that nobody asked before, with the texts in memory; `views` the same query
again after views were added to many videos; `page` a later page of it; `database` the whole work of
the statements, which answer until the texts are in memory; `LIKE` the first page and the count
without an index. Then the same in letters, what is offered of titles while somebody types them, and
whole suggestions: hot words, names and titles.
Milliseconds. Views are added to the installation.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import sqlalchemy as sa

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "backend")]

from liuying.core.catalogue.queries import change_log  # noqa: E402  # the path above comes first
from liuying.core.catalogue.tables import artist, label  # noqa: E402  # as above
from liuying.features.search.folding import fold  # noqa: E402  # as above
from liuying.features.search.memory_index import MemoryIndex  # noqa: E402  # as above
from liuying.features.search.names_index import NamesIndex  # noqa: E402  # as above
from liuying.features.search.offered_hot_words import OfferedHotWords  # noqa: E402  # as above
from liuying.features.search.pinyin import (  # noqa: E402  # as above
    HAN,
    load_dictionaries,
    readings_of_sign,
)
from liuying.features.search.queries.matches import ordered_ids  # noqa: E402  # as above
from liuying.features.search.result_cache import ResultCache  # noqa: E402  # as above
from liuying.features.search.suggestions import related, suggest  # noqa: E402  # as above
from liuying.features.search.tables import search_document  # noqa: E402  # as above
from liuying.features.views.tables import view_pending  # noqa: E402  # as above
from liuying.installation.migrating import migrate  # noqa: E402  # as above
from liuying.installation.services import open_services  # noqa: E402  # as above
from liuying.installation.settings import Settings  # noqa: E402  # as above
from liuying.kit.clock import system_clock  # noqa: E402  # as above
from liuying.kit.database import Database  # noqa: E402  # as above
from liuying.pages.ranks import aggregate_views  # noqa: E402  # as above
from liuying_seeding.fill import seed  # noqa: E402  # as above
from liuying_seeding.videos import Plan  # noqa: E402  # as above

PAGE = 24
# Videos that are watched within 15 seconds.
VIEWED = 500
FOUND = search_document.c
LETTERS_ASKED = (("pinyin", 1), ("pinyin", 2), ("pinyin", 3), ("initials", 3))
# Titles offered while somebody types.
OFFERED = 10


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
    total = connection.execute(
        sa.select(sa.func.count()).select_from(search_document).where(matches)
    ).scalar_one()
    connection.execute(
        sa.select(FOUND.video_id).where(matches).order_by(FOUND.score.desc()).limit(PAGE)
    ).all()
    return total


def timed(work: Callable[[str], object], words: Sequence[str]) -> str:
    """Median and 99th percentile in milliseconds, as two cells."""
    times = []
    for word in words:
        began = time.perf_counter()
        work(word)
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return (
        f"{times[len(times) // 2]:.2f} | {times[min(len(times) - 1, len(times) * 99 // 100)]:.2f}"
    )


def add_views(database: Database, dice: random.Random) -> None:
    """Views for many videos, added up as the server does every 15 seconds."""
    with database.write() as connection:
        known = list(connection.execute(sa.select(FOUND.video_id)).scalars())
        rows = [
            {"video_id": one, "views": 10 ** dice.randrange(7)}
            for one in dice.sample(known, VIEWED)
        ]
        connection.execute(sa.insert(view_pending), rows)
    aggregate_views(database, system_clock())


def measure(database: Database, index: MemoryIndex, words: Sequence[str]) -> list[str]:
    """The cells of a line."""
    kept = ResultCache(index)
    with database.read() as connection:
        found = sorted(kept.find(connection, word, 0, 1)[1] for word in words)
        # Nothing is kept of what was asked before.
        first = timed(lambda word: ResultCache(index).find(connection, word, 0, PAGE), words)
    add_views(database, random.Random(1))  # noqa: S311  # no secret
    with database.read() as connection:
        index.follow(connection)
        few = words[: max(1, len(words) // 10)]
        return [
            f"{found[len(found) // 2]:,}",
            first,
            timed(
                lambda word: kept.find(connection, word, 0, PAGE),
                list(dict.fromkeys(words)),
            ),
            timed(lambda word: kept.find(connection, word, 5 * PAGE, PAGE), words),
            timed(lambda word: ordered_ids(connection, word), few),
            timed(lambda word: like(connection, word), few),
        ]


def spelled(titles: Sequence[str], length: int, count: int, *, initials: bool) -> list[str]:
    """What so many characters of titles are in pinyin, or their initials."""
    dice = random.Random(length)  # noqa: S311  # no secret
    found: list[str] = []
    while len(found) < count:
        run = HAN.search(fold(dice.choice(titles)))
        if run is not None and len(run.group()) >= length:
            sounds = [readings_of_sign(sign)[0] for sign in run.group()[:length]]
            found.append("".join(one[0] for one in sounds) if initials else "".join(sounds))
    return found


def print_letters(
    database: Database, index: MemoryIndex, titles: Sequence[str], count: int
) -> None:
    """Searches in letters, then titles that begin as typed: in memory, and by the statements."""
    kept, statements = ResultCache(index), ResultCache()
    print(
        "\n| in letters | found | memory p50 | p99 | database p50 | p99 |\n|---|---|---|---|---|---|"
    )
    with database.read() as connection:
        for kind, length in LETTERS_ASKED:
            words = spelled(titles, length, count, initials=kind == "initials")
            totals = sorted(kept.find(connection, word, 0, 1)[1] for word in words)
            cells = [
                timed(
                    lambda word: ResultCache(index).find(connection, word, 0, PAGE),
                    words,
                ),
                timed(lambda word: ordered_ids(connection, word), words[: count // 20]),
            ]
            print(f"| {kind} of {length} | {totals[len(totals) // 2]:,} | {' | '.join(cells)} |")
        for kind, length in LETTERS_ASKED:
            words = spelled(titles, length, count, initials=kind == "initials")
            words = [word for word in words if len(word) > 1]
            cells = [
                timed(lambda word: one.titles_beginning(connection, word, OFFERED), some)
                for one, some in ((kept, words), (statements, words[: count // 10]))
            ]
            print(
                f"| titles begun: {kind} of {length} | | {' | '.join(cells)} |",
                flush=True,
            )


def print_suggestions(
    database: Database, index: MemoryIndex, titles: Sequence[str], count: int
) -> None:
    """Whole suggestions for what is typed of titles and of names: in memory, and by the
    statements.
    """
    names = NamesIndex(database)
    names.read_again()
    kept, statements = ResultCache(index, names), ResultCache()
    now = system_clock()
    with database.read() as connection:
        called = [
            row.name for table in (artist, label) for row in connection.execute(table.select())
        ]
        print(
            f"\n| {len(called):,} names | memory p50 | p99 | database p50 | p99 |\n|---|---|---|---|---|"
        )
        signs = [fold(one)[:length] for one in [*titles, *called] for length in (1, 2, 3)]
        dice = random.Random(count)  # noqa: S311  # no secret
        typed = {
            "characters typed": (suggest, dice.sample(signs, count)),
            "letters typed": (
                suggest,
                [
                    word[: dice.randint(1, len(word))]
                    for length in (1, 2, 3)
                    for texts in (titles, called)
                    for word in spelled(texts, length, count // 6, initials=False)
                ],
            ),
            "found nothing": (related, spelled(titles, 4, count, initials=False)),
        }
        for name, (offer, words) in typed.items():
            cells = []
            for orders, some in ((kept, words), (statements, words[:: max(1, len(words) // 20)])):
                hot = OfferedHotWords(orders)
                cells.append(timed(partial(offer, connection, orders, hot, now=now), some))
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=200_000)
    parser.add_argument(
        "--queries",
        type=int,
        default=200,
        help="for each length; of the database a tenth of it",
    )
    parser.add_argument(
        "--once",
        action="store_true",
        help="ask for each word once, however often titles hold it",
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
        database = services.database
        migrate(database)
        if chosen.data is None:
            seed(database, Plan(chosen.videos, 1, system_clock()))
        index = MemoryIndex(database, change_log)
        before, began = memory_mib(), time.perf_counter()
        load_dictionaries()
        index.build()
        gc.freeze()  # As the server does.
        took = f"{time.perf_counter() - began:.1f} s, {memory_mib() - before:.0f} MiB"
        with database.read() as connection:
            titles = list(
                connection.execute(sa.select(FOUND.title).order_by(FOUND.video_id)).scalars()
            )
        size = sum(file.stat().st_size for file in folder.glob("*.db*")) / 1_000_000
        print(
            f"{len(titles):,} titles; {size:.0f} MB with everything else; read into memory: {took}\n"
        )
        names = ("first", "views", "page", "database", "LIKE")
        print(
            f"| words | found | {' | '.join(f'{name} p50 | p99' for name in names)} |\n{'|---' * 12}|"
        )
        for length, name in ((1, "1"), (2, "2"), (3, "3"), (4, "4"), (0, "2 + 2")):
            words = parts(titles, length, chosen.queries)
            cells = measure(database, index, list(dict.fromkeys(words)) if chosen.once else words)
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
        print_letters(database, index, titles, chosen.queries)
        print_suggestions(database, index, titles, chosen.queries)
        database.close()


def memory_mib() -> float:
    """What the process holds in memory."""
    return (
        int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        * resource.getpagesize()
        / 2**20
    )


if __name__ == "__main__":
    main()
