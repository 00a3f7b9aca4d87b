"""Holding back films that were taken down and come back in another encoding.

A content that was taken down is refused by the SHA-256 of its file. Another encoding of it has
another one: it is told by its pictures (`media/fingerprint.py`), once its first rendition is made
and before anything of it is published, and only where something was taken down.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from liuying.core.playback.queries import tombstones
from liuying.kit.database import Database
from liuying.kit.errors import InvalidInputError

if TYPE_CHECKING:
    from liuying.media.fingerprint import Fingerprint, Sketch
    from liuying.media.fingerprint_matching import Match

LOG = logging.getLogger(__name__)
# So many spans are named.
MOST_SPANS = 5
# Fingerprints in memory: a long film's is a megabyte.
READ_AT_ONCE = 16


class ResemblesError(InvalidInputError):
    """The film was taken down in another encoding, as far as its pictures tell.

    Args:
        reason: Why it was taken down.
        match: The seconds that are the same.
    """

    def __init__(self, reason: str, match: Match) -> None:
        spans = match.spans[:MOST_SPANS]
        named = "、".join(f"{_clock(start)}–{_clock(end)}" for start, end in spans)
        more = f" 等 {len(match.spans)} 段" if len(match.spans) > MOST_SPANS else ""
        super().__init__(
            f"画面与已下架的内容（{reason}）相同：本片 {named}{more}。"
            "已暂停；确认不是同一内容，可以选择仍要导入"
        )


def refuse_resembling(
    database: Database, glance: Callable[[], Sketch], sketch: Callable[[], Sketch]
) -> None:
    """Refuse a film that looks like one that was taken down. Costs nothing where none was.

    Args:
        glance: Looks at a few of its pictures: most films look like none that was taken down.
        sketch: Looks closely.

    Raises:
        ResemblesError: It does.
        MediaError: It cannot be read.
    """
    with database.read() as connection:
        contents = tombstones.fingerprinted(connection)
    if not contents:
        return
    # Loaded here: few imports need it.
    from liuying.media.fingerprint_matching import find_match, may_match  # noqa: PLC0415

    glanced, seen = glance(), None
    for start in range(0, len(contents), READ_AT_ONCE):
        with database.read() as connection:
            some = contents[start : start + READ_AT_ONCE]
            found = tombstones.fingerprint_rows(connection, some)
        for row in found:
            taken = _fingerprint(row.fingerprint, row.source_hash)
            if taken is None or not may_match(glanced, taken):
                continue
            seen = seen or sketch()
            match = find_match(seen, taken)
            if match is not None:
                raise ResemblesError(row.reason, match)


def _fingerprint(stored: bytes, content: str) -> Fingerprint | None:
    """What was stored; None if it cannot be read."""
    from liuying.media.fingerprint import Fingerprint  # noqa: PLC0415

    try:
        return Fingerprint.from_bytes(stored)
    except ValueError:
        LOG.warning("the fingerprint of %s cannot be read", content)
        return None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
