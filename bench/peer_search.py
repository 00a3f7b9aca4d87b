"""What the searches of MediaCMS and PeerTube find, and what they cost, on the same PostgreSQL rows
as ours.

Fills an installation on a PostgreSQL of its own (`liuying bench seed`), gives its documents the
column and the index that each of the two has (a `tsvector` in PostgreSQL's `simple` configuration
under GIN), and asks each the way it asks: every word as the beginning of a lexeme, the count and
the first page. MediaCMS takes the newest 1,000 matches, 50 a page; PeerTube ranks all of them, 15 a
page. Their joins with users and channels are left out, which only helps them. What LIKE finds is
what should be found: a search that skips the middle of a Chinese title has a small share of it.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import sqlalchemy as sa
from search import like, parts
from server import postgres

from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.tables import search_document
from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

Search = Callable[[sa.Connection, str], int]

PREPARATION = (
    "CREATE TABLE peer AS SELECT video_id AS id, score, to_tsvector('simple', text) AS search FROM search_document",
    "ALTER TABLE peer ADD PRIMARY KEY (id)",
    "CREATE INDEX peer_search ON peer USING gin (search)",
    "CREATE INDEX peer_score ON peer (score)",
    "VACUUM ANALYZE peer",
)
MEDIACMS = "SELECT id FROM peer WHERE search @@ to_tsquery('simple', :words) ORDER BY score DESC LIMIT 1000"
PEERTUBE = (
    "SELECT id, ts_rank(search, to_tsquery('simple', :words)) AS similarity"
    " FROM peer WHERE search @@ to_tsquery('simple', :words)"
)


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=100, help="for each length")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres() as address:
        services = open_services(Settings(data_dir=Path(folder), database_url=address))
        migrate(services.database)
        seed(services.database, Plan(chosen.videos, 1, system_clock()))
        prepare(address)
        with services.database.read() as connection:
            titles = list(connection.execute(sa.select(search_document.c.title)).scalars())
            print(f"{len(titles):,} titles on PostgreSQL\n")
            print(
                "| words | whose search | share found of what LIKE finds | p50 ms | p99 ms |\n|---|---|---|---|---|"
            )
            for length, name in ((1, "1"), (2, "2"), (3, "3"), (4, "4"), (0, "2 + 2")):
                # Both peers drop marks, and would find what was not asked for.
                words = [
                    word
                    for word in parts(titles, length, chosen.queries)
                    if re.fullmatch(r"[\w ]+", word)
                ]
                compare(connection, name, words)
        services.database.close()


def prepare(address: str) -> None:
    """Give the documents the columns and the indexes of the peers."""
    engine = sa.create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in PREPARATION:
            connection.execute(sa.text(statement))
    engine.dispose()


def compare(connection: sa.Connection, name: str, words: Sequence[str]) -> None:
    """Print a row for each search."""
    searches: dict[str, Search] = {
        "流影": ours,
        # It offers a thousand matches at most, and counts no more.
        "MediaCMS": asking(MEDIACMS, "LIMIT 50"),
        "PeerTube": asking(PEERTUBE, "ORDER BY similarity DESC LIMIT 15"),
        "LIKE": like,
    }
    wanted = [like(connection, word) for word in words]
    for who, search in searches.items():
        times, found = [], 0
        for word in words:
            began = time.perf_counter()
            found += search(connection, word)
            times.append((time.perf_counter() - began) * 1000)
        times.sort()
        share = found / sum(wanted)
        p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
        print(
            f"| {name} | {who} | {share:.2f} | {statistics.median(times):.2f} | {p99:.2f} |",
            flush=True,
        )


def ours(connection: sa.Connection, keyword: str) -> int:
    """Every match in order, which is what a first question costs; later pages are free."""
    return len(ordered_ids(connection, keyword))


def beginnings(keyword: str) -> dict[str, str]:
    """The words as both peers hand them to PostgreSQL."""
    return {"words": " & ".join(f"{word}:*" for word in keyword.split())}


def asking(matches: str, page: str) -> Search:
    """A peer's search: its first page, and how many matches there are."""

    def search(connection: sa.Connection, keyword: str) -> int:
        words = beginnings(keyword)
        connection.execute(sa.text(f"SELECT * FROM ({matches}) AS found {page}"), words).all()
        return int(
            connection.execute(
                sa.text(f"SELECT count(*) FROM ({matches}) AS found"), words
            ).scalar_one()
        )

    return search


if __name__ == "__main__":
    main()
