"""Titles that a visitor may be typing."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.search.pinyin import Syllables, is_nearly_read, splits_of, tokens_of_syllables
from liuying.features.search.prefixes import typed_start
from liuying.features.search.queries.beginnings import begins
from liuying.features.search.queries.engines import engine_of
from liuying.features.search.queries.matches import BEST_FIRST, FOUND
from liuying.features.search.tables import search_start

# One wrong syllable is forgiven beside at least two right ones.
FEWEST_SYLLABLES = 3
# Up to so many titles, sorting them is faster than looking for them among the best.
FEW = 2000
# Number of likely videos checked for a reading with one wrong syllable.
MAX_CANDIDATES = 300


def titles_beginning(connection: sa.Connection, start: str, limit: int) -> list[int]:
    """Videos whose title begins as typed (`typed_start`), best first."""
    begun = sa.select(search_start.c.video_id).where(begins(search_start.c.start, start))
    some = begun.limit(FEW + 1).subquery()
    counted = sa.select(sa.func.count()).select_from(some)
    if connection.execute(counted).scalar_one() > FEW:
        # If so many begin like this, the best ones are found quickly.
        is_found: sa.ColumnElement[bool] = begun.where(
            search_start.c.video_id == FOUND.video_id
        ).exists()
    else:
        is_found = FOUND.video_id.in_(begun)
    statement = sa.select(FOUND.video_id).where(is_found).order_by(*BEST_FIRST).limit(limit)
    return list(connection.execute(statement).scalars())


def syllables_typed(text: str) -> Syllables:
    """The likeliest syllables of what was typed, if it is pinyin that may contain a wrong one;
    otherwise none.
    """
    splits = splits_of(typed_start(text))
    return splits[0] if splits and len(splits[0]) >= FEWEST_SYLLABLES else ()


def titles_nearly_read(connection: sa.Connection, syllables: Syllables, limit: int) -> list[int]:
    """Videos whose reading is what was typed (`syllables_typed`) but for one syllable."""
    ways = [_tokens_around(syllables, wrong) for wrong in range(len(syllables))]
    matching = engine_of(connection).matching("readings", [ways])
    statement = (
        sa.select(FOUND.video_id, FOUND.readings)
        .join(matching, matching.c.video_id == FOUND.video_id)
        .order_by(*BEST_FIRST)
        .limit(MAX_CANDIDATES)
    )
    found = (
        row.video_id
        for row in connection.execute(statement)
        if is_nearly_read(row.readings, syllables)
    )
    return [video_id for _place, video_id in zip(range(limit), found, strict=False)]


def _tokens_around(syllables: Syllables, wrong: int) -> list[str]:
    parts = (syllables[:wrong], syllables[wrong + 1 :])
    return [token for part in parts if part for token in tokens_of_syllables(part)]
