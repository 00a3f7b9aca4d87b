"""Categories, artists and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.name_counts import listed_count, listed_counts
from liuying.core.catalogue.rows import ArtistRow, CategoryRow
from liuying.core.catalogue.rules import EXCLUDED_CATEGORIES, RESERVED_CATEGORIES
from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.kit.changes import CacheTopic, draw_in_order, record_change
from liuying.kit.database import AnyRow
from liuying.kit.packed_rows import PackedRows


class _NameRow(msgspec.Struct, array_like=True, order=True):
    """A label's number and name."""

    id: int
    name: str


_CATEGORIES = PackedRows(
    sa.select(
        category.c.id, category.c.name, category.c.position, category.c.icon, category.c.is_hidden
    ).where(category.c.id.not_in(EXCLUDED_CATEGORIES)),
    CategoryRow,
)
_ARTISTS = PackedRows(
    sa.select(artist.c.id, artist.c.name, artist.c.initial, artist.c.image, artist.c.intro),
    ArtistRow,
)
_LABEL_NAMES = PackedRows(sa.select(label.c.id, label.c.name), _NameRow)
# The columns that link artists and labels to videos.
BY_ARTIST, BY_LABEL = video_artist.c.artist_id, video_label.c.label_id


def category_rows(connection: sa.Connection, *, with_hidden: bool = False) -> list[CategoryRow]:
    """The categories that are shown, in the operator's order; those that he hid only where they
    are asked for.
    """
    rows = sorted(_CATEGORIES.read(connection, {}), key=lambda row: (row.position, row.id))
    return [row for row in rows if with_hidden or not row.is_hidden]


def artist_rows(connection: sa.Connection) -> list[tuple[ArtistRow, int]]:
    """Artists by name, with their number of listed videos."""
    counts = listed_counts(connection, "artist")
    return [(row, counts[row.id]) for row in artists_in_order(connection)]


def artists_in_order(connection: sa.Connection) -> list[ArtistRow]:
    """Artists by initial and name, those without videos too."""
    return sorted(_ARTISTS.read(connection, {}), key=lambda row: (row.initial, row.name))


def artist_row(connection: sa.Connection, number: int) -> tuple[AnyRow, int]:
    """An artist with the number of listed videos, which may be 0."""
    row = connection.execute(sa.select(artist).where(artist.c.id == number)).one()
    return row, listed_count(connection, "artist", number)


def artist_by_id(connection: sa.Connection, number: int) -> AnyRow | None:
    """An artist; None where there is none of this number."""
    return connection.execute(sa.select(artist).where(artist.c.id == number)).first()


def label_rows(connection: sa.Connection) -> list[tuple[AnyRow, int]]:
    """Labels in use with their number of listed videos, the most used first."""
    counts = listed_counts(connection, "label")
    rows = connection.execute(sa.select(label.c.id, label.c.name).order_by(label.c.id))
    used = [(row, counts[row.id]) for row in rows if counts[row.id]]
    return sorted(used, key=lambda pair: -pair[1])


def labels_by_id(connection: sa.Connection) -> list[tuple[int, str]]:
    """Number and name of each label, by number."""
    return [(row.id, row.name) for row in sorted(_LABEL_NAMES.read(connection, {}))]


def label_row(connection: sa.Connection, number: int) -> tuple[AnyRow, int]:
    """A label with the number of listed videos, which may be 0."""
    row = connection.execute(sa.select(label.c.id, label.c.name).where(label.c.id == number)).one()
    return row, listed_count(connection, "label", number)


def all_categories(connection: sa.Connection) -> list[sa.RowMapping]:
    """Every category in the operator's order, with the number of its `videos`, listed or not."""
    return list(connection.execute(_counted_categories()).mappings())


def counted_category(connection: sa.Connection, number: int) -> sa.RowMapping:
    """One category as in `all_categories`."""
    statement = _counted_categories().where(category.c.id == number)
    return connection.execute(statement).mappings().one()


def _counted_categories() -> sa.Select[Any]:
    count = sa.func.count(video.c.id).label("videos")
    columns = (
        category.c.id,
        category.c.name,
        category.c.position,
        category.c.is_hidden,
        category.c.is_gated,
    )
    return (
        sa.select(*columns, count)
        .outerjoin(video, video.c.category_id == category.c.id)
        .group_by(*columns)
        .order_by(category.c.position, category.c.id)
    )


def count_in_category(connection: sa.Connection, number: int) -> int:
    """Number of a category's videos, listed or not."""
    statement = sa.select(sa.func.count()).select_from(video).where(video.c.category_id == number)
    return connection.execute(statement).scalar_one()


def category_name(connection: sa.Connection, number: int) -> str | None:
    """A category's name."""
    return connection.execute(sa.select(category.c.name).where(category.c.id == number)).scalar()


def highest_category(connection: sa.Connection) -> int:
    """The highest number of a category that is not reserved; 0 if there is none."""
    statement = sa.select(sa.func.max(category.c.id))
    return (
        connection.execute(statement.where(category.c.id.not_in(RESERVED_CATEGORIES))).scalar() or 0
    )


def insert_category(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Insert a category."""
    connection.execute(sa.insert(category).values(**values))


def id_by_name(connection: sa.Connection, table: sa.Table, name: str) -> int | None:
    """The id of the category, artist or label with this name."""
    return connection.execute(sa.select(table.c.id).where(table.c.name == name)).scalar()


def get_or_create(connection: sa.Connection, table: sa.Table, name: str, **values: object) -> int:
    """The id of the artist or label with this name, which is created if missing."""
    known = id_by_name(connection, table, name)
    if known is not None:
        return known
    # Before the name is taken, and not after it: of two transactions that make the same names, each
    # would wait for the other.
    draw_in_order(connection)
    known = id_by_name(connection, table, name)
    if known is not None:
        return known
    statement = sa.insert(table).values(name=name, **values).returning(table.c.id)
    try:
        with connection.begin_nested():
            created = int(connection.execute(statement).scalar_one())
    except sa.exc.IntegrityError:  # Another writer was faster (PostgreSQL; SQLite has one writer).
        found = sa.select(table.c.id).where(table.c.name == name)
        return int(connection.execute(found).scalar_one())
    of_artists = [CacheTopic.ARTISTS] if table is artist else []
    record_change(connection, CacheTopic.NAMES, *of_artists)
    return created


def replace_labels(connection: sa.Connection, video_id: int, label_ids: Sequence[int]) -> None:
    """Replace a video's labels, in order."""
    connection.execute(sa.delete(video_label).where(video_label.c.video_id == video_id))
    for position, label_id in enumerate(label_ids):
        row = {"video_id": video_id, "label_id": label_id, "position": position}
        connection.execute(sa.insert(video_label).values(row))


def replace_artists(connection: sa.Connection, video_id: int, artist_ids: Sequence[int]) -> None:
    """Replace a video's artists."""
    connection.execute(sa.delete(video_artist).where(video_artist.c.video_id == video_id))
    for artist_id in artist_ids:
        connection.execute(sa.insert(video_artist).values(video_id=video_id, artist_id=artist_id))


def videos_with(connection: sa.Connection, link: sa.Column[int], row_id: int) -> list[int]:
    """Videos linked to an artist or a label (`BY_ARTIST`, `BY_LABEL`)."""
    statement = sa.select(link.table.c.video_id).where(link == row_id)
    return list(connection.execute(statement).scalars())


def move_links(
    connection: sa.Connection, link: sa.Column[int], from_id: int, into_id: int
) -> list[int]:
    """Link an artist's or a label's videos to another one; returns these videos."""
    concerned = videos_with(connection, link, from_id)
    there = set(videos_with(connection, link, into_id))
    moving = [video_id for video_id in concerned if video_id not in there]
    is_moving = (link == from_id, link.table.c.video_id.in_(moving))
    connection.execute(sa.update(link.table).where(*is_moving).values({link: into_id}))
    delete_links(connection, link, from_id)
    return concerned


def delete_links(connection: sa.Connection, link: sa.Column[int], row_id: int) -> None:
    """Remove all links of an artist or a label."""
    connection.execute(sa.delete(link.table).where(link == row_id))
