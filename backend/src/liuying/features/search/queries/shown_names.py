"""Statements of what may be offered while a visitor types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED_AMONG
from liuying.core.catalogue.tables import artist, label, video, video_artist, video_label
from liuying.features.search.tables import search_spelling
from liuying.kit.database import AnyRow

Kind = Literal["artist", "label"]
# The names themselves, or a statement that finds them.
Names: TypeAlias = sa.Select[str] | Sequence[str]


class NameSource(msgspec.Struct, frozen=True, eq=False):
    """Where the names of one kind are stored.

    Attributes:
        is_shown: Whether listed videos have a name: nothing is offered that leads nowhere.
        ids_shown: The numbers among `ids` whose names are shown.
    """

    kind: Kind
    table: sa.Table
    is_shown: sa.ColumnElement[bool]
    ids_shown: sa.Select[int]


# Part of statements that are built once: every letter that somebody types asks for them.
AMONG_IDS: sa.BindParameter[list[int]] = sa.bindparam("ids", expanding=True)


def _source(kind: Kind, table: sa.Table, link: sa.Column[int]) -> NameSource:
    of_it = (
        sa.select(video.c.id)
        .join(link.table, link.table.c.video_id == video.c.id)
        .where(link == table.c.id)
    )
    is_shown = of_it.where(LISTED_AMONG).exists()
    ids = sa.select(table.c.id).where(table.c.id.in_(AMONG_IDS), is_shown)
    return NameSource(kind, table, is_shown, ids)


NAMES = (
    _source("artist", artist, video_artist.c.artist_id),
    _source("label", label, video_label.c.label_id),
)
TITLES = sa.select(video.c.id, video.c.title).where(LISTED_AMONG, video.c.id.in_(AMONG_IDS))


def shown_names(
    connection: sa.Connection, names: Names, most: int | None = None
) -> list[tuple[Kind, str]]:
    """At most so many of each kind that listed videos have, by number."""
    found: list[tuple[Kind, str]] = []
    for source in NAMES:
        name = source.table.c.name
        shown = sa.select(name).where(name.in_(names), source.is_shown)
        rows = connection.execute(shown.order_by(source.table.c.id).limit(most))
        found += [(source.kind, row.name) for row in rows]
    return found


def ids_shown(connection: sa.Connection, source: NameSource, ids: Sequence[int]) -> list[int]:
    """The numbers among some whose names listed videos have."""
    return list(connection.execute(source.ids_shown, {"ids": ids}).scalars())


def spelled_names(connection: sa.Connection, source: NameSource) -> Sequence[AnyRow]:
    """Every name that a video was indexed with: `id`, `name` and its `folded` spelling, by
    number.
    """
    columns = source.table.c
    statement = (
        sa.select(columns.id, columns.name, search_spelling.c.folded)
        .join(search_spelling, search_spelling.c.text == columns.name)
        .order_by(columns.id)
    )
    return connection.execute(statement).all()


def listed_titles(connection: sa.Connection, video_ids: Sequence[int]) -> dict[int, str]:
    """Titles of the listed videos among some."""
    rows = connection.execute(TITLES, {"ids": video_ids})
    return {row.id: row.title for row in rows}
