"""Python imports this at its start where it finds it: its clock goes ahead by `CLOCK_AHEAD_S`.

Debian 12's libfaketime (0.9.10) is no choice: sleeping fails under it (`clock_nanosleep` to a
moment: EINVAL).
"""

import os
import time
from functools import partial


def _ahead(real, by):  # type: ignore[no-untyped-def] # as the standard library declares none
    return real() + by


_seconds = int(os.environ.get("CLOCK_AHEAD_S", "0"))
time.time = partial(_ahead, time.time, _seconds)
time.time_ns = partial(_ahead, time.time_ns, _seconds * 1_000_000_000)
