"""The screens' addresses (specification §2): each answers with the web application."""

from __future__ import annotations

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from liuying.domains.ads.service import AdPolicy
from liuying.domains.catalogue.video_orders import VideoOrders
from liuying.kit.answers import cached
from liuying.kit.changes import Topic
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.main.web.web_files import WebPages
from liuying.pages.boot import ClientSettings, home_boot, runtime_config
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
        "/miin",
        "/favorites",
        "/mine",
        "/search",
        "/list",
        "/searchList",
        "/playVideo",
        "/playVideoShare",
        "/playLink",
        "/collectVideo",
    }
)
# Covers that are announced in the document's head: the banner and the first row of recommendations.
PRELOADED_COVERS = 2


@get(
    ["/", "/home"],
    sync_to_thread=True,
    media_type=MediaType.HTML,
    opt=cached(Topic.CATALOGUE, Topic.VIEWS, Topic.ADS, Topic.CONFIG, lifetime=30, max_age=0),
    include_in_schema=False,
)
def get_home(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    video_orders: NamedDependency[VideoOrders],
    client_settings: NamedDependency[ClientSettings],
    web_pages: NamedDependency[WebPages],
) -> str:
    """Home: prerendered, with its data inlined."""
    with database.read() as connection:
        # A document is sent to whoever asks: what a token is needed for is not in it.
        home = (
            None if client_settings.is_auth_required else home_boot(connection, video_orders, client_settings, clock())
        )
        boot = BootData(config=runtime_config(connection, client_settings), home=home)
    found = _first_covers(home, client_settings.ad_policy) if home else []
    return web_pages.home(boot, [client_settings.media_base + url for url in found if url])


def _first_covers(home: HomeBoot, policy: AdPolicy) -> list[str]:
    banners = [ad.image.url for ad in home.banners[:1]] if policy.is_shown else []
    return [*banners, *(item.cover.url for item in home.recommendation.data[:PRELOADED_COVERS])]


@get(
    "/{screen:path}",
    sync_to_thread=True,
    media_type=MediaType.HTML,
    opt=cached(Topic.ADS, Topic.CONFIG, max_age=0),
    include_in_schema=False,
)
def get_screen(
    database: NamedDependency[Database],
    client_settings: NamedDependency[ClientSettings],
    web_pages: NamedDependency[WebPages],
    screen: FromPath[str],
) -> Response[str]:
    """Any other screen; 404 with the same document where no screen has the address."""
    with database.read() as connection:
        boot = BootData(config=runtime_config(connection, client_settings), home=None)
    status = 200 if screen in SCREENS else 404
    document = web_pages.shell(
        boot,
        screen,
        is_public=not client_settings.is_auth_required,
        has_ads=client_settings.ad_policy.is_shown,
    )
    return Response(document, status_code=status, media_type=MediaType.HTML)


ROUTES = [get_home, get_screen]
