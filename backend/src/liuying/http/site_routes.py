"""Routes for messengers (cards), search engines (robots.txt, sitemaps) and devices (manifest,
icons).
"""

from __future__ import annotations

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.site.manifest import manifest_of
from liuying.features.site.queries import picture_content
from liuying.features.site.rules import PICTURES as SITE_PICTURES
from liuying.features.site.service import read_identity
from liuying.kit.changes import CacheTopic
from liuying.kit.client_network import ClientNetwork
from liuying.kit.database import Database
from liuying.kit.errors import NotFoundError
from liuying.kit.limits import Limits
from liuying.kit.responses import cached
from liuying.media.card import draw_card
from liuying.pages import sitemap
from liuying.pages.boot import ClientSettings
from liuying.pages.cards import DRAWN, CardSources, card_of

XML = "application/xml"
HOUR = 3600
CARDS = cached(CacheTopic.CATALOGUE, CacheTopic.CONFIG, max_age=HOUR)
LISTED = cached(CacheTopic.CATALOGUE, CacheTopic.CONFIG, lifetime=HOUR, max_age=HOUR)
IDENTITY = cached(CacheTopic.CONFIG, max_age=0)
PICTURES = cached(CacheTopic.CONFIG, max_age=HOUR)


@get("/cards/{file_name:str}", sync_to_thread=True, opt=CARDS, include_in_schema=False)
def get_card(
    database: NamedDependency[Database],
    card_sources: NamedDependency[CardSources],
    network: NamedDependency[ClientNetwork],
    limits: NamedDependency[Limits],
    file_name: FromPath[str],
) -> Response[bytes]:
    """The picture that a messenger draws beside a shared link."""
    limits.check(DRAWN, network)
    with database.read() as connection:
        card = card_of(connection, card_sources, file_name)
    return Response(draw_card(card), media_type="image/jpeg")


@get("/robots.txt", sync_to_thread=True, opt=IDENTITY, include_in_schema=False)
def get_robots(
    database: NamedDependency[Database], client_settings: NamedDependency[ClientSettings]
) -> Response[str]:
    """robots.txt."""
    with database.read() as connection:
        origin = read_identity(connection).url or client_settings.site_url
    text = sitemap.robots(origin, is_closed=client_settings.is_auth_required)
    return Response(text, media_type=MediaType.TEXT)


def _known_origin(site_url: str, settings: ClientSettings) -> str:
    """The site's origin.

    Raises:
        NotFoundError: It is not known, or nobody but sessions may read the site: there are no
            sitemaps.
    """
    origin = site_url or settings.site_url
    if not origin or settings.is_auth_required:
        raise NotFoundError
    return origin


@get("/sitemap.xml", sync_to_thread=True, opt=LISTED, include_in_schema=False)
def get_sitemap_index(
    database: NamedDependency[Database],
    sort_index: NamedDependency[SortIndex],
    client_settings: NamedDependency[ClientSettings],
) -> Response[str]:
    """The list of sitemaps."""
    with database.read() as connection:
        origin = _known_origin(read_identity(connection).url, client_settings)
        return Response(sitemap.index(connection, sort_index, origin), media_type=XML)


@get("/sitemaps/{file_name:str}", sync_to_thread=True, opt=LISTED, include_in_schema=False)
def get_sitemap(
    database: NamedDependency[Database],
    sort_index: NamedDependency[SortIndex],
    client_settings: NamedDependency[ClientSettings],
    file_name: FromPath[str],
) -> Response[str]:
    """One of the sitemaps that the index lists."""
    with database.read() as connection:
        origin = _known_origin(read_identity(connection).url, client_settings)
        text = sitemap.part(connection, sort_index, origin, file_name)
    return Response(text, media_type=XML)


@get("/manifest.webmanifest", sync_to_thread=True, opt=IDENTITY, include_in_schema=False)
def get_manifest(database: NamedDependency[Database]) -> Response[bytes]:
    """How the site is called, and looks, once it is installed on a device."""
    with database.read() as connection:
        manifest = manifest_of(read_identity(connection))
    return Response(msgspec.json.encode(manifest), media_type="application/manifest+json")


@get("/site/{file_name:str}", sync_to_thread=True, opt=PICTURES, include_in_schema=False)
def get_site_picture(
    database: NamedDependency[Database], file_name: FromPath[str]
) -> Response[bytes]:
    """The operator's logo or one of the icons."""
    with database.read() as connection:
        content = picture_content(connection, file_name) if file_name in SITE_PICTURES else None
    if content is None:
        raise NotFoundError
    return Response(content, media_type="image/png")


ROUTES = [
    get_card,
    get_robots,
    get_sitemap_index,
    get_sitemap,
    get_manifest,
    get_site_picture,
]
