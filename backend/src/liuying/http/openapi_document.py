"""The OpenAPI document, made from the routes alone: no database is opened, no file written."""

from __future__ import annotations

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
from liuying.kit.openapi import document_of
from liuying.kit.process_limits import ProcessLimits
from liuying.kit.secrets import SecretFile


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
