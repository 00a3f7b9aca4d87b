"""What stands round the videos: categories, tags, notices, hot words, links, advertisements,
artists' portraits.

Each part is one transaction and is left alone where the operator (or an earlier start) already
wrote something.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import msgspec
import sqlalchemy as sa
from PIL import Image

from liuying.core.catalogue.tables import artist, category, video
from liuying.core.playback.tables import asset
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.features.notices.service import write_notice
from liuying.features.notices.tables import notice
from liuying.features.search.tables import hot_group, hot_word
from liuying.features.topics.service import set_topic
from liuying.features.topics.tables import topic
from liuying.kit.changes import CacheTopic, draw_in_order, record_change
from liuying.kit.clock import HOUR_MS
from liuying.kit.encryption import encrypted_url
from liuying.kit.images import EncryptedImage
from liuying.media.cover import encode_picture
from liuying.workflows.import_services import ImportServices
from liuying.workflows.pinyin_initials import initial_of
from liuying_demo.catalogue import AdEntry, DemoCatalogue, number_of, source_name
from liuying_demo.mark import note_rows
from liuying_demo.portraits import portrait


def furnish_words(services: ImportServices, catalogue: DemoCatalogue) -> None:
    """Write all that needs no drawing: categories with their icons, tags, notices, hot words,
    links.
    """
    _categories(services, catalogue)
    _banner_tags(services, catalogue)
    _notices(services, catalogue)
    _hot_words(services, catalogue)
    _links(services, catalogue)


def _categories(services: ImportServices, catalogue: DemoCatalogue) -> None:
    icons = [_icon(services, entry.icon) for entry in catalogue.categories]
    with services.database.write() as connection:
        known = set(connection.execute(sa.select(category.c.id)).scalars())
        names = set(connection.execute(sa.select(category.c.name)).scalars())
        rows = [
            {"id": entry.id, "name": entry.name, "position": place, "icon": picture}
            for place, (entry, picture) in enumerate(zip(catalogue.categories, icons, strict=True))
            if entry.id not in known and entry.name not in names
        ]
        if rows:
            new = [
                entry.id
                for entry in catalogue.categories
                if entry.id in {row["id"] for row in rows}
            ]
            connection.execute(sa.insert(category), rows)
            note_rows(connection, category, new)
            record_change(connection, CacheTopic.CATALOGUE)


def _banner_tags(services: ImportServices, catalogue: DemoCatalogue) -> None:
    with services.database.write() as connection:
        if _is_empty(connection, banner_tag):
            rows = [
                {"name": name, "position": place}
                for place, name in enumerate(catalogue.banner_tags)
            ]
            connection.execute(sa.insert(banner_tag), rows)
            note_rows(connection, banner_tag, connection.scalars(sa.select(banner_tag.c.id)))
            record_change(connection, CacheTopic.ADS)


def _notices(services: ImportServices, catalogue: DemoCatalogue) -> None:
    now = services.clock()
    with services.database.write() as connection:
        titles = set(connection.execute(sa.select(notice.c.title)).scalars())
        for entry in catalogue.notices:
            if entry.title not in titles:
                written_at = now - round(entry.hours * HOUR_MS)
                notice_id = write_notice(connection, entry.title, entry.content, written_at)
                note_rows(connection, notice, [notice_id])


def _hot_words(services: ImportServices, catalogue: DemoCatalogue) -> None:
    with services.database.write() as connection:
        if not _is_empty(connection, hot_group):
            return
        for place, entry in enumerate(catalogue.hot_groups):
            statement = (
                sa.insert(hot_group)
                .values(title=entry.title, position=place)
                .returning(hot_group.c.id)
            )
            group_id = connection.execute(statement).scalar_one()
            note_rows(connection, hot_group, [group_id])
            words = [
                {"group_id": group_id, "word": word, "position": at}
                for at, word in enumerate(entry.words)
            ]
            connection.execute(sa.insert(hot_word), words)
        record_change(connection, CacheTopic.SEARCH)


def _links(services: ImportServices, catalogue: DemoCatalogue) -> None:
    rows = [
        {
            "kind": entry.kind,
            "title": entry.title,
            "text": entry.text,
            "url": entry.url,
            "position": place,
            "image": picture,
        }
        for place, entry in enumerate(catalogue.links)
        for picture in (_icon(services, entry.icon),)
    ]
    with services.database.write() as connection:
        if _is_empty(connection, app_link):
            connection.execute(sa.insert(app_link), rows)
            note_rows(connection, app_link, connection.scalars(sa.select(app_link.c.id)))
            record_change(connection, CacheTopic.ADS)


def furnish_topics(services: ImportServices, catalogue: DemoCatalogue) -> None:
    """Write the topics that are not there yet and whose films are."""
    names = {entry.key: source_name(entry) for entry in catalogue.videos}
    with services.database.write() as connection:
        there = connection.execute(
            sa.select(asset.c.source_name, video.c.id).join(video, video.c.asset_key == asset.c.key)
        )
        ids = {row.source_name: row.id for row in there}
        titles = set(connection.scalars(sa.select(topic.c.title)))
        for place, entry in enumerate(catalogue.topics):
            films = [names[key] for key in entry.videos if key in names]
            if films and entry.title not in titles and ids.keys() >= set(films):
                numbers = [ids[name] for name in films]
                number = set_topic(connection, entry.title, entry.intro, numbers, place)
                note_rows(connection, topic, [number])


def missing_ads(services: ImportServices, catalogue: DemoCatalogue) -> list[AdEntry]:
    """The catalogue's advertisements that are not written yet; they are known by their
    addresses.
    """
    with services.database.read() as connection:
        known = set(connection.execute(sa.select(ad.c.url)).scalars())
    return [entry for entry in catalogue.ads if entry.url not in known]


def furnish_ad(services: ImportServices, entry: AdEntry, picture: Image.Image) -> None:
    """Write one advertisement with its picture."""
    image = msgspec.to_builtins(_picture(services, picture))
    with services.database.write() as connection:
        tag = sa.select(banner_tag.c.id).where(banner_tag.c.name == entry.tag).scalar_subquery()
        statement = (
            sa.insert(ad)
            .values(
                slot=entry.slot,
                banner_tag_id=tag if entry.tag else None,
                title=entry.title,
                text=entry.text,
                url=entry.url,
                image=image,
                position=entry.position,
            )
            .returning(ad.c.id)
        )
        note_rows(connection, ad, connection.scalars(statement))
        record_change(connection, CacheTopic.ADS)


def furnish_artists(services: ImportServices, catalogue: DemoCatalogue) -> None:
    """Give every artist a portrait and a line about them; those whom the importer will name are
    made here.
    """
    pictures = {
        entry.name: msgspec.to_builtins(_picture(services, portrait(number_of(entry.name))))
        for entry in catalogue.artists
    }
    with services.database.write() as connection:
        draw_in_order(connection)  # An import beside it may make the same names.
        known = {row.name: row for row in connection.execute(sa.select(artist))}
        for entry in catalogue.artists:
            values = {"image": pictures[entry.name], "intro": entry.intro}
            if entry.name not in known:
                statement = sa.insert(artist).values(
                    name=entry.name, initial=initial_of(entry.name), **values
                )
                note_rows(connection, artist, connection.scalars(statement.returning(artist.c.id)))
            elif known[entry.name].image is None:
                connection.execute(
                    sa.update(artist).where(artist.c.name == entry.name).values(**values)
                )
        record_change(connection, CacheTopic.CATALOGUE, CacheTopic.ARTISTS)


def icon_svg(name: str) -> bytes:
    """An icon of the folder `icons`: two tones that are legible on dark and on light.

    Raises:
        FileNotFoundError: There is none of this name.
    """
    return (files(__package__) / "icons" / f"{name}.svg").read_bytes()


def _icon(services: ImportServices, name: str) -> dict[str, object]:
    stored = services.encryptor.store_image(services.objects, icon_svg(name))
    image = EncryptedImage(
        url=encrypted_url(stored),
        type=services.encryptor.media_type("image/svg+xml"),
        width=24,
        height=24,
    )
    return dict(msgspec.to_builtins(image))


def _picture(services: ImportServices, image: Image.Image) -> EncryptedImage:
    return encode_picture(image, services.encryptor, services.objects, 960)


def _is_empty(connection: sa.Connection, table: sa.Table) -> bool:
    found: Sequence[object] = connection.execute(
        sa.select(sa.literal(1)).select_from(table).limit(1)
    ).all()
    return not found
