"""All calls of the API: every feature's routes are registered here."""

from __future__ import annotations

from litestar.types import ControllerRouterHandler

from liuying.core.catalogue import routes as catalogue
from liuying.features.ads import routes as ads
from liuying.features.embedding import routes as embedding
from liuying.features.favourites import routes as favourite_routes
from liuying.features.feedback import routes as feedback
from liuying.features.notices import routes as notices
from liuying.features.removals import routes as removals
from liuying.features.reports import routes as reports
from liuying.features.search import routes as search
from liuying.features.search import suggestion_routes
from liuying.features.sharing import routes as sharing
from liuying.features.topics import routes as topics
from liuying.features.views import routes as views
from liuying.http import data_code
from liuying.pages import gated_routes as gated
from liuying.pages import rank_routes as ranks
from liuying.pages import routes as pages

API_ROUTES: list[ControllerRouterHandler] = [
    *catalogue.ROUTES,
    *ads.ROUTES,
    *notices.ROUTES,
    *search.ROUTES,
    *pages.ROUTES,
    *suggestion_routes.ROUTES,
    *ranks.ROUTES,
    *gated.ROUTES,
    *views.ROUTES,
    *topics.ROUTES,
    *sharing.ROUTES,
    *embedding.ROUTES,
    *favourite_routes.ROUTES,
    *data_code.ROUTES,
    *feedback.ROUTES,
    *reports.ROUTES,
    *removals.ROUTES,
]
