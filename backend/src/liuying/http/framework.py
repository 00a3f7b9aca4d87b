"""The framework: routes, validation, errors and the OpenAPI document."""

from __future__ import annotations

from typing import Any

from litestar import Litestar, Request
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute

from liuying import __version__
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.offered_hot_words import OfferedHotWords
from liuying.features.search.result_cache import ResultCache
from liuying.features.sharing.queries import unlocked_ids
from liuying.http import page_routes, site_routes
from liuying.http.api_routes import API_ROUTES
from liuying.http.card_sources import card_sources
from liuying.http.client_settings import client_settings
from liuying.http.counting import Counting
from liuying.http.first_pictures import FirstPictures
from liuying.http.security_headers import SecurityHeaders
from liuying.http.web_files import WebPages
from liuying.installation.services import Services
from liuying.kit import refusals
from liuying.kit.answering import note_writing
from liuying.kit.responses import CACHE_OPTION
from liuying.kit.strict_body import refuse_loose_body
from liuying.kit.strict_query import refuse_loose_query
from liuying.pages.player import PlayInfos

MAX_BODY_BYTES = 256 * 1024


async def refuse_loose_request(request: Request[Any, Any, Any]) -> None:
    """Checks before the framework reads values from a request."""
    note_writing(request)
    refuse_loose_query(request)
    await refuse_loose_body(request)


def dependencies_of(
    services: Services,
    counting: Counting,
    orders: SortIndex,
    play_infos: PlayInfos,
    search_orders: ResultCache,
    web_pages: WebPages,
) -> dict[str, Provide]:
    """What handlers of routes ask for by name.

    Args:
        services: The open installation.
        counting: Counts visitors' calls.
        orders: The orders of lists.
        play_infos: What player pages say.
        search_orders: The results of searches.
        web_pages: The documents.
    """
    client = client_settings(services)

    def constant(value: object) -> Provide:
        return Provide(lambda: value, sync_to_thread=False)

    return {
        "database": constant(services.database),
        "clock": constant(services.clock),
        "hashes": constant(services.hashes),
        "caller": Provide(counting.callers),
        "network": Provide(counting.callers.network, sync_to_thread=False),
        "limits": constant(counting.limits),
        "view_batch": constant(counting.views),
        "ad_counter": constant(counting.ads),
        "presented_codes": constant(counting.presented),
        "unlocked_videos": constant(unlocked_ids),
        "sort_index": constant(orders),
        "play_infos": constant(play_infos),
        "search_orders": constant(search_orders),
        "hot_words": constant(OfferedHotWords(search_orders)),
        "page_size": constant(services.settings.page_size),
        "ad_policy": constant(client.ad_policy),
        "client_settings": constant(client),
        "login_video_switch": constant(services.settings.login_video_switch),
        "web_pages": constant(web_pages),
        "first_pictures": constant(FirstPictures(services.objects)),
        "card_sources": constant(card_sources(services)),
    }


def create_framework(
    dependencies: dict[str, Provide], headers: SecurityHeaders | None = None
) -> Litestar:
    """The framework with routes, validation, errors and the OpenAPI document.

    Args:
        dependencies: Those of `dependencies_of`.
        headers: Added to every answer; None if nothing is answered.
    """
    framework = Litestar(
        route_handlers=[*API_ROUTES, *site_routes.ROUTES, *page_routes.ROUTES],
        dependencies=dependencies,
        exception_handlers={**refusals.ANSWERS},
        before_request=refuse_loose_request,
        before_send=[headers.add] if headers else [],
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="流影 API",
            version=__version__,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    _resolve_in_turn(framework)
    return framework


def _resolve_in_turn(framework: Litestar) -> None:
    """Resolve a route's dependencies one after another.

    None of them waits for anything, and for several the framework would start a task each: twice
    the time of everything else it does for a request.
    """
    for route in framework.routes:
        if isinstance(route, HTTPRoute):
            for _, parameters in route.route_handler_map.values():
                parameters.dependency_batches = [
                    {one} for batch in parameters.dependency_batches for one in batch
                ]


def uncached_paths(framework: Litestar) -> frozenset[str]:
    """Paths whose answers are read but not cacheable: the personal ones."""
    return frozenset(
        route.path
        for route in framework.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if "GET" in handler.http_methods and CACHE_OPTION not in handler.opt
    )


def fixed_paths(framework: Litestar) -> frozenset[str]:
    """Paths of calls without anything of the visitor's in them."""
    paths = (route.path for route in framework.routes if isinstance(route, HTTPRoute))
    return frozenset(path for path in paths if path.startswith("/api/") and "{" not in path)
