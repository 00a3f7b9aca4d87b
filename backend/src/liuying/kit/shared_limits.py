"""Rate limits that several processes share, counted in PostgreSQL
(docs/decisions/0022-many-processes.md).

A row holds the moments of one network's uses within the longest window, so that the windows move
exactly as those of one process do. One statement counts: the row's own lock puts all processes in
order. The tables of minutes and hours are unlogged: nothing waits for a disk or a second server,
and a crash of PostgreSQL forgets the running window once. What is limited by the day is logged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import DAY_MS, HOUR_MS, Clock, Milliseconds, day_number
from liuying.kit.database import Database, metadata
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import DAY, FirstUse, Limit, Limits, Rule, purpose_of, refusal

# SQLite never fills these tables: it has one process.
MOMENTS = sa.JSON().with_variant(postgresql.ARRAY(sa.BigInteger), "postgresql")


def _use_table(name: str, unlogged: bool) -> sa.Table:
    return sa.Table(
        name,
        metadata,
        sa.Column("key", sa.String(64), primary_key=True, comment="keyed hash of a network"),
        sa.Column("moments", MOMENTS, nullable=False, comment="of uses, milliseconds since 1970"),
        sa.Column("before", MOMENTS, nullable=False, comment="of uses under yesterday's key"),
        sa.Column("asked", sa.Integer, nullable=False, comment="uses at once, the last time"),
        sa.Column("granted", sa.Integer, nullable=False, comment="of these"),
        sa.Column("used_at", sa.BigInteger, nullable=False, comment="when that was"),
        info={"unlogged": unlogged},
    )


limit_use = _use_table("limit_use", unlogged=True)
limit_use_of_day = _use_table("limit_use_of_day", unlogged=False)
first_use = sa.Table(
    "first_use",
    metadata,
    sa.Column("mark", sa.String(64), primary_key=True, comment="keyed hash, of a day"),
    sa.Column("left_at", sa.BigInteger, nullable=False),
    info={"unlogged": True},
)
TABLES = (limit_use, limit_use_of_day, first_use)
# Leaves several marks; returns those that nobody had left, today or yesterday.
LEAVE_MARKS = sa.text(
    "WITH asked AS (SELECT * FROM unnest(CAST(:marks AS text[]), CAST(:marks_before AS text[]))"
    " AS one (mark, mark_before)), fresh AS (INSERT INTO first_use (mark, left_at)"
    # In one order, so that two processes never wait for each other.
    " SELECT mark, :now FROM asked ORDER BY mark ON CONFLICT DO NOTHING RETURNING mark)"
    " SELECT mark FROM fresh JOIN asked USING (mark) WHERE NOT EXISTS"
    " (SELECT FROM first_use AS earlier WHERE earlier.mark = mark_before)"
)


class SharedLimits(Limits):
    """Limits of all processes on one PostgreSQL database.

    Args:
        database: Where they are counted.
        hashes: Hide the networks' addresses.
        clock: Says what the time is, the same on every machine.
    """

    waits = True

    def __init__(self, database: Database, hashes: KeyedHashes, clock: Clock) -> None:
        self._database = database
        self._hashes = hashes
        self._clock = clock

    def check(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> None:
        """Count one use (`Limits.check`).

        Raises:
            sqlalchemy.exc.DBAPIError: The database does not answer.
        """
        if any(rule.seconds >= DAY for rule in limit.rules):
            # A use that one rule refuses is taken back from the others.
            with self._database.write() as connection:
                self._count(connection, limit, network, about)
        else:
            with self._database.at_once() as connection:
                self._count(connection, limit, network, about)

    def check_many_first(
        self, firsts: Sequence[FirstUse], connection: sa.Connection | None = None
    ) -> list[TooManyRequestsError | None]:
        """Count several in one transaction (`Limits.check_many_first`)."""
        if connection is None:
            with self._database.write() as own:
                return self.check_many_first(firsts, own)
        refused: dict[str, TooManyRequestsError] = {}
        fresh = self._leave_marks(connection, firsts)
        for place in range(max((len(one.uses) for one in fresh), default=0)):
            asked = [one for one in fresh if one.mark not in refused and place < len(one.uses)]
            told = self._count_uses(connection, [one.uses[place] for one in asked])
            late = {one: error for one, error in zip(asked, told, strict=True) if error is not None}
            self._give_back(connection, [use for one in late for use in one.uses[:place]])
            refused |= {one.mark: error for one, error in late.items()}
        if refused:
            # Who is refused is new still.
            connection.execute(sa.delete(first_use).where(first_use.c.mark.in_(refused)))
        return [refused.get(one.mark) for one in firsts]

    def _leave_marks(self, connection: sa.Connection, firsts: Sequence[FirstUse]) -> list[FirstUse]:
        """Leave the marks of several; those that nobody left before, today or yesterday."""
        by_mark = {one.mark: one for one in firsts}
        values = {
            "marks": list(by_mark),
            "marks_before": [one.mark_before for one in by_mark.values()],
            "now": self._clock(),
        }
        left = set(connection.execute(LEAVE_MARKS, values).scalars()) if firsts else set()
        return [one for mark, one in by_mark.items() if mark in left]

    def _count_uses(
        self, connection: sa.Connection, uses: Sequence[tuple[Limit, ClientNetwork]]
    ) -> list[TooManyRequestsError | None]:
        """Count uses of several limits; for each None where it counts, otherwise the error."""
        told: dict[int, TooManyRequestsError | None] = {}
        for limit in sorted({one for one, _ in uses}, key=lambda one: one.name):
            places = [place for place, (one, _) in enumerate(uses) if one == limit]
            asked = [(uses[place][1], None) for place in places]
            told |= zip(places, self.check_many(connection, limit, asked), strict=True)
        return [told[place] for place in range(len(uses))]

    def _give_back(
        self, connection: sa.Connection, uses: Sequence[tuple[Limit, ClientNetwork]]
    ) -> None:
        """Take back uses that this transaction has counted last: it holds their rows."""
        day = day_number(self._clock())
        counts = Counter(self._key(limit, network, None, day) for limit, network in uses)
        if counts:
            statement = sa.text(
                "UPDATE limit_use SET moments = moments[1:cardinality(moments) - :count]"
                " WHERE key = :key"
            )
            connection.execute(
                statement, [{"key": key, "count": count} for key, count in counts.items()]
            )

    def reset(self) -> None:
        """Forget everything."""
        with self._database.write() as connection:
            for table in TABLES:
                connection.execute(sa.delete(table))

    def check_many(
        self,
        connection: sa.Connection,
        limit: Limit,
        uses: Sequence[tuple[ClientNetwork, int | None]],
    ) -> list[TooManyRequestsError | None]:
        """Count several uses at once (`Limits.check_many`), in one statement a table."""
        now = self._clock()
        keys = self.keys_of(limit, uses, now)
        counts = Counter(keys)
        asked = list(counts)
        values = {
            "keys": [today for today, _ in asked],
            "keys_before": [yesterday for _, yesterday in asked],
            "counts": [counts[one] for one in asked],
            "now": now,
        }
        refused: dict[str, TooManyRequestsError] = {}
        granted = {key: counts[key, before] for key, before in asked}
        for table, rules in _by_table(limit).items():
            for row in connection.execute(_statement(table, rules), values):
                if row.granted < granted[row.key]:
                    granted[row.key] = row.granted
                    refused[row.key] = refusal_of(rules, [*row.before, *row.moments], now)
        told: list[TooManyRequestsError | None] = []
        for today, _ in keys:
            granted[today] -= 1
            told.append(None if granted[today] >= 0 else refused[today])
        return told

    def keys_of(
        self, limit: Limit, uses: Sequence[tuple[ClientNetwork, int | None]], now: Milliseconds
    ) -> list[tuple[str, str]]:
        """The keys of rows that count uses, and those under which yesterday's were counted; empty
        where these have left the windows.
        """
        # What counts under a day's key was used before its end.
        has_yesterday = now % DAY_MS < max(rule.seconds for rule in limit.rules) * 1000
        day = day_number(now)
        return [
            (
                self._key(limit, network, about, day),
                self._key(limit, network, about, day - 1) if has_yesterday else "",
            )
            for network, about in uses
        ]

    def _count(
        self,
        connection: sa.Connection,
        limit: Limit,
        network: ClientNetwork,
        about: int | None = None,
    ) -> None:
        (refused,) = self.check_many(connection, limit, [(network, about)])
        if refused is not None:
            raise refused

    def _key(self, limit: Limit, network: ClientNetwork, about: int | None, day: int) -> str:
        return self._hashes.network(purpose_of(limit, about), network, day)


def prune_limits(connection: sa.Connection, now: Milliseconds) -> None:
    """Delete what has left every window."""
    for table, length in ((limit_use, HOUR_MS), (limit_use_of_day, DAY_MS)):
        connection.execute(sa.delete(table).where(table.c.used_at < now - length))
    connection.execute(sa.delete(first_use).where(first_use.c.left_at < now - 2 * DAY_MS))


def _by_table(limit: Limit) -> Mapping[str, tuple[Rule, ...]]:
    """A limit's rules by the table that counts them; the one that others wait for comes first."""
    tables = {
        limit_use.name: tuple(rule for rule in limit.rules if rule.seconds < DAY),
        limit_use_of_day.name: tuple(rule for rule in limit.rules if rule.seconds >= DAY),
    }
    return {name: rules for name, rules in tables.items() if rules}


def refusal_of(
    rules: Sequence[Rule], uses: Sequence[Milliseconds], now: Milliseconds
) -> TooManyRequestsError:
    """The error of the first rule whose uses are spent."""
    for rule in rules:
        within = [one for one in uses if one > now - rule.seconds * 1000]
        if len(within) >= rule.most:
            return refusal(rule, within, now)
    return TooManyRequestsError(retry_after=1)  # The clock of another process is slightly ahead.


@cache
def _statement(table: str, rules: tuple[Rule, ...]) -> sa.TextClause:
    """The statement that counts uses of several `keys`."""
    wanted = (
        "(SELECT * FROM unnest(CAST(:keys AS text[]), CAST(:keys_before AS text[]),"
        " CAST(:counts AS integer[])) AS one (key, key_before, asked)) AS wanted"
    )
    return sa.text(counting(rules, wanted, table))


def counting(rules: Sequence[Rule], wanted: str, table: str = limit_use.name) -> str:
    """SQL that counts uses at `:now`, as many as the rules allow; it may be a part of a statement.

    It returns a row for each key: `key`, how many are `granted`, and the `moments` of all that
    count, with those under yesterday's key in `before`.

    Args:
        rules: All must allow a use; none is of a day.
        wanted: What stands behind FROM: rows of `key`, `key_before` and how many are `asked`.
        table: Where they are counted.
    """
    longest = max(rule.seconds for rule in rules) * 1000
    # `kept` are the uses within the longest window, `earlier` those under yesterday's key.
    rooms = ", ".join(
        f"{rule.most} - (SELECT count(*) FROM unnest(kept || earlier) AS one"  # noqa: S608  # our own names and numbers, as below
        f" WHERE one > :now - {rule.seconds * 1000})"
        for rule in rules
    )
    granted = (
        f"LATERAL (SELECT greatest(0, least(asked, {rooms}))::integer AS granted OFFSET 0)"
        " AS decided"
    )
    # `OFFSET 0` keeps PostgreSQL from computing a window again wherever it is named.
    result = (
        "kept || array_fill(CAST(:now AS bigint), ARRAY[granted]), earlier, asked, granted, :now"
    )
    earlier = (
        f"ARRAY(SELECT one FROM {table} AS before, unnest(before.moments) AS one"  # noqa: S608
        f" WHERE key_before <> '' AND before.key = key_before AND one > :now - {longest})"
    )
    kept = f"ARRAY(SELECT one FROM unnest(used.moments) AS one WHERE one > :now - {longest})"  # noqa: S608
    return (
        f"INSERT INTO {table} AS used (key, moments, before, asked, granted, used_at)"  # noqa: S608
        f" SELECT key, {result} FROM {wanted},"
        f" LATERAL (SELECT CAST('{{}}' AS bigint[]) AS kept, {earlier} AS earlier OFFSET 0)"
        f" AS windows, {granted}"
        # In one order, so that two processes never wait for each other.
        " ORDER BY key"
        " ON CONFLICT (key) DO UPDATE SET (moments, before, asked, granted, used_at) ="
        f" (SELECT {result} FROM (SELECT {kept} AS kept, excluded.before AS earlier,"
        f" excluded.asked AS asked OFFSET 0) AS windows, {granted})"
        " RETURNING key, moments, before, granted"
    )
