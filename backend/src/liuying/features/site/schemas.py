"""The site's identity on the wire."""

from __future__ import annotations

import msgspec


class SiteView(msgspec.Struct, frozen=True, kw_only=True):
    """Name, texts and pictures of the site.

    `logo` replaces the wordmark and `icon` the emblem; both are empty where the operator has set
    none.
    """

    name: str
    slogan: str
    footer: str
    contact: str
    logo: str
    icon: str
