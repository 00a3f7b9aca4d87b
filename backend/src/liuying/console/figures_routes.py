"""What visitors did, in figures without anybody's identity."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenServices
from liuying.features.operators.rules import Role
from liuying.kit.envelope import Envelope
from liuying.kit.responses import INVALID, UNAUTHORIZED
from liuying.pages.statistics import Statistics, read_statistics
from liuying.workflows.storage import Stored, measure_storage

LONGEST_DAYS = 30
Days = Annotated[
    int, QueryParameter(ge=1, le=LONGEST_DAYS, description="Days, today included; UTC.")
]


class FiguresView(msgspec.Struct, frozen=True):
    """As `liuying stats`: sums of a period, and what is stored."""

    statistics: Statistics
    storage: list[Stored]


@get(
    "/api/figures",
    sync_to_thread=True,
    summary="What visitors did in a period",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **INVALID},
)
def figures(services: GivenServices, days: Days = 7) -> Envelope[FiguresView]:
    """Summed up at each call."""
    with services.database.read() as connection:
        return Envelope(
            FiguresView(
                statistics=read_statistics(connection, services.clock(), days),
                storage=measure_storage(connection, services.layout, services.objects),
            )
        )


ROUTES: list[ControllerRouterHandler] = [figures]
