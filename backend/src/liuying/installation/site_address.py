"""Where the site is, for links that lead to it."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.site.service import read_identity
from liuying.installation.services import Services


def site_address(services: Services, connection: sa.Connection) -> str:
    """The site's origin; empty where nobody set it."""
    return read_identity(connection).url or services.settings.site_origin
