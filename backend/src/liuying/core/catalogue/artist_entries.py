"""The list of all artists: what changes seldom is kept encoded, the counts are read each time, and
only the parts whose counts have changed are written anew.
"""

from __future__ import annotations

from collections import Counter

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.name_counts import NameCounts
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.schemas import ArtistView, artist_view
from liuying.kit.changes import CacheTopic, newest_change

# Inside a text its quotation marks would be escaped: this is the field alone.
COUNT = b'"video_count":'
# Artists of one part: of 20,000, one video changes two or three of 157.
PART = 128


class _Part(msgspec.Struct, frozen=True, gc=False):
    """Some artists in a row.

    Attributes:
        form: Their JSON objects, with `%d` for each count.
        counts: The counts that `text` was written with.
        text: The form with its counts.
    """

    form: bytes
    counts: tuple[int, ...] = ()
    text: bytes = b""


class _Entries(msgspec.Struct, frozen=True, gc=False):
    """Artists by initial and name as of one state of the change log, and their numbers of videos
    as of the last call.

    Attributes:
        stamp: The newest change of artists; what was read afterwards is at least as new.
        ids: Their numbers.
        parts: Their JSON objects.
    """

    stamp: int
    ids: tuple[int, ...]
    parts: tuple[_Part, ...]


class ArtistEntries:
    """Encodes the list of artists for one process.

    It is exact: each call checks whether an artist was added, changed or removed
    (`CacheTopic.ARTISTS`), and asks for the numbers of videos.

    Args:
        counts: The numbers of videos.
    """

    def __init__(self, counts: NameCounts) -> None:
        self._counts = counts
        self._known = _NOTHING

    def encoded(self, connection: sa.Connection) -> msgspec.Raw:
        """The JSON array of every artist (`ArtistView`), by initial and name."""
        stamp = newest_change(connection, CacheTopic.ARTISTS)
        entries = self._known
        if entries.stamp != stamp:
            entries = _read(connection, stamp)
        counts = self._counts.of_all(connection, "artist")
        # Two threads may read the same; neither waits for the other.
        self._known = entries = _counted(entries, counts)
        return msgspec.Raw(b"[%b]" % b",".join([part.text for part in entries.parts]))

    def forget(self) -> None:
        """Drop everything: the change log may be another one with the same numbers."""
        self._known = _NOTHING


_NOTHING = _Entries(-1, (), ())


def _read(connection: sa.Connection, stamp: int) -> _Entries:
    rows = names.artists_in_order(connection)
    forms = [_form_of(artist_view(row, 0)) for row in rows]
    parts = [_Part(b",".join(forms[at : at + PART])) for at in range(0, len(forms), PART)]
    return _Entries(stamp, tuple(row.id for row in rows), tuple(parts))


def _counted(entries: _Entries, counts: Counter[int]) -> _Entries:
    """The same artists with these counts."""
    ordered = tuple(map(counts.__getitem__, entries.ids))
    parts = [
        part if part.counts == (now := ordered[at : at + PART]) else _written(part, now)
        for at, part in zip(range(0, len(ordered), PART), entries.parts, strict=True)
    ]
    return msgspec.structs.replace(entries, parts=tuple(parts))


def _written(part: _Part, counts: tuple[int, ...]) -> _Part:
    return _Part(part.form, counts, part.form % counts)


def _form_of(view: ArtistView) -> bytes:
    before, after = msgspec.json.encode(view).replace(b"%", b"%%").split(COUNT + b"0")
    return b"%b%b%%d%b" % (before, COUNT, after)
