"""Loading the dictionaries of pinyin."""

from __future__ import annotations

import subprocess
import sys

# Without a lock the threads' imports wait for one another, and Python ends that with an error.
MANY_AT_ONCE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from liuying.features.search.pinyin import load_dictionaries, readings_of

sys.setswitchinterval(1e-6)
together = Barrier(8)

def load(number):
    together.wait()
    load_dictionaries() if number % 2 else readings_of(["重庆"])

with ThreadPoolExecutor(8) as pool:
    list(pool.map(load, range(8)))
print(readings_of(["重庆"]))
"""


def test_threads_may_load_them_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MANY_AT_ONCE], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == "chong/zhong/tong qing\n"
