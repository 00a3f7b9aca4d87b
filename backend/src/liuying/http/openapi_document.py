"""The OpenAPI document, made from the routes alone: no database is opened, no file written."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import Litestar
from litestar.routes import HTTPRoute

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.memory_index import MemoryIndex
from liuying.http.application import create_framework
from liuying.http.web_files import WebPages
from liuying.installation.object_store import open_object_store
from liuying.installation.services import Services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.kit.database import Database
from liuying.kit.encryption import ImageEncryptor
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.process_limits import ProcessLimits
from liuying.kit.secrets import SecretFile

MODULE_PATH = re.compile(r"liuying\.[a-z_.]+\.")
REFERENCE = "#/components/schemas/"


def openapi_document() -> bytes:
    """The document as indented JSON, the same on every machine."""
    settings = Settings()
    database = Database("sqlite://")
    services = Services(
        settings=settings,
        database=database,
        secrets=SecretFile(cover_keys={}, current_cover_key=1, pepper=""),
        encryptor=ImageEncryptor({1: bytes(16)}, 1),
        hashes=KeyedHashes(b""),
        clock=system_clock,
        objects=open_object_store(settings, database),
    )
    limits = ProcessLimits(services.hashes, services.clock)
    orders = SortIndex(services.database, services.hashes)
    texts = MemoryIndex(services.database, change_log)
    return document_of(
        create_framework(services, limits, orders, texts, WebPages(services.settings.web_dir))
    )


def document_of(framework: Litestar) -> bytes:
    """The document of an application's routes, corrected where the generator does not know our
    answers.
    """
    document = _rewrite(framework.openapi_schema.to_schema())
    schemas = document["components"]["schemas"]
    named = {_short_name(name): schema for name, schema in schemas.items()}
    document["components"]["schemas"] = named | _bodies(framework)
    for operations in document["paths"].values():
        for operation in operations.values():
            # Invalid values are answered with 422 (docs/product.md#wire), never with the
            # framework's own 400.
            operation["responses"].pop("400", None)
            for response in operation["responses"].values():
                response.pop("headers", None)  # The same for all: see `security_headers`.
    return msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=2) + b"\n"


def _bodies(framework: Litestar) -> dict[str, Any]:
    """The calls' bodies with every rule: Litestar leaves out those inside a union of types."""
    fields = [
        handler.parsed_data_field
        for route in framework.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
    ]
    taken = [field.annotation for field in fields if field is not None]
    _, components = msgspec.json.schema_components(taken, ref_template=REFERENCE + "{name}")
    return components


def _rewrite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rewrite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rewrite(inner) for inner in value]
    if isinstance(value, str) and value.startswith(REFERENCE):
        return REFERENCE + _short_name(value.removeprefix(REFERENCE))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _short_name(name: str) -> str:
    """`Envelope_list_liuying.features.ads.schemas.AdView_` → `Envelope_list_AdView`."""
    return MODULE_PATH.sub("", name).rstrip("_")
