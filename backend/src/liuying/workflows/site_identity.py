"""Changing what the site calls itself: its texts, and its pictures in the sizes that are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

from liuying.features.site import service as sites
from liuying.features.site.rules import (
    FAVICON,
    ICON,
    ICONS,
    LOGO,
    MASKABLE,
    SMALL_ICON,
    TOUCH_ICON,
    SiteIdentity,
)
from liuying.kit.database import Database
from liuying.kit.errors import InvalidInputError
from liuying.media.cover import open_picture
from liuying.media.errors import PictureError
from liuying.media.site_pictures import SAFE_PART, icon_pngs, logo_png

if TYPE_CHECKING:
    from PIL import Image

LOGO_FIELD, ICON_FIELD = "logo", "icon"
# Sides in pixels, and the part of the side that the picture takes of those with a ground.
SIDES = {ICON: 512, SMALL_ICON: 192, MASKABLE: 512, TOUCH_ICON: 180, FAVICON: 48}
FILLED = {MASKABLE: SAFE_PART, TOUCH_ICON: 1.0}
PICTURE_NAMES = {LOGO_FIELD: (LOGO,), ICON_FIELD: ICONS}


class SiteChange(msgspec.Struct, frozen=True):
    """What is to be set, checked and drawn.

    Attributes:
        texts: By field of `SiteIdentity`.
        pictures: PNG by the name that it is shown by; None for the default.
    """

    texts: Mapping[str, str]
    pictures: Mapping[str, bytes | None]


def prepared(
    database: Database, texts: Mapping[str, str], pictures: Mapping[str, bytes | None]
) -> SiteChange:
    """Check texts and draw pictures, before anybody has to wait for a transaction.

    Args:
        texts: By field of `SiteIdentity`.
        pictures: JPEG, PNG or WebP of `logo` and `icon`; None takes one back to the default.

    Raises:
        InvalidInputError: A text breaks its rule, or a picture cannot be used; names the field.
    """
    checked = sites.checked_texts(texts)
    ground = checked.get("theme_dark")
    if ground is None:
        with database.read() as connection:
            ground = sites.read_identity(connection).theme_dark
    drawn: dict[str, bytes | None] = {}
    for field, content in pictures.items():
        drawn |= dict.fromkeys(PICTURE_NAMES[field])
        if content is not None:
            drawn |= _drawn(field, content, ground)
    return SiteChange(checked, drawn)


def change_identity(connection: sa.Connection, change: SiteChange) -> SiteIdentity:
    """Set texts and pictures, inside the caller's transaction; gives the identity as it is then."""
    sites.set_texts(connection, change.texts)
    sites.set_pictures(connection, change.pictures)
    return sites.read_identity(connection)


def _drawn(field: str, content: bytes, ground: str) -> dict[str, bytes]:
    try:
        picture: Image.Image = open_picture(content)
        if field == LOGO_FIELD:
            return {LOGO: logo_png(picture)}
        return icon_pngs(picture, ground, SIDES, FILLED)
    except (PictureError, InvalidInputError) as error:
        raise InvalidInputError(error.message, field) from error
