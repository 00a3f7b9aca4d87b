"""What was freed belongs to the system again."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: in one that has freed much already, nothing new is asked of the system.
BUILDING = """
import threading
from pathlib import Path

from liuying.kit.freed_memory import give_memory_back

PIECES, PIECE_BYTES = 2_000, 32_000
kept = []

def resident_bytes():
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096

def build():
    # Small pieces with others between them, which stay: the C library returns none by itself.
    pieces = []
    for _ in range(PIECES):
        pieces.append(bytearray(PIECE_BYTES))
        kept.append(bytes(100))
    pieces.clear()

thread = threading.Thread(target=build)
thread.start()
thread.join()
before = resident_bytes()
give_memory_back()
assert before - resident_bytes() > PIECES * PIECE_BYTES // 2, (before, resident_bytes())
"""


def test_what_a_thread_freed_is_given_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUILDING], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
