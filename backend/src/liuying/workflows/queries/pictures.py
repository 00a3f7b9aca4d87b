"""Which encrypted images rows show."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, category, video
from liuying.features.ads.tables import ad, app_link

# Every column with an encrypted image: one that several rows show must stay as long as one of them
# does.
IMAGES = (video.c.cover, artist.c.image, category.c.icon, ad.c.image, app_link.c.image)


def is_shown(connection: sa.Connection, name: str) -> bool:
    """Whether a row shows the object with a name."""
    shown = sa.or_(
        *(sa.exists().where(sa.cast(column, sa.Text).contains(name)) for column in IMAGES)
    )
    return bool(connection.execute(sa.select(shown)).scalar())


def shown_addresses(connection: sa.Connection) -> set[str]:
    """Addresses of the objects of all images that rows show."""
    return {
        picture[key]
        for column in IMAGES
        for picture in connection.execute(sa.select(column).where(column.is_not(None))).scalars()
        for key in ("url", "jpeg")
        if (picture or {}).get(key)
    }
