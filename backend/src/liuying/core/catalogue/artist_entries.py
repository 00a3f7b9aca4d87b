"""The list of all artists: what changes seldom is kept encoded, the counts are read each time."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries import names
from liuying.core.catalogue.schemas import ArtistView, artist_view
from liuying.kit.changes import CacheTopic, newest_change

# Inside a text its quotation marks would be escaped: this is the field alone.
COUNT = b'"video_count":'


class _Entries(msgspec.Struct, frozen=True, gc=False):
    """Artists by initial and name as of one state of the change log.

    Attributes:
        stamp: The newest change of artists; what was read afterwards is at least as new.
        ids: Their numbers.
        form: The JSON array with `%d` for each count.
    """

    stamp: int
    ids: tuple[int, ...]
    form: bytes


class ArtistEntries:
    """Encodes the list of artists for one process.

    It is exact: each call checks whether an artist was added, changed or removed
    (`CacheTopic.ARTISTS`), and asks the database for the numbers of videos.
    """

    def __init__(self) -> None:
        self._known = _Entries(-1, (), b"[]")

    def encoded(self, connection: sa.Connection) -> msgspec.Raw:
        """The JSON array of every artist (`ArtistView`), by initial and name."""
        stamp = newest_change(connection, CacheTopic.ARTISTS)
        entries = self._known
        if entries.stamp != stamp:
            # Two threads may read the same; neither waits for the other.
            self._known = entries = _read(connection, stamp)
        counts = names.listed_counts_of_artists(connection)
        return msgspec.Raw(entries.form % tuple(map(counts.__getitem__, entries.ids)))

    def forget(self) -> None:
        """Drop everything: the change log may be another one with the same numbers."""
        self._known = _Entries(-1, (), b"[]")


def _read(connection: sa.Connection, stamp: int) -> _Entries:
    rows = names.artists_in_order(connection)
    forms = [_form_of(artist_view(row, 0)) for row in rows]
    return _Entries(stamp, tuple(row.id for row in rows), b"[%b]" % b",".join(forms))


def _form_of(view: ArtistView) -> bytes:
    before, after = msgspec.json.encode(view).replace(b"%", b"%%").split(COUNT + b"0")
    return b"%b%b%%d%b" % (before, COUNT, after)
