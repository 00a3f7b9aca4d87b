"""The console's table of videos, and a change of many, at 100,000 videos.

Fills an installation of its own and asks the console's application without a socket: the time from
a call to its whole answer, milliseconds. Each filter, order and page is asked several times.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
from server import postgres

from liuying.console.application import ConsoleApplication
from liuying.features.operators.rules import Role
from liuying.features.operators.service import create_link
from liuying.installation.migrating import migrate
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

ORIGIN = "http://localhost:9100"
REPEATS = 5
ORDERS = [
    f"sort={name}&ascending={way}"
    for name in ("created", "updated", "views", "duration")
    for way in ("true", "false")
]
FILTERS = [
    "",
    "text=的",
    "text=海边",
    "text=zzz",
    "text=4711",
    "state=shown",
    "state=hidden",
    "state=scheduled",
    "state=unfinished",
    "category=1",
    "category=1&state=shown&text=的",
]
CHANGED = 5_000


class Browser:
    """Somebody logged in as the owner."""

    def __init__(self, services: Services) -> None:
        application = ConsoleApplication(services)

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            await application(scope, receive, send)

        self._client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=answer),
            base_url=ORIGIN,
            headers={"origin": ORIGIN},
            timeout=600,
        )
        self._application = application
        self._services = services

    async def log_in(self) -> None:
        """Open a session."""
        services = self._services
        with services.database.write() as connection:
            token = create_link(connection, services.hashes, "站长", Role.OWNER, services.clock())
        answer = await self._client.post("/api/session/link", json={"token": token})
        answer.raise_for_status()

    async def timed(self, path: str, body: object = None) -> tuple[float, Any]:
        """Milliseconds of a call, and its payload."""
        self._application.limits.reset()
        began = time.perf_counter()
        answer = await (
            self._client.get(path) if body is None else self._client.post(path, json=body)
        )
        taken = (time.perf_counter() - began) * 1000
        answer.raise_for_status()
        return taken, answer.json()["rescont"]


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[94]


async def measure(services: Services) -> None:
    """Ask, and print the table."""
    browser = Browser(services)
    await browser.log_in()
    every: list[float] = []
    print("| filter (8 orders, first and 21st page) | median ms | p95 ms | slowest |")
    print("|---|---|---|---|")
    for wanted in FILTERS:
        taken: list[float] = []
        for order in ORDERS:
            after = ""
            for page in range(21):
                path = f"/api/videos?{wanted}&{order}&after={after}"
                repeats = REPEATS if page in {0, 20} else 1
                asked = [await browser.timed(path) for _ in range(repeats)]
                if page in {0, 20}:
                    taken += [one for one, _ in asked]
                after = asked[0][1]["next_after"]
                if after is None:
                    break
        every += taken
        shown = wanted or "none"
        print(f"| {shown} | {statistics.median(taken):.0f} | {p95(taken):.0f} | {max(taken):.0f} |")
    print(f"| all | {statistics.median(every):.0f} | {p95(every):.0f} | {max(every):.0f} |")
    found = (await browser.timed("/api/videos?text=的"))[1]
    print(f"\nChanging many at once ({found['total']:,} videos say 的):\n")
    print("| change | videos | s |\n|---|---|---|")
    numbers = await first_numbers(browser, CHANGED)
    for name, change in (
        ("hide", {"is_hidden": True}),
        ("show", {"is_hidden": False}),
        ("add two labels", {"add_labels": ["合集", "精选"]}),
        ("another category", {"category": 2}),
    ):
        seconds = 0.0
        for start in range(0, len(numbers), 1000):
            body = {"ids": numbers[start : start + 1000], "change": change}
            seconds += (await browser.timed("/api/videos/many", body))[0] / 1000
        print(f"| {name} | {len(numbers):,} | {seconds:.1f} |")


async def first_numbers(browser: Browser, count: int) -> list[int]:
    """The numbers of the newest videos."""
    numbers: list[int] = []
    after = ""
    while len(numbers) < count:
        _, page = await browser.timed(f"/api/videos?after={after}")
        numbers += [row["id"] for row in page["data"]]
        after = page["next_after"]
    return numbers[:count]


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=100_000)
    parser.add_argument("--postgresql", action="store_true", help="in it; SQLite without this")
    chosen = parser.parse_args()
    database = postgres() if chosen.postgresql else nullcontext("")
    with database as address, tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), console_port=9100, database_url=address)
        services = open_services(settings)
        migrate(services.database)
        seed(services.database, Plan(chosen.videos, 1, system_clock()))
        engine = "PostgreSQL" if chosen.postgresql else "SQLite"
        print(f"{chosen.videos:,} videos, {engine}.\n")
        asyncio.run(measure(services))
        services.database.close()


if __name__ == "__main__":
    main()
