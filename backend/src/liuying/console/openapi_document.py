"""The console's OpenAPI document, made from the routes alone."""

from __future__ import annotations

from liuying.console.application import create_framework
from liuying.installation.services import blank_services
from liuying.kit.openapi import document_of
from liuying.kit.process_limits import ProcessLimits


def openapi_document() -> bytes:
    """The document as indented JSON, the same on every machine."""
    services = blank_services()
    framework, _ = create_framework(services, ProcessLimits(services.hashes, services.clock))
    return document_of(framework)
