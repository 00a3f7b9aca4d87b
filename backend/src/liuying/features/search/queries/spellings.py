"""Spellings of artists' and labels' names, as they may be typed.

Spelling a name costs more than anything else done with it, and names stay. So each is spelled once,
by whoever indexes the first video with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import sqlalchemy as sa

from liuying.features.search.folding import fold
from liuying.features.search.pinyin import Syllables, is_nearly_read, readings_of
from liuying.features.search.prefixes import starts_of
from liuying.features.search.queries.beginnings import begins
from liuying.features.search.queries.engines import engine_of
from liuying.features.search.tables import search_spelling, search_spelling_start
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.inserting import insert_absent

SPELLED = search_spelling.c
BATCH = 1000
# Number of names sharing something with the search that are worth a look.
MAX_SIMILAR_NAMES = 100
SHARED_SIGN, SHARED_SYLLABLE = 2, 1


def note_names(connection: sa.Connection, names: Iterable[str]) -> None:
    """Spell new names; two transactions may do so with the same names, and use the same order."""
    rest = sorted(names)
    while some := rest[:BATCH]:
        rest = rest[BATCH:]
        known = set(
            connection.execute(sa.select(SPELLED.text).where(SPELLED.text.in_(some))).scalars()
        )
        if unknown := [name for name in some if name not in known]:
            _spell(connection, unknown)


def _spell(connection: sa.Connection, names: Sequence[str]) -> None:
    folded = {name: fold(name) for name in names}
    spellings = [
        {"text": name, "folded": one, "readings": readings_of([one])}
        for name, one in folded.items()
    ]
    # Skips those that another transaction has written meanwhile.
    noted = insert_absent(connection, search_spelling, spellings, SPELLED.text)
    starts = [
        {"start": start, "text": name}
        for name in names
        if name in noted
        for start in sorted(starts_of(folded[name]))
    ]
    if starts:
        connection.execute(sa.insert(search_spelling_start), starts)
    if noted:
        record_change(connection, CacheTopic.NAMES)


def forget_names(connection: sa.Connection) -> None:
    """Forget all spellings: what is stored for a name has changed."""
    connection.execute(sa.delete(search_spelling_start))
    if connection.execute(sa.delete(search_spelling)).rowcount:
        record_change(connection, CacheTopic.NAMES)


def names_beginning(connection: sa.Connection, start: str) -> sa.Select[str]:
    """Names that begin with what was typed (`typed_start`), or contain it if it is more than
    letters.
    """
    begun = sa.select(search_spelling_start.c.text).where(
        begins(search_spelling_start.c.start, start)
    )
    is_found: sa.ColumnElement[bool] = SPELLED.text.in_(begun)
    if not start.isascii():
        is_found |= engine_of(connection).position(SPELLED.folded, start) > 0
    return sa.select(SPELLED.text).where(is_found)


def names_nearly_read(connection: sa.Connection, syllables: Syllables) -> list[str]:
    """Names whose reading is what was typed (`suggestions.syllables_typed`) but for one
    syllable.
    """
    likely = sa.select(SPELLED.text, SPELLED.readings).where(
        _read(connection, syllables) >= len(syllables) - 1
    )
    return [
        row.text for row in connection.execute(likely) if is_nearly_read(row.readings, syllables)
    ]


def names_alike(
    connection: sa.Connection, signs: Collection[str], syllables: Collection[str]
) -> Sequence[str]:
    """Names that share characters or syllables, first those that share most, then the shortest."""
    if not signs and not syllables:
        return []
    position = engine_of(connection).position
    shared = [
        sa.case((position(SPELLED.folded, one) > 0, SHARED_SIGN), else_=0) for one in sorted(signs)
    ]
    likeness = sum(shared, SHARED_SYLLABLE * _read(connection, syllables))
    statement = (
        sa.select(SPELLED.text)
        .where(likeness > 0)
        .order_by(likeness.desc(), sa.func.length(SPELLED.text), SPELLED.text)
        .limit(MAX_SIMILAR_NAMES)
    )
    return connection.execute(statement).scalars().all()


def _read(connection: sa.Connection, syllables: Collection[str]) -> sa.ColumnElement[int]:
    """How many of some syllables a name contains."""
    position = engine_of(connection).position
    apart = sa.func.replace(sa.func.replace(SPELLED.readings, "/", " "), ";", " ")
    bounded = sa.literal(" ") + apart + " "
    found = [
        sa.case((position(bounded, f" {one} ") > 0, 1), else_=0) for one in sorted(set(syllables))
    ]
    return sum(found, sa.literal(0))
