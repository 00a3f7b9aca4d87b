"""The content of the cards that documents refer to (`heads.PageHead.card`)."""

from __future__ import annotations

import re

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.named_categories import category_name
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.service import get_video
from liuying.features.site.queries import picture_content
from liuying.features.site.rules import SMALL_ICON, SiteIdentity
from liuying.features.site.service import read_identity
from liuying.features.topics.queries import shown_topics
from liuying.kit.encryption import EncryptionError, ImageEncryptor
from liuying.kit.errors import NotFoundError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.images import EncryptedImage
from liuying.kit.limits import MINUTE, Limit, Rule
from liuying.kit.object_keys import picture_key
from liuying.kit.patient_reads import PatientReads
from liuying.media.card import Card, average_colour
from liuying.pages.heads import SITE_CARD, UNLOCK_CARD, UNLOCK_TITLE, note_of

NAME = re.compile(
    rf"({SITE_CARD}|{UNLOCK_CARD}|(video|topic|artist|category)-([1-9]\d{{0,9}}|0))\.jpg"
)
# Drawing one takes some 50 ms; what was drawn is cached.
DRAWN = Limit("card", (Rule(120, MINUTE),))


class CardSources(msgspec.Struct, frozen=True):
    """What cards need beside the database.

    Attributes:
        pictures: Where pictures are.
        encryptor: Opens them.
        icon: The icon of the built web application (PNG); None where it is not built.
        has_covers: Whether a video's card shows its real cover.
        is_site_only: Whether every card is the site's, because pages are for sessions alone.
    """

    pictures: PatientReads
    encryptor: ImageEncryptor
    icon: bytes | None
    has_covers: bool
    is_site_only: bool


def card_of(connection: sa.Connection, sources: CardSources, file_name: str) -> Card:
    """The card of a file name, `video-12.jpg`.

    Raises:
        NotFoundError: There is no such card: an unknown name, or what it names is not there, or
            locked,
            or gated.
    """
    found = NAME.fullmatch(file_name)
    if found is None:
        raise NotFoundError
    site = read_identity(connection)
    icon = picture_content(connection, SMALL_ICON) or sources.icon
    base = Card(title=site.name, note=site.slogan, brand=site.name, icon=icon)
    if found[1] == SITE_CARD or sources.is_site_only:
        return base
    if found[1] == UNLOCK_CARD:
        return msgspec.structs.replace(base, title=UNLOCK_TITLE, note="两位朋友打开链接，就能观看")
    if (number := int(found[3])) > MAX_ID:
        raise NotFoundError
    return msgspec.structs.replace(base, **_SUBJECTS[found[2]](connection, sources, site, number))


def _video(
    connection: sa.Connection, sources: CardSources, _site: SiteIdentity, number: int
) -> dict[str, object]:
    item, _ = get_video(connection, number)
    if item.is_locked or item.is_gated:
        raise NotFoundError
    content: dict[str, object] = {"title": item.title, "note": note_of(item)}
    if item.cover.thumb:
        content["tint"] = average_colour(item.cover.thumb)
    if sources.has_covers:
        content["picture"] = _plain(sources, item.cover)
    return content


def _topic(
    connection: sa.Connection, _sources: CardSources, _site: SiteIdentity, number: int
) -> dict[str, object]:
    for row in shown_topics(connection):
        if row.id == number:
            return {"title": row.title, "note": row.intro or f"共 {row.video_count:,} 个视频"}
    raise NotFoundError


def _artist(
    connection: sa.Connection, _sources: CardSources, _site: SiteIdentity, number: int
) -> dict[str, object]:
    row = names.artist_by_id(connection, number)
    if row is None:
        raise NotFoundError
    return {"title": row.name, "note": row.intro}


def _category(
    connection: sa.Connection, _sources: CardSources, site: SiteIdentity, number: int
) -> dict[str, object]:
    name = category_name(connection, number)
    if not name:
        raise NotFoundError
    return {"title": name, "note": site.slogan}


_SUBJECTS = {"video": _video, "topic": _topic, "artist": _artist, "category": _category}


def _plain(sources: CardSources, cover: EncryptedImage) -> bytes | None:
    """A cover's bytes; None where it cannot be had soon: the card is drawn without."""
    address = cover.jpeg or cover.url
    name = address.removeprefix("/enc/").removesuffix(".bin")
    try:
        content = sources.pictures.read(picture_key(name))
        return None if content is None else sources.encryptor.open(content)
    except (EncryptionError, ValueError):
        return None
