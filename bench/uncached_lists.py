"""What a list answer costs that is not kept, beside nginx serving the same bytes as a file.

Every page of every list of an installation of made-up videos is asked for once, so that none is
answered twice: first when nobody has asked for any of its videos since the start, then, in another
order, when others have shown them all. Without compression, and with gzip, which nginx makes anew for each answer as well. nginx has
each page as a file of its own, and is asked for each once, too; and for one of them again and
again. The figure is the server's own CPU time. Needs nginx and wrk (Debian's packages of these
names).
"""

from __future__ import annotations

import argparse
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from cached_responses import NGINX, load, nginx, require_programs, wrk
from server import cpu_seconds, serving

from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import CATEGORIES, Plan

# Asks for each address once; what the first request of a script is drawn for is not sent.
SCRIPT = """
local paths = {{}}
for line in io.lines("{addresses}") do paths[#paths + 1] = line end
local next = 0
request = function()
  next = next + 1
  if next > #paths then wrk.thread:stop() end
  return wrk.format("GET", paths[math.min(next, #paths)])
end
"""
# The load generator waits so long in any case.
MAX_S = 6
# CPU seconds in a second that a server takes which nobody asks for anything.
RESTING = 0.05
# Ways to write the address of a page; each is another one to whoever keeps answers.
SPELLINGS = (
    "orderby={1}&page={0}",
    "page={0}&orderby={1}",
    "orderby={1}&uuid=1&page={0}",
    "page={0}&orderby={1}&uuid=1",
)
GZIP = "Accept-Encoding: gzip"


class Cost(msgspec.Struct):
    """CPU microseconds an answer, of so many answers."""

    cpu: float
    answers: int


class Load(msgspec.Struct):
    """Asks a server.

    Attributes:
        resting: CPU seconds in a second that it takes unasked.
    """

    pid: int
    url: str
    folder: Path
    resting: float

    def ask_each(self, paths: list[str], headers: Sequence[str] = ()) -> Cost:
        """Ask for every path once, over 16 connections."""
        addresses, script = self.folder / "addresses", self.folder / "once.lua"
        addresses.write_text("\n".join(paths))
        script.write_text(SCRIPT.format(addresses=addresses))
        before = cpu_seconds(self.pid)
        output, answers = wrk(self.url, MAX_S, headers, "-s", str(script))
        used = cpu_seconds(self.pid) - before - self.resting * MAX_S
        if "Non-2xx" in output or answers < len(paths) - 16:
            raise SystemExit(output)
        return Cost(used / answers * 1e6, answers)

    def pages(
        self, category: int, order: str, spellings: Sequence[str] = SPELLINGS[:1]
    ) -> list[str]:
        """The full pages of a list but the first, by their numbers."""
        path = f"/api/videosort/{category}?"
        with urllib.request.urlopen(f"{self.url}{path}orderby={order}", timeout=60) as answer:
            found = msgspec.json.decode(answer.read())["rescont"]
        numbers = range(2, found["total"] // found["per_page"] + 1)
        return [path + one.format(page, order) for one in spellings for page in numbers]


def await_rest(pid: int) -> float:
    """Wait until a server has read what it keeps in memory; returns what it takes then, CPU seconds
    in a second.
    """
    used, taken = cpu_seconds(pid), 1.0
    while taken > RESTING:
        time.sleep(3)
        now = cpu_seconds(pid)
        used, taken = now, (now - used) / 3
    return taken


@contextmanager
def site(videos: int) -> Iterator[Load]:
    """A server of made-up videos."""
    with tempfile.TemporaryDirectory(prefix="liuying-bench-") as name:
        folder = Path(name)
        services = open_services(Settings(data_dir=folder / "data"))
        migrate(services.database)
        seed(services.database, Plan(videos, 1, system_clock()))
        services.database.close()
        with serving(folder / "data", options=("--workers", "0")) as (port, pid):
            yield Load(pid, f"http://127.0.0.1:{port}", folder, await_rest(pid))


@contextmanager
def peer(
    folder: Path, names: Sequence[str], body: bytes, *, is_packing: bool = False
) -> Iterator[Load]:
    """nginx with files of these bytes."""
    for name in names:
        file = folder / "www" / name.removeprefix("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
    settings = (
        NGINX.replace("sendfile on;", "gzip on; gzip_types application/json;")
        if is_packing
        else NGINX
    )
    with nginx(folder, names[0], settings) as (url, pid):
        yield Load(pid, url, folder, 0.0)


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=5)
    chosen = parser.parse_args()
    require_programs()
    categories = range(1, CATEGORIES + 1)
    with site(chosen.videos) as asked:
        with urllib.request.urlopen(f"{asked.url}/api/videosort/0?page=2", timeout=60) as answer:
            body = answer.read()
        unread = asked.ask_each(asked.pages(0, "new", SPELLINGS))
        known = asked.ask_each(
            [page for one in (0, *categories) for page in asked.pages(one, "hot", SPELLINGS)]
        )
        packed = asked.ask_each(
            [page for one in categories for page in asked.pages(one, "new", SPELLINGS)],
            [GZIP],
        )
        names = [f"/lists/{number % 100}/{number}.json" for number in range(known.answers)]
        with peer(asked.folder, names, body) as files:
            each, one = (
                files.ask_each(names).cpu,
                load(files.pid, files.url + names[0], chosen.seconds, []).cpu,
            )
        with peer(asked.folder, names, body, is_packing=True) as files:
            each_packed = files.ask_each(names, [GZIP]).cpu
            one_packed = load(files.pid, files.url + names[0], chosen.seconds, [GZIP]).cpu
    print(
        "| list that is not kept | CPU µs | nginx: as many files | against that | nginx: one file | against that |"
    )
    print("|---|---|---|---|---|---|")
    for name, cost, many, single in (
        ("its videos not asked for before", unread.cpu, each, one),
        ("its videos known", known.cpu, each, one),
        ("its videos known, gzip", packed.cpu, each_packed, one_packed),
    ):
        print(
            f"| {name} | {cost:.0f} | {many:.1f} | {cost / many:.1f} | {single:.1f} | {cost / single:.1f} |"
        )
    counts = ", ".join(f"{one.answers:,}" for one in (unread, known, packed))
    print(f"\n{chosen.videos:,} videos; {counts} pages of {len(body):,} bytes, no address twice.")


if __name__ == "__main__":
    main()
