"""What needs attention, and the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from litestar import get
from litestar.params import QueryParameter
from litestar.response import Stream
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenOperator, GivenServices
from liuying.console.maintenance.reading import health
from liuying.console.maintenance.schemas import HealthView
from liuying.core.jobs.rules import UNDECIDED, State
from liuying.core.jobs.service import JobView, Queue, list_jobs, measure_queue
from liuying.features.audit import service as audit
from liuying.features.audit.service import AuditPage
from liuying.features.feedback.service import list_feedback
from liuying.features.operators.rules import Role
from liuying.features.reports.service import list_entries
from liuying.kit.envelope import Envelope
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import INVALID, UNAUTHORIZED

SHOWN_JOBS = 5
BeforeId = Annotated[
    int | None, QueryParameter(name="before", ge=1, le=MAX_ID, description="`next_before`.")
]


class OverviewView(msgspec.Struct, frozen=True):
    """What needs attention.

    Attributes:
        queue: Jobs by state.
        failed_jobs: The newest failed ones, without those that wait for a decision.
        running_jobs: What is being worked on.
        unread_feedback: How much feedback is not done.
        open_reports: How many reported videos are not decided.
        health: Backups and the doctor.
    """

    queue: Queue
    failed_jobs: list[JobView]
    running_jobs: list[JobView]
    unread_feedback: int
    open_reports: int
    health: HealthView


@get(
    "/api/overview",
    sync_to_thread=True,
    summary="What needs attention",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def overview(services: GivenServices, operator: GivenOperator) -> Envelope[OverviewView]:
    """Read at each call."""
    now = services.clock()
    with services.database.read() as connection:
        return Envelope(
            OverviewView(
                queue=measure_queue(connection, now),
                failed_jobs=list_jobs(connection, now, State.FAILED, SHOWN_JOBS, without=UNDECIDED)[
                    0
                ],
                running_jobs=list_jobs(connection, now, State.RUNNING, SHOWN_JOBS)[0],
                unread_feedback=list_feedback(connection, unread_only=True, limit=1)[1],
                open_reports=list_entries(connection, 1, only_open=True)[1],
                health=health(services, connection, operator.role),
            )
        )


@get(
    "/api/audit",
    sync_to_thread=True,
    summary="What operators did",
    opt=needs(Role.OWNER),
    responses={**UNAUTHORIZED, **INVALID},
)
def audit_entries(services: GivenServices, before: BeforeId = None) -> Envelope[AuditPage]:
    """Newest first."""
    with services.database.read() as connection:
        return Envelope(audit.list_entries(connection, before))


@get(
    "/api/audit/export",
    sync_to_thread=True,
    summary="What operators did, as a table",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
    media_type="text/csv",
)
def audit_table(services: GivenServices) -> Stream:
    """CSV in UTF-8, oldest first."""

    def lines() -> Iterator[bytes]:
        with services.database.read() as connection:
            yield from audit.export_csv(connection)

    return Stream(
        lines(),
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": 'attachment; filename="liuying-audit.csv"'},
    )


ROUTES: list[ControllerRouterHandler] = [overview, audit_entries, audit_table]
