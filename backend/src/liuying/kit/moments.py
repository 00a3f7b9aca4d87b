"""Times as operators write them: ISO 8601, and what spreadsheets make of a date."""

from __future__ import annotations

import re
from datetime import datetime

EXAMPLE = "2026-12-01、2026/12/1 8:00 或 2026-12-01T08:00+08:00"
# Year, month and day, with a time or without. Chinese signs stand where others put strokes.
WRITTEN = re.compile(
    r"(?P<year>[0-9]{4})(?:年|[-/.])(?P<month>[0-9]{1,2})(?:月|[-/.])(?P<day>[0-9]{1,2})日?"
    r"(?:[ T\u3000]+(?P<hour>[0-9]{1,2})[:：](?P<minute>[0-9]{2})(?:[:：](?P<second>[0-9]{2}))?)?"
)


def parse_moment(text: str) -> tuple[datetime, bool]:
    """Read a time. Without a zone it is this machine's.

    Returns:
        The time with its zone, and whether only a date was written.

    Raises:
        ValueError: It is none, or out of the calendar's range.
    """
    text = text.strip()
    found = WRITTEN.fullmatch(text)
    if found is None:
        read = datetime.fromisoformat(text)
        is_date = ":" not in text and "T" not in text
    else:
        parts = found.groupdict()
        year, month, day, hour, minute, second = (
            int(parts[name] or 0) for name in ("year", "month", "day", "hour", "minute", "second")
        )
        read = datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - given below
        is_date = parts["hour"] is None
    try:
        return read if read.tzinfo else read.astimezone(), is_date
    except (OverflowError, OSError) as error:
        raise ValueError(text) from error
