"""The OpenAPI document of a framework's routes, corrected where the generator does not know our
answers.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import Litestar
from litestar.routes import HTTPRoute

MODULE_PATH = re.compile(r"liuying\.[a-z_.]+\.")
REFERENCE = "#/components/schemas/"


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
