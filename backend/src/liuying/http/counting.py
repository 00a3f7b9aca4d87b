"""What counts visitors' calls, each once for whatever answers them."""

from __future__ import annotations

from liuying.core.visitors.presented_codes import PresentedCodes
from liuying.features.ads.counting import AdCounter
from liuying.features.views.batch import ViewBatch
from liuying.http.callers import CallerReader
from liuying.installation.services import Services
from liuying.kit.limits import Limits


class Counting:
    """The counters of one process.

    Args:
        services: The open installation.
        limits: Rate limits of clients.

    Attributes:
        limits: As given.
        ads: Counts advertisements; somebody else writes its counts.
        presented: The codes that networks present.
        callers: Reads who calls.
        views: Counts views.
    """

    def __init__(self, services: Services, limits: Limits) -> None:
        database, hashes, clock = services.database, services.hashes, services.clock
        self.limits = limits
        self.ads = AdCounter(clock)
        self.presented = PresentedCodes(limits, hashes, clock)
        self.callers = CallerReader(services.settings.proxy_trust, self.presented)
        self.views = ViewBatch(database, hashes, limits, self.presented, clock)
