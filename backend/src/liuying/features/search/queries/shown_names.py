"""Statements of what may be offered while a visitor types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED_AMONG
from liuying.core.catalogue.tables import artist, label, video, video_artist, video_label

Kind = Literal["artist", "label"]
# The names themselves, or a statement that finds them.
Names: TypeAlias = sa.Select[str] | Sequence[str]
NAMES: tuple[tuple[Kind, sa.Table, sa.Table, sa.Column[int]], ...] = (
    ("artist", artist, video_artist, video_artist.c.artist_id),
    ("label", label, video_label, video_label.c.label_id),
)


def shown_names(
    connection: sa.Connection, names: Names, most: int | None = None
) -> list[tuple[Kind, str]]:
    """At most so many of each kind that listed videos have: nothing is offered that leads
    nowhere.
    """
    found: list[tuple[Kind, str]] = []
    for kind, table, links, link in NAMES:
        of_it = (
            sa.select(video.c.id)
            .join(links, links.c.video_id == video.c.id)
            .where(link == table.c.id)
        )
        is_shown = of_it.where(LISTED_AMONG).exists()
        shown = sa.select(table.c.name).where(table.c.name.in_(names), is_shown)
        rows = connection.execute(shown.order_by(table.c.id).limit(most))
        found += [(kind, row.name) for row in rows]
    return found


def listed_titles(connection: sa.Connection, video_ids: Sequence[int]) -> dict[int, str]:
    """Titles of the listed videos among some."""
    rows = connection.execute(
        sa.select(video.c.id, video.c.title).where(LISTED_AMONG, video.c.id.in_(video_ids))
    )
    return {row.id: row.title for row in rows}
