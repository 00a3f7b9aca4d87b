"""The site's identity on the wire: what the client shows of it."""

from __future__ import annotations

import msgspec


class SiteView(msgspec.Struct, frozen=True, kw_only=True):
    """`logo` is the address of a picture in place of emblem and wordmark; empty for the site's
    own drawing.
    """

    name: str
    slogan: str
    footer: str
    contact: str
    logo: str
