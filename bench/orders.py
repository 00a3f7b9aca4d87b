"""What a page of a list costs, near the front and far behind, while another process writes; and
whether it is right.

Fills an installation of its own (`liuying bench seed`), then asks for pages as the calls do, but
without kept answers: a connection, the order in memory, the rows of the page. Beside it one process
adds and removes 100 videos a second and changes the views of 1,000, as imports and visitors do.
`OFFSET` is the same page from the database alone, for comparison. At the end every whole order is
compared with `ORDER BY`. Milliseconds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import sqlalchemy as sa

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "backend")]

from churn import churning  # noqa: E402  # the path above comes first
from server import cpu_seconds, memory_of, serving  # noqa: E402  # as above

from liuying.cli.serving import TURN_S  # noqa: E402  # as above
from liuying.core.catalogue import service  # noqa: E402  # as above
from liuying.core.catalogue.queries import listing  # noqa: E402  # as above
from liuying.core.catalogue.sort_index import SortIndex  # noqa: E402  # as above
from liuying.core.catalogue.sort_orders import SORT_ORDERS, SortOrder  # noqa: E402  # as above
from liuying.core.catalogue.tables import video  # noqa: E402  # as above
from liuying.http.change_signal import POLL_INTERVAL_S  # noqa: E402  # as above
from liuying.http.change_watcher import ChangeWatcher  # noqa: E402  # as above
from liuying.installation.migrating import migrate  # noqa: E402  # as above
from liuying.installation.services import open_services  # noqa: E402  # as above
from liuying.installation.settings import Settings  # noqa: E402  # as above
from liuying.kit.clock import system_clock  # noqa: E402  # as above
from liuying.kit.database import Database  # noqa: E402  # as above
from liuying.kit.keyed_hashes import KeyedHashes  # noqa: E402  # as above
from liuying.kit.paging import PageRequest  # noqa: E402  # as above
from liuying_seeding import fill  # noqa: E402  # as above
from liuying_seeding.videos import CATEGORIES, Plan  # noqa: E402  # as above

PAGE = 24
# Categories are drawn by Zipf's law: this one holds about as many videos as half of them exceed.
MIDDLE_CATEGORY = CATEGORIES // 2
FAR = (1, 100, 20_000)
SLOW_SAMPLES = 3


class Asked(msgspec.Struct):
    """A page that is asked for, and how long each answer took. Milliseconds."""

    category_id: int
    order: SortOrder
    page: int
    times: list[float]
    offset_times: list[float]


@contextmanager
def following(database: Database, orders: SortIndex) -> Iterator[None]:
    """The watcher as the server runs it, in a thread."""
    watcher = ChangeWatcher(
        database,
        lambda _: None,
        lambda _: None,
        orders.follow,
        orders.confirm,
        orders.doubt,
        orders.forget,
    )
    stop = threading.Event()

    def run() -> None:
        while not stop.wait(POLL_INTERVAL_S):
            watcher.look_now()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def pages_of(database: Database, orders: SortIndex) -> list[Asked]:
    """What is asked for: the first, hundredth and twenty thousandth page where there is one, and
    the last.
    """
    found: list[Asked] = []
    with database.read() as connection:
        for category_id in (0, MIDDLE_CATEGORY):
            for order in SORT_ORDERS:
                total = orders.in_category(
                    connection, category_id, order, PageRequest(1, PAGE)
                ).total
                last = -(-total // PAGE)
                found += [
                    Asked(category_id, order, page, [], [])
                    for page in (*(p for p in FAR if p < last), last)
                ]
    return found


def ask(database: Database, orders: SortIndex, asked: Asked) -> float:
    """One page as the call answers it; returns milliseconds."""
    began = time.perf_counter()
    with database.read() as connection:
        request = PageRequest(asked.page, PAGE)
        service.list_category(
            connection,
            orders,
            asked.category_id,
            asked.order,
            request,
            "/api/videosort",
        )
    return (time.perf_counter() - began) * 1000


def measure(database: Database, videos: int, rounds: int) -> list[str]:
    """Ask in turns while the other process writes; the figures as a Markdown table, and how it was
    written.
    """
    hashes = KeyedHashes(b"")
    orders, plain = SortIndex(database, hashes), SortIndex(database, hashes)
    began = time.perf_counter()
    orders.build()
    built = time.perf_counter() - began
    asked = pages_of(database, orders)
    with following(database, orders), churning(database.url, videos) as written:
        before, began = list(written), time.perf_counter()
        for number in range(rounds):
            for one in asked:
                one.times.append(ask(database, orders, one))
                if number < SLOW_SAMPLES:
                    one.offset_times.append(ask(database, plain, one))
        seconds = time.perf_counter() - began
        rates = [(now - then) / seconds for now, then in zip(written, before, strict=True)]
    lines = ["| list | page | p50 | p99 | OFFSET |", "|---|---|---|---|---|"]
    for one in asked:
        times, name = (
            sorted(one.times),
            "all" if one.category_id == 0 else f"category {one.category_id}",
        )
        cells = f"{middle(times):.2f} | {times[len(times) * 99 // 100]:.2f} | {middle(sorted(one.offset_times)):.1f}"
        lines.append(f"| {name}, {one.order} | {one.page:,} | {cells} |")
    lines += [
        "",
        f"Orders built in {built:.1f} s. Meanwhile {rates[0]:.0f} videos added, {rates[1]:.0f} removed and "
        f"{rates[2]:.0f} changes of views a second. {compare(database, orders)}",
    ]
    return lines


def middle(times: list[float]) -> float:
    return times[len(times) // 2]


def compare(database: Database, orders: SortIndex) -> str:
    """Every whole order beside plain SQL.

    Raises:
        RuntimeError: One differs.
    """
    with database.read() as connection:
        orders.follow(connection)
        for category_id in range(CATEGORIES + 1):
            for order in SORT_ORDERS:
                where = listing.in_category(category_id or None)
                statement = sa.select(video.c.id).where(where).order_by(*listing.ordering(order))
                wanted = list(connection.execute(statement).scalars())
                found = orders.in_category(
                    connection, category_id, order, PageRequest(1, len(wanted) + 1)
                )
                if not orders.is_ready or list(found.ids) != wanted:
                    raise RuntimeError(
                        f"category {category_id}, {order}: not the order of the database"
                    )
    return f"Afterwards all {2 * (CATEGORIES + 1)} whole orders are those of `ORDER BY`."


def start(folder: Path, url: str) -> str:
    """From the server's start to its first answer, and its memory once the orders are there."""
    began = time.perf_counter()
    with serving(folder, url) as (_port, pid):
        first, used = time.perf_counter() - began, cpu_seconds(pid)
        # The orders are built beside the answers; memory has its peak then.
        held, steady = 0, 0
        while steady < 20:
            time.sleep(0.25)
            now = memory_of(pid)
            steady, held = (steady + 1, held) if now == held else (0, now)
        peak = memory_of(pid, "VmHWM")
    return (
        f"The server's first list after {first:.1f} s, {used:.1f} s of the processor; "
        f"memory {held} MiB, at most {peak} MiB."
    )


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=300, help="answers of each page")
    parser.add_argument(
        "--data",
        type=Path,
        help="a folder that `liuying bench seed` has filled; it is written to",
    )
    parser.add_argument(
        "--database",
        default="",
        help="address of an empty PostgreSQL database; SQLite without it",
    )
    chosen = parser.parse_args()
    # Threads take turns as in the server.
    sys.setswitchinterval(TURN_S)
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.data or Path(scratch)
        services = open_services(Settings(data_dir=folder, database_url=chosen.database))
        migrate(services.database)
        if chosen.data is None:
            began = time.perf_counter()
            fill.seed(services.database, Plan(chosen.videos, 1, system_clock()))
            print(
                f"{chosen.videos:,} videos, written and indexed in {time.perf_counter() - began:.0f} s.",
                end=" ",
            )
        with services.database.read() as connection:
            largest = int(connection.execute(sa.select(sa.func.max(video.c.id))).scalar_one())
        print(start(folder, chosen.database) + "\n", flush=True)
        print("\n".join(measure(services.database, largest, chosen.rounds)))
        services.database.close()


if __name__ == "__main__":
    main()
