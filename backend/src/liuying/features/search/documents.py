"""What search knows of a video: its texts, folded and read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from liuying.features.search.entries import Entry
from liuying.features.search.folding import fold
from liuying.features.search.numerals import with_digits
from liuying.features.search.pinyin import reading_tokens, readings_of
from liuying.features.search.prefixes import starts_of
from liuying.features.search.tokens import tokens_of
from liuying.kit.clock import Milliseconds, day_number

# To be raised with every change of what is written for a text: the index is then built anew
# (`workflows.indexing`).
VERSION = 2
# A tenfold of views counts as much as being 180 days younger.
TENFOLD, TENFOLD_DAYS = 100, 180


class VideoTexts(msgspec.Struct, frozen=True):
    """A video as it is to be found.

    Attributes:
        video_id: Its number.
        title: As shown.
        related: Names of its labels and artists.
        pageviews: Its views.
        created_at: When it was published.
    """

    video_id: int
    title: str
    related: Sequence[str]
    pageviews: int
    created_at: Milliseconds


class Document(msgspec.Struct, frozen=True, array_like=True):
    """A row of `search_document`."""

    video_id: int
    title: str
    text: str
    readings: str
    score: int

    @property
    def entry(self) -> Entry:
        """What the word index holds of it."""
        return Entry(
            self.video_id,
            *(
                " ".join(sorted(one))
                for one in (tokens_of(self.text), reading_tokens(self.readings))
            ),
        )


def score_of(pageviews: int, created_at: Milliseconds) -> int:
    """Popularity and freshness in one number that does not change with time, and seldom with a
    single view.
    """
    freshness = day_number(created_at) * TENFOLD / TENFOLD_DAYS
    return round(TENFOLD * math.log10(max(0, pageviews) + 10) + freshness)


def document_of(texts: VideoTexts) -> Document:
    """What is kept of a video's texts."""
    fields = [fold(text) for text in (texts.title, *texts.related)]
    # Numbers written in Chinese are found by their digits as well.
    segments = [segment for field in fields for segment in field.split()]
    in_digits = [digits for segment in segments if (digits := with_digits(segment)) != segment]
    return Document(
        video_id=texts.video_id,
        title=with_digits(fields[0]),
        text=" ".join([*fields, *dict.fromkeys(in_digits)]),
        readings=readings_of(fields),
        score=score_of(texts.pageviews, texts.created_at),
    )


class Prepared(msgspec.Struct, frozen=True, array_like=True):
    """All that is written of a video: its document, its entry in the word index and its title's
    beginnings.
    """

    document: Document
    entry: Entry
    starts: list[str]


def prepare(texts: VideoTexts) -> Prepared:
    """What is to be written of a video: most of the work, and none of it the database's."""
    document = document_of(texts)
    return Prepared(document, document.entry, sorted(starts_of(fold(texts.title))))


def starts_in(prepared: Iterable[Prepared]) -> Iterator[tuple[str, int]]:
    """Rows of `search_start`."""
    return ((start, one.document.video_id) for one in prepared for start in one.starts)
