"""Numbers of listed videos of artists and labels.

Triggers keep them (migration 0044), so they are right whoever changes links or what is listed: what
a change adds to a name's number or takes away is a row of `name_count_change`, in the change's own
transaction. Folding adds these rows to `name_count`. Both together are the number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, cast

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED
from liuying.core.catalogue.tables import (
    name_count,
    name_count_change,
    video,
    video_artist,
    video_label,
)
from liuying.kit.advisory_locks import AdvisoryLock
from liuying.kit.database import take_transaction_lock
from liuying.kit.driver_rows import read_number
from liuying.kit.inserting import upsert_many
from liuying.kit.packed_rows import as_text

Kind: TypeAlias = Literal["artist", "label"]
Counts: TypeAlias = dict[Kind, Counter[int]]
LINKS: Mapping[Kind, sa.Column[int]] = {
    "artist": video_artist.c.artist_id,
    "label": video_label.c.label_id,
}
# Changes folded by one transaction.
FOLDED_AT_ONCE = 10_000


class Tally(msgspec.Struct, frozen=True):
    """What the database knew at one moment.

    Attributes:
        folded: The number of the last folding.
        counts: Numbers of listed videos that were folded since the one that was asked for.
        changes: What is to be added to the numbers of all foldings.
    """

    folded: int
    counts: Counts
    changes: Counts


def _tally() -> sa.CompoundSelect[str, str, str, str]:
    """One statement, because it must see one moment: the last folding, then by kind the numbers and
    the changes, each as two texts in the same order (the driver releases the interpreter at every
    row).
    """
    nothing = sa.literal("")
    last = sa.cast(sa.func.coalesce(sa.func.max(name_count.c.folded), 0), sa.Text)
    fresh = name_count.c.folded > sa.bindparam("known", type_=sa.Integer)

    def by_kind(part: str, table: sa.Table) -> sa.Select[str, str, str, str]:
        columns = table.c
        texts = [as_text(one) for one in (columns.name_id, columns.videos)]
        return sa.select(sa.literal(part), columns.kind, *texts).group_by(columns.kind)

    return sa.union_all(
        sa.select(sa.literal("folded"), nothing, last, nothing),
        by_kind("counts", name_count).where(fresh),
        by_kind("changes", name_count_change),
    )


_TALLY = _tally()


def tally_since(connection: sa.Connection, folded: int) -> Tally:
    """The numbers that were folded after a folding, and what is not folded yet.

    Args:
        folded: Number of that folding; 0 for all numbers.
    """
    tally = Tally(0, {kind: Counter() for kind in LINKS}, {kind: Counter() for kind in LINKS})
    for part, kind, first, second in cast(
        "Iterable[tuple[str, Kind, str, str]]", connection.execute(_TALLY, {"known": folded})
    ):
        if part == "folded":
            tally = msgspec.structs.replace(tally, folded=int(first))
            continue
        found = zip(_numbers(first), _numbers(second), strict=True)
        if part == "counts":
            tally.counts[kind] = Counter(dict(found))
        else:
            for number, videos in found:
                tally.changes[kind][number] += videos
    return tally


def listed_counts(connection: sa.Connection, kind: Kind) -> Counter[int]:
    """Number of listed videos of each artist or label that has any; 0 for others."""
    tally = tally_since(connection, 0)
    return tally.counts[kind] + tally.changes[kind]


def listed_count(connection: sa.Connection, kind: Kind, number: int) -> int:
    """Number of listed videos of one artist or label."""
    both = sa.union_all(
        *(
            sa.select(table.c.videos).where(table.c.kind == kind, table.c.name_id == number)
            for table in (name_count, name_count_change)
        )
    ).subquery()
    total = sa.select(sa.func.coalesce(sa.func.sum(both.c.videos), 0))
    return int(connection.execute(total).scalar_one())


def counted_anew(connection: sa.Connection, kind: Kind) -> Counter[int]:
    """Like `listed_counts`, from the links themselves: all that there are, which an index alone
    tells, less the few whose videos are not listed. Half a second at a million videos.
    """
    linked, unlisted = _links(kind)
    counts = Counter({row[0]: row[1] for row in connection.execute(linked)})
    counts.subtract({row[0]: row[1] for row in connection.execute(unlisted)})
    return +counts


def _links(kind: Kind) -> tuple[sa.Select[int, int], sa.Select[int, int]]:
    """How many videos each artist or label has, and how many of them are not listed."""
    link = LINKS[kind]
    linked = sa.select(link.label("name_id"), sa.func.count().label("videos")).group_by(link)
    unlisted = link.table.c.video_id.in_(sa.select(video.c.id).where(sa.not_(LISTED)))
    return linked, linked.where(unlisted)


def wrong_counts(connection: sa.Connection, kind: Kind) -> list[int]:
    """The artists or labels whose number is not what the links say.

    One statement, because it must see one moment: on PostgreSQL the next would see what somebody
    has written meanwhile.
    """
    linked, unlisted = (one.subquery() for one in _links(kind))
    added = [
        sa.select(table.c.name_id, table.c.videos).where(table.c.kind == kind)
        for table in (name_count, name_count_change)
    ]
    taken = sa.select(linked.c.name_id, -linked.c.videos)
    every = sa.union_all(*added, taken, sa.select(unlisted.c.name_id, unlisted.c.videos)).subquery()
    statement = (
        sa.select(every.c.name_id)
        .group_by(every.c.name_id)
        .having(sa.func.sum(every.c.videos) != 0)
        .order_by(every.c.name_id)
    )
    return list(connection.execute(statement).scalars())


def has_changes(connection: sa.Connection) -> bool:
    """Whether there is anything to fold."""
    statement = "SELECT 1 FROM name_count_change LIMIT 1"
    return read_number(connection, statement) is not None


def fold_changes(connection: sa.Connection) -> bool:
    """Add the oldest changes to the numbers, a batch.

    Returns:
        Whether more remain.
    """
    take_transaction_lock(connection, AdvisoryLock.NAME_COUNTS)
    columns = name_count_change.c
    oldest = sa.select(columns.seq).order_by(columns.seq).limit(FOLDED_AT_ONCE)
    taken = connection.execute(
        sa.delete(name_count_change)
        .where(columns.seq.in_(oldest))
        .returning(columns.kind, columns.name_id, columns.videos)
    ).all()
    sums: Counter[tuple[Kind, int]] = Counter()
    for row in taken:
        sums[row.kind, row.name_id] += row.videos
    _write(connection, {key: videos for key, videos in sums.items() if videos}, is_added=True)
    return len(taken) == FOLDED_AT_ONCE


def count_again(connection: sa.Connection) -> None:
    """Set every number to what the links say: after videos were written past the triggers."""
    take_transaction_lock(connection, AdvisoryLock.NAME_COUNTS)
    # Nobody changes what is counted meanwhile. SQLite has one writer anyway.
    if connection.dialect.name == "postgresql":
        names = ", ".join(one.name for one in (video, video_artist, video_label))
        connection.exec_driver_sql(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE")
    connection.execute(sa.delete(name_count_change))
    rows = connection.execute(sa.select(name_count.c.kind, name_count.c.name_id))
    counts: dict[tuple[Kind, int], int] = {(row.kind, row.name_id): 0 for row in rows}
    for kind in LINKS:
        found = counted_anew(connection, kind)
        counts.update({(kind, number): videos for number, videos in found.items()})
    _write(connection, counts, is_added=False)


def _write(
    connection: sa.Connection, counts: Mapping[tuple[Kind, int], int], *, is_added: bool
) -> None:
    """Numbers of one folding. Whoever has seen the one before looks for those of later ones: none
    is removed, not even 0.
    """
    if not counts:
        return
    last = connection.execute(sa.select(sa.func.max(name_count.c.folded))).scalar() or 0
    rows = [
        {"kind": kind, "name_id": number, "videos": videos, "folded": last + 1}
        for (kind, number), videos in sorted(counts.items())
    ]
    upsert_many(connection, name_count, rows, added=["videos"] if is_added else [])


def leave_counting(connection: sa.Connection) -> list[str]:
    """Let very many links and videos be written past the triggers from now on.

    Returns:
        What ends it (`resume_counting`).
    """
    if connection.dialect.name == "postgresql":
        found = connection.exec_driver_sql(_POSTGRESQL_TRIGGERS).all()
        for table, trigger in found:
            connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
        return [f"ALTER TABLE {table} ENABLE TRIGGER {trigger}" for table, trigger in found]
    found = connection.exec_driver_sql(_SQLITE_TRIGGERS).all()
    for trigger, _statement in found:
        connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
    return [statement for _trigger, statement in found]


def resume_counting(connection: sa.Connection, statements: Sequence[str]) -> None:
    """Count everything, and from now on what changes."""
    for statement in statements:
        connection.exec_driver_sql(statement)
    count_again(connection)


# As the migration names them.
_POSTGRESQL_TRIGGERS = """
SELECT tgrelid::regclass, tgname FROM pg_trigger
WHERE NOT tgisinternal AND tgname ~ '^video_.*counted'
"""
_SQLITE_TRIGGERS = """
SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'video_*counted*'
"""


def _numbers(text: str) -> list[int]:
    return msgspec.json.decode(f"[{text}]", type=list[int])
