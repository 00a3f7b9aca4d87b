"""The log of videos as a look finds it."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.queries.change_log import MOMENT, Moment
from liuying.kit.driver_rows import read_row


def moment_after(connection: sa.Connection, since: int) -> Moment:
    """This moment, told to whoever has followed as far as `since`."""
    queries = ", ".join(f"({query})" for query in MOMENT[connection.dialect.name])
    of_catalogue, of_videos, pairs = read_row(connection, f"SELECT {queries}", since)
    return Moment.of(since, of_catalogue, of_videos, pairs)
