"""The screens' addresses (specification §2): each answers with the web application."""

from __future__ import annotations

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath

from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.ads.service import AdPolicy
from liuying.features.site.rules import SiteIdentity
from liuying.features.site.service import read_identity
from liuying.http.document_head import DocumentHead
from liuying.http.first_pictures import FirstPictures
from liuying.http.web_files import WebPages
from liuying.kit.changes import CacheTopic
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.errors import NotFoundError
from liuying.kit.images import EncryptedImage
from liuying.kit.responses import cached
from liuying.pages.boot import ClientSettings, home_boot, runtime_config
from liuying.pages.first_answers import NO_ANSWERS, first_answers
from liuying.pages.heads import HOME_HEAD, REMOVALS_PATH, PageHead, head_of
from liuying.pages.player import PlayInfos
from liuying.pages.schemas import BootData, HomeBoot

SCREENS = frozenset(
    {
        "/vendor",
        "/rank",
        "/find",
        "/find/artist",
        "/find/rank",
        "/find/tags",
        "/artist-details",
        "/topic",
        "/miin",
        "/favorites",
        "/mine",
        "/search",
        "/searchList",
        "/playVideoShare",
        "/playLink",
        "/collectVideo",
    }
)
# Covers that home's document preloads beside the banner: the first row of recommendations.
PRELOADED_COVERS = 2
# Documents with content. An advertisement's time window opens and closes without a write, hence the
# lifetime.
FILLED = cached(
    CacheTopic.CATALOGUE,
    CacheTopic.VIEWS,
    CacheTopic.ADS,
    CacheTopic.CONFIG,
    lifetime=30,
    max_age=0,
)


@get(
    ["/", "/home"],
    sync_to_thread=True,
    media_type=MediaType.HTML,
    opt=FILLED,
    include_in_schema=False,
)
def get_home(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    sort_index: NamedDependency[SortIndex],
    client_settings: NamedDependency[ClientSettings],
    web_pages: NamedDependency[WebPages],
    first_pictures: NamedDependency[FirstPictures],
) -> str:
    """Home: prerendered, with its data inlined."""
    with database.read() as connection:
        # Everybody gets the document: nothing that needs a token is in it.
        home = (
            None
            if client_settings.is_auth_required
            else home_boot(connection, sort_index, client_settings, clock())
        )
        config = runtime_config(connection, client_settings)
        site = read_identity(connection)
    policy = client_settings.ad_policy
    pictures = _first_pictures(home, policy) if home else []
    sealed = first_pictures.text_of(_first_banner(home) if home else None)
    boot = BootData(config=config, home=home, pictures=pictures, sealed=sealed)
    return web_pages.home(boot, _head(site, HOME_HEAD, client_settings))


def _head(site: SiteIdentity, page: PageHead, settings: ClientSettings) -> DocumentHead:
    # Where a session is required, documents reveal the site's name only.
    shown = PageHead(is_indexed=False) if settings.is_auth_required else page
    return DocumentHead(site, shown, site.url or settings.site_url)


def _first_banner(home: HomeBoot) -> EncryptedImage | None:
    # Without tags above it, as where advertisements are off, it has not the place of its box.
    return home.banners[0].image if home.banners and home.banner_tags else None


def _first_pictures(home: HomeBoot, policy: AdPolicy) -> list[EncryptedImage]:
    banners = [ad.image for ad in home.banners[:1]] if policy.is_shown else []
    covers = [item.cover for item in home.recommendation.data[:PRELOADED_COVERS]]
    # Those of gated videos are not there to be announced.
    return [*banners, *(cover for cover in covers if cover.url)]


def get_filled_screen(
    request: Request[object, object, State],
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    play_infos: NamedDependency[PlayInfos],
    client_settings: NamedDependency[ClientSettings],
    web_pages: NamedDependency[WebPages],
    first_pictures: NamedDependency[FirstPictures],
) -> Response[str]:
    """A screen that visitors open through an external link, with its first answers; 404 for a
    missing video.
    """
    scope = request.scope
    target = b"%b?%b" % (scope["raw_path"], scope["query_string"])
    first, status = NO_ANSWERS, 200
    with database.read() as connection:
        config = runtime_config(connection, client_settings)
        site = read_identity(connection)
        page = head_of(connection, play_infos.orders, site, target)
        try:
            if not client_settings.is_auth_required:
                first = first_answers(connection, play_infos, client_settings, target, clock())
        except NotFoundError:
            status = 404
    sealed = first_pictures.text_of(first.largest)
    boot = BootData(config=config, answers=first.answers, pictures=first.pictures, sealed=sealed)
    document = web_pages.shell(boot, scope["path"], _head(site, page, client_settings))
    return Response(document, status_code=status, media_type=MediaType.HTML)


@get(
    "/searchList",
    sync_to_thread=True,
    media_type=MediaType.HTML,
    include_in_schema=False,
)
def get_search_list(
    request: Request[object, object, State],
    database: NamedDependency[Database],
    sort_index: NamedDependency[SortIndex],
    client_settings: NamedDependency[ClientSettings],
    web_pages: NamedDependency[WebPages],
) -> Response[str]:
    """The results of a search. Not cached: anybody can make up terms without end."""
    return _screen(request, database, sort_index, client_settings, web_pages, "/searchList")


@get(
    "/{screen:path}",
    sync_to_thread=True,
    media_type=MediaType.HTML,
    opt=cached(CacheTopic.CATALOGUE, CacheTopic.ADS, CacheTopic.CONFIG, max_age=0),
    include_in_schema=False,
)
def get_screen(
    request: Request[object, object, State],
    database: NamedDependency[Database],
    sort_index: NamedDependency[SortIndex],
    client_settings: NamedDependency[ClientSettings],
    web_pages: NamedDependency[WebPages],
    screen: FromPath[str],
) -> Response[str]:
    """Any other screen; 404 with the same document for an unknown address, topic or artist."""
    return _screen(request, database, sort_index, client_settings, web_pages, screen)


def _screen(
    request: Request[object, object, State],
    database: Database,
    sort_index: SortIndex,
    client_settings: ClientSettings,
    web_pages: WebPages,
    screen: str,
) -> Response[str]:
    scope = request.scope
    target = b"%b?%b" % (scope["raw_path"], scope["query_string"])
    with database.read() as connection:
        boot = BootData(config=runtime_config(connection, client_settings))
        site = read_identity(connection)
        page = head_of(connection, sort_index, site, target)
    # Where a session is required, documents do not reveal what there is either.
    is_found = page.is_found or client_settings.is_auth_required
    is_known = screen in SCREENS or (screen == REMOVALS_PATH and boot.config.has_removals is True)
    status = 200 if is_known and is_found else 404
    document = web_pages.shell(boot, screen, _head(site, page, client_settings))
    return Response(document, status_code=status, media_type=MediaType.HTML)


# One route each: the framework miscalls a handler of several addresses that returns its own
# response.
FILLED_ROUTES = [
    get(path, sync_to_thread=True, media_type=MediaType.HTML, opt=FILLED, include_in_schema=False)(
        get_filled_screen
    )
    for path in ("/playVideo", "/list")
]
ROUTES = [get_home, *FILLED_ROUTES, get_search_list, get_screen]
