"""The server's log: one JSON object per line on standard error, without anything that a terminal
would obey (docs/security.md#t24).

Requests are not logged at all: an address could contain a code or a signature, and a client's
network is nobody's business.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections import OrderedDict
from typing import TextIO

from liuying.kit.clock import to_iso
from liuying.kit.request_id import REQUEST_ID

# Characters that JSON leaves unescaped although they move the cursor, reverse the text or end a
# line.
UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
# Signed texts: three parts of base64url (a partner's code, a session's token), and signatures in
# media addresses.
SIGNED = re.compile(
    r"eyJ[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*|(?<=/media/r/)[0-9A-Za-z_-]+"
)

# Equal lines allowed within so many seconds: overloading the server must not fill its disk as well.
MAX_SIMILAR_NAMES = 5
ALIKE_S = 60.0
# Fields of security events (`kit.security_log`).
EVENT_FIELDS = ("event", "network")
# Different messages counted at once.
MAX_KINDS = 200


class RepetitionFilter(logging.Filter):
    """Passes a few equal lines; the next one after a while tells how many were left out.

    Records with a traceback always pass.
    """

    def __init__(self) -> None:
        super().__init__()
        # Logger and message template: when the first record was written, and how many followed.
        self._seen: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        if record.exc_info:
            return True
        kind, now = (record.name, str(record.msg)), time.monotonic()
        began, count = self._seen.pop(kind, (now, 0))
        if now - began >= ALIKE_S:
            record.left_out = max(0, count - MAX_SIMILAR_NAMES)
            began, count = now, 0
        self._seen[kind] = began, count + 1
        if len(self._seen) > MAX_KINDS:
            self._seen.popitem(last=False)
        return count < MAX_SIMILAR_NAMES


class JsonFormatter(logging.Formatter):
    """A record as one line: time, level, logger, message and, if present, the request's id, the
    number of equal lines left out before it, and the traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": to_iso(int(record.created * 1000)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": SIGNED.sub("…", record.getMessage()),
        }
        if request := REQUEST_ID.get():
            entry["request"] = request
        for name in EVENT_FIELDS:
            if (value := getattr(record, name, None)) is not None:
                entry[name] = value
        if left_out := getattr(record, "left_out", 0):
            entry["left_out"] = left_out
        if record.exc_info:
            entry["traceback"] = SIGNED.sub("…", self.formatException(record.exc_info))
        return UNSAFE.sub(
            lambda found: f"\\u{ord(found[0]):04x}", json.dumps(entry, ensure_ascii=False)
        )


def write_json_logs(stream: TextIO | None = None) -> logging.Handler:
    """Send the warnings and errors of every part to one place.

    Args:
        stream: The destination; None for standard error.

    Returns:
        The handler, so that it can be removed again.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(RepetitionFilter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    return handler
