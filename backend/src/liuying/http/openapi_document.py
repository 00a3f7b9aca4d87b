"""The OpenAPI document, made from the routes alone: no database is opened, no file written."""

from __future__ import annotations

from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.result_cache import ResultCache
from liuying.http.counting import Counting
from liuying.http.framework import create_framework, dependencies_of
from liuying.http.web_files import WebPages
from liuying.installation.services import blank_services
from liuying.kit.openapi import document_of
from liuying.kit.process_limits import ProcessLimits
from liuying.pages.player import PlayInfos


def openapi_document() -> bytes:
    """The document as indented JSON, the same on every machine."""
    services = blank_services()
    limits = ProcessLimits(services.hashes, services.clock)
    orders = SortIndex(services.database, services.hashes)
    dependencies = dependencies_of(
        services,
        Counting(services, limits),
        orders,
        PlayInfos(orders),
        ResultCache(),
        WebPages(services.settings.web_dir),
    )
    return document_of(create_framework(dependencies))
