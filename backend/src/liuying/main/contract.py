"""The OpenAPI document, made from the routes alone: no database is opened, no file written."""

from __future__ import annotations

import msgspec

from liuying.kit.clock import system_clock
from liuying.kit.database import Database
from liuying.kit.sealing import Sealer
from liuying.kit.secrets import SecretFile
from liuying.main.services import Services
from liuying.main.settings import Settings
from liuying.main.web.application import create_framework


def openapi_document(settings: Settings) -> bytes:
    """The document as indented JSON, the same on every machine."""
    services = Services(
        settings=settings,
        database=Database("sqlite://"),
        secrets=SecretFile(cover_keys={}, current_cover_key=1, pepper=""),
        sealer=Sealer({1: bytes(16)}, 1),
        clock=system_clock,
    )
    schema = create_framework(services).openapi_schema.to_schema()
    return msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2) + b"\n"
