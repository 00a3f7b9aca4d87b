"""What a media segment costs from the embedded server, beside nginx sending the same file with
sendfile.

Both run one worker on loopback under the same load, in turn; the figure is the server's own CPU
time per GB (user and system, from the kernel). Needs nginx and wrk (Debian's packages of these
names).
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from cached_responses import nginx, require_programs, wrk
from server import cpu_seconds, serving

from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.object_keys import SPLIT_MEDIA, MediaPlace

SEGMENT_BYTES = 330_000
RANGE = "Range: bytes=60000-259999"
RANGE_BYTES = 200_000
# As many as a busy site's newest films have: each request takes the next one.
SEGMENTS = 200
NAMES = [f"/media/benchbenchbenchbench/360/s{number:05}.m4s" for number in range(SEGMENTS)]
SCRIPT = """
local names = {{}}
for name in io.lines("{addresses}") do names[#names + 1] = name end
local next = 0
request = function()
  next = next % #names + 1
  return wrk.format("GET", names[next])
end
"""
GIGABYTE = 1e9


class Run(msgspec.Struct):
    """One load on one server: CPU seconds per GB, and answers per second."""

    cpu: float
    rate: float


def load(folder: Path, url: str, pid: int, seconds: int, headers: Sequence[str], size: int) -> Run:
    """Ask for the segments in turn, as fast as 16 connections can."""
    addresses, script = folder / "addresses", folder / "segments.lua"
    addresses.write_text("\n".join(NAMES))
    script.write_text(SCRIPT.format(addresses=addresses))
    before = cpu_seconds(pid)
    output, answers = wrk(url, seconds, headers, "-s", str(script))
    used = cpu_seconds(pid) - before
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(output)
    return Run(used / (answers * size) * GIGABYTE, answers / seconds)


def measure(seconds: int, rounds: int) -> dict[tuple[str, str], list[Run]]:
    """Load both servers in turn, so that what disturbs the machine disturbs both."""
    results: dict[tuple[str, str], list[Run]] = {}
    with tempfile.TemporaryDirectory(prefix="liuying-bench-") as name:
        folder = Path(name)
        services = open_services(Settings(data_dir=folder / "data"))
        migrate(services.database)
        for address in NAMES:
            services.objects.put_if_absent(
                SPLIT_MEDIA.key(address, MediaPlace.OPEN), os.urandom(SEGMENT_BYTES)
            )
        services.database.close()
        (folder / "www").mkdir()
        (folder / "www" / "media").symlink_to(folder / "data" / "media" / "public")
        kinds = {
            f"a segment of {SEGMENT_BYTES // 1000} kB": ([], SEGMENT_BYTES),
            f"a range of {RANGE_BYTES // 1000} kB": ([RANGE], RANGE_BYTES),
        }
        with (
            serving(folder / "data", options=("--workers", "0")) as (port, pid),
            nginx(folder, NAMES[0]) as (peer, peer_pid),
        ):
            servers = {
                "nginx": (peer, peer_pid),
                "流影": (f"http://127.0.0.1:{port}", pid),
            }
            for _ in range(rounds):
                for kind, (headers, size) in kinds.items():
                    for server, (url, process) in servers.items():
                        run = load(folder, url, process, seconds, headers, size)
                        results.setdefault((kind, server), []).append(run)
    return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    require_programs()
    results = measure(options.seconds, options.rounds)
    print("| answer | CPU s/GB | answers/s | CPU against nginx |")
    print("|---|---|---|---|")
    for (kind, server), runs in results.items():
        cpu = statistics.median(run.cpu for run in runs)
        rate = statistics.median(run.rate for run in runs)
        peer = statistics.median(run.cpu for run in results[kind, "nginx"])
        print(f"| {kind}, {server} | {cpu:.2f} | {rate:,.0f} | {cpu / peer:.2f} |")


if __name__ == "__main__":
    main()
