"""What a kept list answer costs, beside nginx serving the same bytes as a file.

Both run one worker on loopback under the same load, one after the other; the figure is the server's
own CPU time (user and system, from the kernel) for each answer, which does not depend on how fast
the load generator is. Needs nginx and wrk (Debian's packages of these names).
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "backend")]

from server import cpu_seconds, free_port, running, serving  # noqa: E402  # the path above comes first
from tests.catalogue_factory import fill_catalogue  # noqa: E402  # as above

from liuying.installation.migrating import migrate  # noqa: E402  # as above
from liuying.installation.services import open_services  # noqa: E402  # as above
from liuying.installation.settings import Settings  # noqa: E402  # as above

PATH = "/api/videosort/0?orderby=new&page=1"
NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000; keepalive_timeout 60s;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  default_type application/json; sendfile on; tcp_nopush on; open_file_cache max=100;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
}}
"""


# What a browser on a phone sends, and what differs from one visitor to the next.
BROWSERS = """
local requests = {}
function init()
  for number = 1, 5000 do add(number) end
end
function add(number)
  requests[number] = wrk.format("GET", nil, {
    ["Host"] = wrk.headers["Host"],
    ["Connection"] = "keep-alive",
    ["sec-ch-ua-platform"] = '"Android"',
    ["User-Agent"] = "Mozilla/5.0 (Linux; Android " .. (8 + number % 7) .. "; K" .. number ..
      ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" .. (100 + number % 60) .. ".0.0.0 Mobile Safari/537.36",
    ["sec-ch-ua"] = '"Chromium";v="' .. (100 + number) .. '", "Not_A Brand";v="24"',
    ["sec-ch-ua-mobile"] = "?1",
    ["Accept"] = "*/*",
    ["Sec-Fetch-Site"] = "same-origin",
    ["Sec-Fetch-Mode"] = "cors",
    ["Sec-Fetch-Dest"] = "empty",
    ["Referer"] = "http://127.0.0.1/playVideo?id=" .. number,
    ["Accept-Language"] = "zh-CN,zh;q=0." .. (number % 9 + 1),
    ["Cookie"] = "visitor=" .. number * 7919,
  })
end
local next = 0
request = function()
  next = next % #requests + 1
  return requests[next]
end
"""


class Run(msgspec.Struct):
    """One load on one server. CPU in microseconds an answer, latency in milliseconds."""

    cpu: float
    rate: float
    p99: float


def wrk(url: str, seconds: int, headers: Sequence[str], *options: str) -> tuple[str, int]:
    """Ask over 16 connections; what the load generator prints, and how many answers there were."""
    command = ["wrk", "-t1", "-c16", f"-d{seconds}s", *options]
    for header in headers:
        command += ["-H", header]
    output = subprocess.run([*command, url], check=True, capture_output=True, text=True).stdout
    return output, int(re.search(r"(\d+) requests in", output)[1])  # type: ignore[index]  # wrk always prints it


@contextmanager
def nginx(folder: Path, path: str, settings: str = NGINX) -> Iterator[tuple[str, int]]:
    """One that serves `www/` below a folder, until it answers for a path: its address and process
    id.
    """
    port = free_port()
    (folder / "nginx.conf").write_text(settings.format(folder=folder, port=port))
    url = f"http://127.0.0.1:{port}"
    with running(
        ["nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder)], url + path, {}
    ) as pid:
        yield url, pid


def browsers(folder: Path) -> str:
    """A wrk script that asks as 5,000 browsers do, each with its own name, page and cookies: more than are remembered."""
    script = folder / "browsers.lua"
    script.write_text(BROWSERS)
    return str(script)


def load(pid: int, url: str, seconds: int, headers: list[str], *options: str) -> Run:
    """Ask for one address as fast as 16 connections can."""
    before = cpu_seconds(pid)
    output, answers = wrk(url, seconds, headers, "--latency", *options)
    used = cpu_seconds(pid) - before
    if "Non-2xx" in output and "If-None-Match" not in "".join(headers):
        raise RuntimeError(output)
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    scale = {"us": 0.001, "ms": 1.0, "s": 1000.0}
    return Run(
        used / answers * 1e6,
        answers / seconds,
        float(p99[1]) * scale[p99[2]] if p99 else float("nan"),
    )


def measure(seconds: int, rounds: int) -> dict[str, list[Run]]:
    """Load both servers in turn, so that what disturbs the machine disturbs both."""
    folder = Path(tempfile.mkdtemp(prefix="liuying-bench-"))
    services = open_services(Settings(data_dir=folder / "data"))
    migrate(services.database)
    with services.database.write() as connection:
        fill_catalogue(connection)
    services.database.close()
    (folder / "www").mkdir()
    results: dict[str, list[Run]] = {}
    with serving(folder / "data") as (port, pid):
        url = f"http://127.0.0.1:{port}{PATH}"
        answer = urllib.request.urlopen(url, timeout=5)
        body, etag = answer.read(), answer.headers["etag"]
        (folder / "www" / "list.json").write_bytes(body)
        with nginx(folder, "/list.json") as (peer, peer_pid):
            peer_url = f"{peer}/list.json"
            peer_etag = urllib.request.urlopen(peer_url, timeout=5).headers["etag"]
            for _ in range(rounds):
                results.setdefault(f"200, {len(body):,} bytes: nginx", []).append(
                    load(peer_pid, peer_url, seconds, [])
                )
                results.setdefault(f"200, {len(body):,} bytes: 流影", []).append(
                    load(pid, url, seconds, [])
                )
                many = "200, asked by 5,000 browsers"
                asked = ("-s", browsers(folder))
                results.setdefault(f"{many}: nginx", []).append(
                    load(peer_pid, peer_url, seconds, [], *asked)
                )
                results.setdefault(f"{many}: 流影", []).append(load(pid, url, seconds, [], *asked))
                results.setdefault("304: nginx", []).append(
                    load(peer_pid, peer_url, seconds, [f"If-None-Match: {peer_etag}"])
                )
                results.setdefault("304: 流影", []).append(
                    load(pid, url, seconds, [f"If-None-Match: {etag}"])
                )
    shutil.rmtree(folder)
    return results


def table(results: dict[str, list[Run]]) -> str:
    """The figures as Markdown: medians over the rounds, and each pair's ratio."""
    lines = [
        "| answer | CPU µs | answers/s | p99 ms | CPU against nginx |",
        "|---|---|---|---|---|",
    ]
    for name, runs in results.items():
        kind, _, server = name.rpartition(": ")
        cpu = statistics.median(run.cpu for run in runs)
        reference = statistics.median(run.cpu for run in results[f"{kind}: nginx"])
        rate, p99 = (
            statistics.median(run.rate for run in runs),
            statistics.median(run.p99 for run in runs),
        )
        lines.append(
            f"| {kind}, {server} | {cpu:.1f} | {rate:,.0f} | {p99:.2f} | {cpu / reference:.2f} |"
        )
    return "\n".join(lines)


def require_programs() -> None:
    """End where what is measured with is not installed."""
    for program in ("nginx", "wrk"):
        if shutil.which(program) is None:
            sys.exit(f"需要 {program}（Debian: apt install {program}）")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    require_programs()
    print(table(measure(options.seconds, options.rounds)))


if __name__ == "__main__":
    main()
