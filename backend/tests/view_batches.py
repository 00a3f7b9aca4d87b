"""Batches of views as the server counts them."""

from __future__ import annotations

from liuying.core.visitors.presented_codes import PresentedCodes
from liuying.features.views.batch import ViewBatch
from liuying.installation.services import Services, limits_of
from tests.catalogue_factory import NOW


def batch_of(services: Services) -> ViewBatch:
    """A batch whose clock stands still."""
    limits = limits_of(services)
    presented = PresentedCodes(limits, services.hashes, lambda: NOW)
    return ViewBatch(services.database, services.hashes, limits, presented, lambda: NOW)
