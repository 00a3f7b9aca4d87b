"""`/api/artist` after a change of the catalogue: composing the list, and each encoding of it.

Fills an installation of its own (`liuying bench seed`, 20,000 artists and more). In this process,
one after the other; milliseconds of its processor time, median.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path

import msgspec

from liuying.core.catalogue.sort_index import SortIndex
from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.kit.envelope import Envelope
from liuying.kit.representation import ENCODERS, Representation
from liuying.workflows.editing import set_hidden
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

REPEATS = 15
# Brotli's scale, as `Representation` compresses answers.
LEVEL = 5


def median_ms(work: Callable[[], object], before: Callable[[], object] = int) -> float:
    """Processor time of one call, milliseconds, without what is done before each."""
    taken = []
    for _ in range(REPEATS):
        before()
        began = time.process_time()
        work()
        taken.append((time.process_time() - began) * 1000)
    return statistics.median(taken)


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=20_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = open_services(Settings(data_dir=Path(folder)))
        migrate(services.database)
        seed(services.database, Plan(chosen.videos, 1, system_clock()))
        orders = SortIndex(services.database, services.hashes)

        def compose() -> bytes:
            with services.database.read() as connection:
                return msgspec.json.encode(Envelope(orders.artists.encoded(connection)))

        def compose_anew() -> bytes:
            orders.artists.forget()
            return compose()

        shown = cycle([True, False])

        def hide_or_show() -> None:
            set_hidden(services, [1], is_hidden=next(shown))

        body, field = compose(), b'"video_count":'
        artists = body.count(field)
        print(f"{artists:,} artists, {chosen.videos:,} videos, {len(body):,} bytes.\n")
        print("| step | CPU ms |\n|---|---|")
        print(f"| the list, an artist changed | {median_ms(compose_anew):.1f} |")
        print(f"| the list, a video changed | {median_ms(compose, hide_or_show):.1f} |")
        ready = median_ms(lambda: Representation(body, (), is_compressible=True))
        print(f"| its ETag | {ready:.1f} |")
        for name, encode in ENCODERS.items():
            print(f"| {name} | {median_ms(partial(encode, body, LEVEL)):.1f} |")
        services.database.close()


if __name__ == "__main__":
    main()
