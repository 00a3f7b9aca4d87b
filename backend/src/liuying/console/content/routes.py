"""All calls about the site's content."""

from __future__ import annotations

from litestar.types import ControllerRouterHandler

from liuying.console.content import (
    ad_routes,
    age_gate_routes,
    banner_tag_routes,
    category_routes,
    hot_word_routes,
    link_routes,
    name_routes,
    notice_routes,
    partner_routes,
    picture_routes,
    removals_routes,
    settings_routes,
    site_routes,
    tab_routes,
    topic_routes,
)

ROUTES: list[ControllerRouterHandler] = [
    *picture_routes.ROUTES,
    *ad_routes.ROUTES,
    *banner_tag_routes.ROUTES,
    *notice_routes.ROUTES,
    *hot_word_routes.ROUTES,
    *category_routes.ROUTES,
    *tab_routes.ROUTES,
    *topic_routes.ROUTES,
    *link_routes.ROUTES,
    *name_routes.ROUTES,
    *partner_routes.ROUTES,
    *age_gate_routes.ROUTES,
    *removals_routes.ROUTES,
    *settings_routes.ROUTES,
    *site_routes.ROUTES,
]
