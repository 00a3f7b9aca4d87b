"""What search stores of a video: its texts, folded and with their pinyin."""

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

# Raise it with every change of what is stored for a text: the index is then rebuilt
# (`workflows.indexing`).
VERSION = 3
# Ten times the views weigh as much as being 180 days younger.
TENFOLD, TENFOLD_DAYS = 100, 180


class VideoTexts(msgspec.Struct, frozen=True):
    """A video as search needs it.

    Attributes:
        video_id: Its number.
        title: As displayed.
        related: Names of its labels and artists.
        pageviews: Its views.
        created_at: Time of publication.
        description: What it is about.
    """

    video_id: int
    title: str
    related: Sequence[str]
    pageviews: int
    created_at: Milliseconds
    description: str = ""


class Document(msgspec.Struct, frozen=True, array_like=True):
    """A row of `search_document`."""

    video_id: int
    title: str
    text: str
    readings: str
    score: int
    description: str = ""

    @property
    def entry(self) -> Entry:
        """Its entry in the word index."""
        return Entry(
            self.video_id,
            *(
                " ".join(sorted(one))
                for one in (
                    tokens_of(self.text),
                    reading_tokens(self.readings),
                    tokens_of(self.description),
                )
            ),
        )


def score_of(pageviews: int, created_at: Milliseconds) -> int:
    """Popularity and freshness in one number, which time does not change and a single view
    rarely does.
    """
    freshness = day_number(created_at) * TENFOLD / TENFOLD_DAYS
    return round(TENFOLD * math.log10(max(0, pageviews) + 10) + freshness)


def document_of(texts: VideoTexts) -> Document:
    """What is stored of a video's texts."""
    fields = [fold(text) for text in (texts.title, *texts.related)]
    # Numbers written in Chinese are found by their digits too.
    segments = [segment for field in fields for segment in field.split()]
    in_digits = [digits for segment in segments if (digits := with_digits(segment)) != segment]
    return Document(
        video_id=texts.video_id,
        title=with_digits(fields[0]),
        text=" ".join([*fields, *dict.fromkeys(in_digits)]),
        readings=readings_of(fields),
        score=score_of(texts.pageviews, texts.created_at),
        description=fold(texts.description),
    )


class Prepared(msgspec.Struct, frozen=True, array_like=True):
    """Everything to be written for a video: its document, its entry in the word index and the
    beginnings of its title.
    """

    document: Document
    entry: Entry
    starts: list[str]


def prepare(texts: VideoTexts) -> Prepared:
    """Prepare what is written for a video: most of the work, without the database."""
    document = document_of(texts)
    return Prepared(document, document.entry, sorted(starts_of(fold(texts.title))))


def starts_in(prepared: Iterable[Prepared]) -> Iterator[tuple[str, int]]:
    """Rows of `search_start`."""
    return ((start, one.document.video_id) for one in prepared for start in one.starts)
