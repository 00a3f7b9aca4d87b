"""The list of all labels: it is kept encoded, and written anew are those whose counts changed."""

from __future__ import annotations

import threading
from collections import Counter

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.name_counts import NameCounts
from liuying.core.catalogue.queries.names import labels_by_id
from liuying.core.catalogue.schemas import TagView
from liuying.kit.changes import CacheTopic, newest_change

# Inside a text its quotation marks would be escaped: this is the field alone.
COUNT = b'"video_count":'


class _Label(msgspec.Struct, gc=False):
    """A label.

    Attributes:
        form: Its JSON object, with `%d` for the count.
        videos: The count that `text` was written with.
    """

    form: bytes
    videos: int = 0
    text: bytes = b""


class _Known(msgspec.Struct, frozen=True, gc=False):
    """Labels as of one state of the change log.

    Attributes:
        stamp: The newest change of names; what was read afterwards is at least as new.
        labels: By number.
        ranked: Their numbers as of the last call, in order: few have changed places since.
    """

    stamp: int
    labels: dict[int, _Label]
    ranked: list[int]


class LabelEntries:
    """Encodes the list of labels for one process.

    It is exact: each call checks whether a label was added, changed or removed
    (`CacheTopic.NAMES`), and asks for the numbers of videos.

    Args:
        counts: The numbers of videos.
    """

    def __init__(self, counts: NameCounts) -> None:
        self._counts = counts
        self._known = _NOTHING
        self._writing = threading.Lock()

    def encoded(self, connection: sa.Connection) -> msgspec.Raw:
        """The JSON array of the labels in use (`TagView`), most used first, then by number."""
        stamp = newest_change(connection, CacheTopic.NAMES)
        known = self._known
        if known.stamp != stamp:
            known = _read(connection, stamp)
        counts = self._counts.of_all(connection, "label")
        with self._writing:  # No thread waits for the database here.
            texts = _texts(known, counts)
            self._known = known
        return msgspec.Raw(b"[%b]" % b",".join(texts))

    def forget(self) -> None:
        """Drop everything: the change log may be another one with the same numbers."""
        self._known = _NOTHING


_NOTHING = _Known(-1, {}, [])


def _read(connection: sa.Connection, stamp: int) -> _Known:
    labels = {number: _Label(_form_of(number, name)) for number, name in labels_by_id(connection)}
    return _Known(stamp, labels, list(labels))


def _texts(known: _Known, counts: Counter[int]) -> list[bytes]:
    """The labels in use with these counts, in order."""
    # One number each: they are in order but for the few that have changed, which sorting likes.
    known.ranked.sort(key=lambda one: one - (counts[one] << 32))
    texts = []
    for one in known.ranked:
        label, videos = known.labels[one], counts[one]
        if videos <= 0:
            break
        if label.videos != videos:
            label.videos, label.text = videos, label.form % videos
        texts.append(label.text)
    return texts


def _form_of(number: int, name: str) -> bytes:
    view = msgspec.json.encode(TagView(id=number, name=name, video_count=0))
    before, after = view.replace(b"%", b"%%").split(COUNT + b"0")
    return b"%b%b%%d%b" % (before, COUNT, after)
