"""From the words of a query to the videos, in order."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.queries.details import is_any_described
from liuying.features.search.pinyin import (
    FEWEST_INITIALS,
    LETTERS,
    Syllables,
    has_initials,
    has_syllables,
    splits_of,
    tokens_of_initials,
    tokens_of_syllables,
)
from liuying.features.search.queries.engines import Condition, engine_of
from liuying.features.search.query import Query, Word, parse
from liuying.features.search.tables import search_document
from liuying.features.search.tokens import tokens_of_word
from liuying.kit.number_columns import read_columns

FOUND = search_document.c
BEST_FIRST = (FOUND.score.desc(), FOUND.video_id.desc())
Verification = Callable[[str], bool]


def ordered_ids(connection: sa.Connection, keyword: str) -> array[int]:
    """Ids of the videos whose title, labels or artists contain every word, best first.

    An exact title comes first, then titles that begin with the keyword, contain it, or contain
    every word; within a tier popular and fresh videos come first. If nothing contains the words,
    letters are tried as pinyin, then as initials.
    """
    query = parse(keyword)
    if not query.words:
        return array("i")
    return _by_words(connection, query) or _ids_by_readings(connection, query)


def ids_by_description(connection: sa.Connection, query: Query, limit: int) -> array[int]:
    """Ids of the videos whose description contains every word, popular and fresh ones first; at
    most `limit`.
    """
    if not query.words or not is_any_described(connection):
        return array("i")
    engine = engine_of(connection)
    matching = engine.matching("descriptions", [_tokens(word) for word in query.words])
    verified = [
        sa.or_(*(engine.position(FOUND.description, one) > 0 for one in word.spellings))
        for word in query.words
        if not word.is_exact
    ]
    statement = (
        sa.select(FOUND.video_id)
        .join(matching, matching.c.video_id == FOUND.video_id)
        .where(*verified)
        .order_by(*BEST_FIRST)
        .limit(limit)
    )
    return array("i", connection.execute(statement).scalars())


def _ids_by_readings(connection: sa.Connection, query: Query) -> array[int]:
    """Ids like `ordered_ids` where nothing contains the words: letters are tried as pinyin, then
    as initials.
    """
    if not any(LETTERS.fullmatch(word.spellings[0]) for word in query.words):
        return array("i")
    return _by_readings(connection, query, _as_pinyin) or _by_readings(
        connection, query, _as_initials
    )


def _by_words(connection: sa.Connection, query: Query) -> array[int]:
    engine = engine_of(connection)
    matching = engine.matching("words", [_tokens(word) for word in query.words])

    def holds(column: sa.ColumnElement[str], word: Word) -> sa.ColumnElement[bool]:
        return sa.or_(*(engine.position(column, one) > 0 for one in word.spellings))

    title, phrase = FOUND.title, query.phrase
    in_title = (
        sa.and_(*(holds(title, word) for word in query.words))
        if len(query.words) > 1
        else sa.false()
    )
    elsewhere = sa.case((in_title, 3), else_=4)
    first = sa.case((title == phrase, 0), else_=1)
    tier = sa.case({0: elsewhere, 1: first}, value=engine.position(title, phrase), else_=2)
    verified = [holds(FOUND.text, word) for word in query.words if not word.is_exact]
    statement = (
        sa.select(tier.label("tier"), FOUND.score, FOUND.video_id)
        .join(matching, matching.c.video_id == FOUND.video_id)
        .where(*verified)
    )
    # Sorted here: a short word is in many titles, and their rows would come one by one.
    tiers, scores, ids = read_columns(connection, statement)
    return array("i", ids[np.lexsort((-ids, -scores, tiers))].tolist())


def _tokens(word: Word) -> list[list[str]]:
    return [tokens_of_word(one) for one in word.spellings]


def _by_readings(
    connection: sa.Connection,
    query: Query,
    understand: Callable[[str], tuple[list[list[str]], Verification] | None],
) -> array[int]:
    """Like `_by_words`, with letters taken for what they may mean; empty if one word means
    nothing.
    """
    engine = engine_of(connection)
    by_words: list[list[list[str]]] = []
    by_readings: list[list[list[str]]] = []
    checks: list[Verification] = []
    verified: list[sa.ColumnElement[bool]] = []
    for word in query.words:
        if LETTERS.fullmatch(word.spellings[0]):
            if (understood := understand(word.spellings[0])) is None:
                return array("i")
            by_readings.append(understood[0])
            checks.append(understood[1])
        else:
            by_words.append(_tokens(word))
            verified.append(
                sa.or_(*(engine.position(FOUND.text, one) > 0 for one in word.spellings))
            )
    statement = sa.select(FOUND.video_id, FOUND.readings).where(*verified).order_by(*BEST_FIRST)
    for matching in _matchings(connection, by_readings, by_words):
        statement = statement.join(matching, matching.c.video_id == FOUND.video_id)
    rows = connection.execute(statement)
    return array(
        "i", (row.video_id for row in rows if all(check(row.readings) for check in checks))
    )


def _matchings(
    connection: sa.Connection, by_readings: Condition, by_words: Condition
) -> Sequence[sa.Subquery]:
    engine = engine_of(connection)
    found = [engine.matching("readings", by_readings)]
    return [*found, engine.matching("words", by_words)] if by_words else found


def _as_pinyin(letters: str) -> tuple[list[list[str]], Verification] | None:
    splits = splits_of(letters)
    if not splits:
        return None
    return [tokens_of_syllables(one) for one in splits], lambda readings: _has_any(readings, splits)


def _has_any(readings: str, splits: Sequence[Syllables]) -> bool:
    return any(has_syllables(readings, one) for one in splits)


def _as_initials(letters: str) -> tuple[list[list[str]], Verification] | None:
    if len(letters) < FEWEST_INITIALS:
        return None
    return [tokens_of_initials(letters)], lambda readings: has_initials(readings, letters)
