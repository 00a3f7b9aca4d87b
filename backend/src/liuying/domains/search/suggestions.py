"""Titles that a visitor may be about to type."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.domains.search.documents import beginning
from liuying.domains.search.engines import engine_of
from liuying.domains.search.folding import fold
from liuying.domains.search.query import BEST_FIRST, FOUND
from liuying.domains.search.readings import Syllables, runs_of, splits_of, tokens_of_syllables
from liuying.domains.search.tables import search_start

# A wrong syllable is forgiven beside two right ones, no fewer.
FEWEST_SYLLABLES = 3
# So many likely videos are looked at for a spelling with a wrong syllable.
MOST_CANDIDATES = 300
LAST_SIGN = chr(0x10FFFF)


def typed_start(text: str) -> str:
    """What was typed, as `documents.starts_of` writes beginnings; pinyin may be typed with blanks and apostrophes."""
    start = beginning(fold(text))
    letters = start.replace(" ", "").replace("'", "")
    return letters if letters.isascii() and letters.isalpha() else start


def titles_beginning(connection: sa.Connection, text: str, limit: int) -> list[int]:
    """Videos whose title begins with a text, its pinyin or its initials, the best first.

    A single Latin letter says too little: it begins every twentieth title.
    """
    start = typed_start(text)
    if not start or (len(start) == 1 and start.isascii()):
        return []
    begun = sa.select(search_start.c.video_id).where(
        search_start.c.start >= start, search_start.c.start < start + LAST_SIGN
    )
    statement = sa.select(FOUND.video_id).where(FOUND.video_id.in_(begun)).order_by(*BEST_FIRST).limit(limit)
    return list(connection.execute(statement).scalars())


def syllables_typed(text: str) -> Syllables:
    """The likeliest syllables of what was typed, where it is pinyin that may hold a wrong one; else none."""
    splits = splits_of(typed_start(text))
    return splits[0] if splits and len(splits[0]) >= FEWEST_SYLLABLES else ()


def titles_nearly_read(connection: sa.Connection, syllables: Syllables, limit: int) -> list[int]:
    """Videos that are read as was typed (`syllables_typed`) but for one syllable."""
    ways = [_tokens_around(syllables, wrong) for wrong in range(len(syllables))]
    matching = engine_of(connection).matching("readings", [ways])
    statement = (
        sa.select(FOUND.video_id, FOUND.readings)
        .join(matching, matching.c.video_id == FOUND.video_id)
        .order_by(*BEST_FIRST)
        .limit(MOST_CANDIDATES)
    )
    found = (row.video_id for row in connection.execute(statement) if is_nearly_read(row.readings, syllables))
    return [video_id for _place, video_id in zip(range(limit), found, strict=False)]


def _tokens_around(syllables: Syllables, wrong: int) -> list[str]:
    parts = (syllables[:wrong], syllables[wrong + 1 :])
    return [token for part in parts if part for token in tokens_of_syllables(part)]


def is_nearly_read(readings: str, syllables: Sequence[str]) -> bool:
    """Whether syllables stand in a row, one of them at most another."""
    return any(
        sum(one not in sounds for one, sounds in zip(syllables, run[place:], strict=False)) <= 1
        for run in runs_of(readings)
        for place in range(len(run) - len(syllables) + 1)
    )
