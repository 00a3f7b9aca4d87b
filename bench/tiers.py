"""What each tier in front of SQL saves on the mix of a visit: the server's CPU with all of them, and
with one of them switched off.

200 browsers, each with headers and a connection of its own, ask in turn for what `visitors.py` draws,
and say what they have already (`If-None-Match`). All rounds ask for the same. The servers run one
after the other on the same installation; each is warmed up by the same requests first. All come from
one network, so most calls with a data code (one in fifty) are refused by its limit.
"""

from __future__ import annotations

import argparse
import http.client
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from server import cpu_seconds, free_port, running
from visitors import Asked, Visitors

from liuying.cli.app import app
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.memory_index import MemoryIndex
from liuying.http.repeated_requests import KnownHeads, RepeatedRequests
from liuying.http.response_cache import ResponseCache
from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

BROWSERS = 200
# Threads that ask; each has its share of the browsers.
TOGETHER = 8
ALL = "all"


def _no_answer(*_: object, **__: object) -> None:
    return None


def _orders_from_database() -> None:
    SortIndex.build = _no_answer  # type: ignore[method-assign]
    SortIndex._current = _no_answer  # type: ignore[method-assign]
    SortIndex.known_in_category = _no_answer  # type: ignore[method-assign]


def _without(owner: type, *methods: str) -> Callable[[], None]:
    def switch_off() -> None:
        for name in methods:
            setattr(owner, name, _no_answer)

    return switch_off


# How each tier is switched off, and where its decision stands.
TIERS: dict[str, tuple[str, int, Callable[[], None]]] = {
    "equal": (
        "requests equal to one before, not parsed",
        17,
        _without(RepeatedRequests, "find"),
    ),
    "heads": (
        "requests with headers seen before, not parsed",
        17,
        _without(KnownHeads, "find"),
    ),
    "protocol": (
        "cached answers sent by the protocol, past ASGI (both above lie on it)",
        1,
        _without(ResponseCache, "find_repeated", "find_reply"),
    ),
    "cached": ("cached answers", 1, _without(ResponseCache, "_keep")),
    "composed": (
        "lists composed in front of the framework",
        17,
        _without(ResponseCache, "_compose"),
    ),
    "orders": ("orders of lists in memory", 14, _orders_from_database),
    "searches": ("searches in memory", 18, _without(MemoryIndex, "find")),
}


def serve_without(tier: str) -> None:
    """Become the server, with a tier switched off."""
    if tier != ALL:
        TIERS[tier][2]()
    sys.argv = ["liuying", "serve", "--workers", "0"]
    app()


class Browser:
    """One visitor's browser: its headers, its connection, and the ETags that it knows."""

    def __init__(self, port: int, dice: random.Random) -> None:
        chrome = dice.randrange(90, 147)
        agents = [
            f"Mozilla/5.0 (Linux; Android {dice.randrange(8, 16)}; M{dice.randrange(2000):04}) AppleWebKit/537.36"
            f" (KHTML, like Gecko) Chrome/{chrome}.0.{dice.randrange(7000)}.{dice.randrange(200)} Mobile Safari/537.36",
            f"Mozilla/5.0 (iPhone; CPU iPhone OS {dice.randrange(14, 19)}_{dice.randrange(6)} like Mac OS X)"
            f" AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{dice.randrange(14, 19)}.0 Mobile/15E148 Safari/604.1",
            f"Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/{chrome}.0 Mobile Safari/537.36"
            f" MicroMessenger/8.0.{dice.randrange(60)}.{dice.randrange(3000)} NetType/4G Language/zh_CN",
            f"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:{chrome}.0) Gecko/20100101 Firefox/{chrome}.0",
        ]
        self.headers = {
            "User-Agent": dice.choice(agents),
            "Accept": dice.choice(["*/*", "application/json, text/plain, */*"]),
            "Accept-Language": f"zh-CN,zh;q=0.{dice.randrange(7, 10)}",
            "Accept-Encoding": dice.choice(
                ["gzip, deflate, br, zstd", "gzip, deflate, br", "gzip, deflate"]
            ),
            "Referer": f"http://127.0.0.1/playVideo?id={dice.randrange(1, 20_000)}",
            "Cookie": f"_ga={dice.randrange(10**9)}; seen={dice.randrange(10**6)}",
        }
        if dice.random() < 0.6:
            self.headers |= {
                "sec-ch-ua": f'"Chromium";v="{chrome}"',
                "sec-ch-ua-mobile": "?1",
                "Sec-Fetch-Site": "same-origin",
                "Sec-Fetch-Mode": "cors",
            }
        self._port = port
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._etags: dict[str, str] = {}

    def ask(self, asked: Asked) -> None:
        """Send a request and read its answer."""
        headers = dict(self.headers)
        if asked.code:
            headers["X-Visitor-Code"] = asked.code
        if asked.body:
            headers["Content-Type"] = "application/json"
        elif asked.target in self._etags:
            headers["If-None-Match"] = self._etags[asked.target]
        method = "POST" if asked.body else "GET"
        self._line.request(method, asked.target, asked.body or None, headers)
        answer = self._line.getresponse()
        answer.read()
        if etag := answer.headers["ETag"]:
            self._etags[asked.target] = etag

    def close(self) -> None:
        """End the connection."""
        self._line.close()


def visits(port: int, videos: int, requests: int, seed_: int) -> None:
    """The same requests each time: every browser asks for what it drew, in turn."""
    visitors = Visitors(videos, seed_)
    # What is written changes the installation from one round to the next.
    drawn = _reads(visitors)
    browsers = [Browser(port, random.Random(number)) for number in range(BROWSERS)]
    questions = [[next(drawn) for _ in range(requests // BROWSERS)] for _ in browsers]

    def share(place: int) -> None:
        mine = range(place, BROWSERS, TOGETHER)
        for turn in range(requests // BROWSERS):
            for number in mine:
                browsers[number].ask(questions[number][turn])

    with ThreadPoolExecutor(TOGETHER) as threads:
        list(threads.map(share, range(TOGETHER)))
    for browser in browsers:
        browser.close()


def _reads(visitors: Visitors) -> Iterator[Asked]:
    while True:
        asked = visitors.draw()
        if not asked.body:
            yield asked


def measure(folder: Path, tier: str, videos: int, requests: int) -> float:
    """Microseconds of the server's CPU for each request, with a tier switched off."""
    port = free_port()
    environment = {
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "LIUYING_DATA_DIR": str(folder),
    }
    command = [sys.executable, __file__, "--serve", tier]
    with running(command, f"http://127.0.0.1:{port}/api/videosort/0", environment) as pid:
        visits(port, videos, requests // 2, 1)
        before = cpu_seconds(pid)
        visits(port, videos, requests, 2)
        return (cpu_seconds(pid) - before) / requests * 1e6


class Result(msgspec.Struct):
    """Microseconds of CPU a request, one for each round."""

    name: str
    rounds: list[float]


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", choices=[ALL, *TIERS], help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        return serve_without(chosen.serve)
    results = {tier: Result(tier, []) for tier in (ALL, *TIERS)}
    with tempfile.TemporaryDirectory() as scratch:
        services = open_services(Settings(data_dir=Path(scratch)))
        migrate(services.database)
        seed(services.database, Plan(chosen.videos, 1, system_clock()))
        services.database.close()
        for _ in range(chosen.rounds):
            for tier, result in results.items():
                result.rounds.append(measure(Path(scratch), tier, chosen.videos, chosen.requests))
    whole = statistics.median(results[ALL].rounds)
    print(
        f"{chosen.videos:,} videos, {chosen.requests:,} requests a round, {chosen.rounds} rounds.\n"
    )
    print("| without | CPU µs a request | it saves | decision |\n|---|---|---|---|")
    print(f"| nothing | {whole:.0f} | | |")
    for tier, (name, decision, _) in TIERS.items():
        alone = statistics.median(results[tier].rounds)
        print(f"| {name} | {alone:.0f} | {1 - whole / alone:.0%} | {decision} |")


if __name__ == "__main__":
    main()
