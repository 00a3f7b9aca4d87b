"""Nothing outlives a runner that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from liuying_cluster.processes import wait_until

# A part with a child of its own that no signal to the part reaches.
RUNNER = """
import sys, time
from pathlib import Path
from liuying_cluster.processes import Part, watcher
folder = Path(sys.argv[1])
watcher().owns(folder)
part = Part("part", ["sh", "-c", "sleep 600 & echo $! && sleep 600"], folder)
part.start()
print(part._process.pid, flush=True)
time.sleep(600)
"""


def test_a_killed_runner_takes_its_parts_and_folder_along(tmp_path: Path) -> None:
    folder = tmp_path / "cluster"
    folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as runner:
        assert runner.stdout is not None
        part = int(runner.stdout.readline())
        log = folder / "part.log"
        wait_until(lambda: log.read_text().strip(), "the part did not start")
        child = int(log.read_text())
        assert is_alive(part)
        assert is_alive(child)
        runner.send_signal(signal.SIGKILL)
    wait_until(lambda: not is_alive(part) and not is_alive(child), "a part is left")
    wait_until(lambda: not folder.exists(), "its folder is left")


def is_alive(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
