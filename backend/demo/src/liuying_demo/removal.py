"""Removal of the demo: its films and all other rows it made, and nothing of the operator's.

A row belongs to the demo if the demo noted it (`kit.provenance`) and it still has the demo's name:
numbers may be reused after a row was removed, and a row that the operator renamed is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.tables import (
    artist,
    category,
    label,
    video,
    video_artist,
    video_label,
)
from liuying.core.playback.tables import asset
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.features.notices.tables import notice
from liuying.features.search.tables import hot_group
from liuying.features.topics.tables import topic, topic_video
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import NotFoundError
from liuying.kit.provenance import ids_made_by
from liuying.workflows.import_services import ImportServices
from liuying.workflows.pictures import forget_picture
from liuying.workflows.purging import purge_video
from liuying_demo.catalogue import DemoCatalogue, load_catalogue, source_name
from liuying_demo.fill import FILLING_TITLE
from liuying_demo.mark import SOURCE, forget_rows, note_imported, note_removal

CHANGED = (
    CacheTopic.CATALOGUE,
    CacheTopic.ARTISTS,
    CacheTopic.ADS,
    CacheTopic.NOTICES,
    CacheTopic.SEARCH,
)


class Part(msgspec.Struct, frozen=True):
    """Rows of one table.

    Attributes:
        column: What the demo's rows are known by.
        known: Its values in the demo's catalogue.
        is_kept: A condition for rows that are still in use.
        picture: The column of a picture whose objects go with the row.
    """

    column: sa.Column[Any]
    known: Collection[str]
    is_kept: sa.ColumnElement[bool] | None = None
    picture: sa.Column[Any] | None = None


def remove_demo(
    services: ImportServices,
    told: Callable[[int, int], None],
    catalogue: DemoCatalogue | None = None,
) -> int:
    """Remove the demo; it does not come back by itself. May be interrupted and repeated.

    Args:
        services: The installation.
        told: Called with the number of films removed so far and of all.
        catalogue: By default the package's.

    Returns:
        How many films were removed.

    Raises:
        OSError: A file could not be removed; `liuying doctor` finds it.
    """
    catalogue = catalogue or load_catalogue()
    with services.database.write() as connection:
        note_removal(connection)
        note_imported(connection, catalogue)
        films = _films(connection, catalogue)
    for number, video_id in enumerate(films, start=1):
        with suppress(NotFoundError):  # somebody else may have removed it meanwhile
            purge_video(services, video_id)
        told(number, len(films))
    pictures: list[Mapping[str, str]] = []
    with services.database.write() as connection:
        for part in _parts(catalogue):
            pictures += _remove(connection, part)
        names = {name for entry in catalogue.videos for name in entry.labels}
        unused = label.c.id.not_in(sa.select(video_label.c.label_id))
        connection.execute(sa.delete(label).where(label.c.name.in_(names), unused))
        connection.execute(sa.delete(notice).where(notice.c.title == FILLING_TITLE))
        forget_rows(connection)
        record_change(connection, *CHANGED)
    for picture in pictures:
        forget_picture(services.database, services.objects, picture)
    return len(films)


def _films(connection: sa.Connection, catalogue: DemoCatalogue) -> list[int]:
    titles = {source_name(entry): entry.title for entry in catalogue.videos}
    statement = (
        sa.select(video.c.id, video.c.title, asset.c.source_name)
        .join(asset, video.c.asset_key == asset.c.key)
        .where(video.c.id.in_(ids_made_by(connection, SOURCE, video.name)))
        .order_by(video.c.id)
    )
    found = connection.execute(statement)
    return [row.id for row in found if titles.get(row.source_name) == row.title]


def _parts(catalogue: DemoCatalogue) -> list[Part]:
    """In this order: what refers to a row goes before it."""

    def used(column: sa.Column[Any], link: sa.Column[Any]) -> sa.ColumnElement[bool]:
        return column.in_(sa.select(link).where(link.is_not(None)))

    return [
        Part(
            topic.c.title,
            [entry.title for entry in catalogue.topics],
            used(topic.c.id, topic_video.c.topic_id),
        ),
        Part(ad.c.title, [entry.title for entry in catalogue.ads], picture=ad.c.image),
        Part(banner_tag.c.name, catalogue.banner_tags, used(banner_tag.c.id, ad.c.banner_tag_id)),
        Part(
            app_link.c.title, [entry.title for entry in catalogue.links], picture=app_link.c.image
        ),
        Part(notice.c.title, [entry.title for entry in catalogue.notices]),
        Part(hot_group.c.title, [entry.title for entry in catalogue.hot_groups]),
        Part(
            artist.c.name,
            [entry.name for entry in catalogue.artists],
            used(artist.c.id, video_artist.c.artist_id),
            artist.c.image,
        ),
        Part(
            category.c.name,
            [entry.name for entry in catalogue.categories],
            used(category.c.id, video.c.category_id),
            category.c.icon,
        ),
    ]


def _remove(connection: sa.Connection, part: Part) -> list[Mapping[str, str]]:
    """Remove the demo's rows of a table; returns the pictures that they showed."""
    table = part.column.table
    mine: list[sa.ColumnElement[bool]] = [
        table.c.id.in_(ids_made_by(connection, SOURCE, str(table.name))),
        part.column.in_(list(part.known)),
    ]
    if part.is_kept is not None:
        mine.append(sa.not_(part.is_kept))
    pictures: list[Mapping[str, str]] = []
    if part.picture is not None:
        pictures = [one for one in connection.scalars(sa.select(part.picture).where(*mine)) if one]
    connection.execute(sa.delete(table).where(*mine))
    return pictures
