"""Titles that a visitor may be about to type."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.search.pinyin import Syllables, is_nearly_read, splits_of, tokens_of_syllables
from liuying.features.search.prefixes import typed_start
from liuying.features.search.queries.beginnings import begins
from liuying.features.search.queries.engines import engine_of
from liuying.features.search.queries.matches import BEST_FIRST, FOUND
from liuying.features.search.tables import search_start

# A wrong syllable is forgiven beside two right ones, no fewer.
FEWEST_SYLLABLES = 3
# So many titles are sooner sorted than looked for among the best.
FEW = 2000
# So many likely videos are looked at for a spelling with a wrong syllable.
MAX_CANDIDATES = 300


def titles_beginning(connection: sa.Connection, text: str, limit: int) -> list[int]:
    """Videos whose title begins with a text, its pinyin or its initials, the best first.

    A single Latin letter says too little: it begins every twentieth title.
    """
    start = typed_start(text)
    if not start or (len(start) == 1 and start.isascii()):
        return []
    begun = sa.select(search_start.c.video_id).where(begins(search_start.c.start, start))
    if len(connection.execute(begun.limit(FEW + 1)).all()) > FEW:
        # So many begin like this that those of the best titles are soon found.
        is_found: sa.ColumnElement[bool] = begun.where(
            search_start.c.video_id == FOUND.video_id
        ).exists()
    else:
        is_found = FOUND.video_id.in_(begun)
    statement = sa.select(FOUND.video_id).where(is_found).order_by(*BEST_FIRST).limit(limit)
    return list(connection.execute(statement).scalars())


def syllables_typed(text: str) -> Syllables:
    """The likeliest syllables of what was typed, where it is pinyin that may hold a wrong one; else
    none.
    """
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
