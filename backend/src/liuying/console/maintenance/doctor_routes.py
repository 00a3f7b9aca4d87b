"""What the doctor found, examining again, and mending what can be mended."""

from __future__ import annotations

from typing import Any

from litestar import get, post, put
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenOperator, GivenServices
from liuying.console.maintenance.attendant import GivenAttendant
from liuying.console.maintenance.reading import count_of, last_findings, readable
from liuying.console.maintenance.schemas import (
    DoctorScheduleBody,
    DoctorView,
    FindingView,
    RepairBody,
)
from liuying.console.maintenance.work import REPAIRS
from liuying.features.audit.service import Entry, noted
from liuying.features.maintenance import service
from liuying.features.maintenance.rules import Kind
from liuying.features.maintenance.service import RunView, Schedule, run_view
from liuying.features.operators.rules import Role
from liuying.kit.clock import to_iso_if_known
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.responses import BODY, CONFLICT, INVALID, UNAUTHORIZED
from liuying.workflows.doctor.findings import Severity

REFUSED: Any = {**UNAUTHORIZED, **INVALID, **CONFLICT, **BODY}


@get(
    "/api/doctor",
    sync_to_thread=True,
    summary="What the doctor found",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def doctor(services: GivenServices, operator: GivenOperator) -> Envelope[DoctorView]:
    """As `liuying doctor`, when it last came to an end. Only owners read what names paths,
    addresses and settings.
    """
    is_owner = operator.role is Role.OWNER
    with services.database.read() as connection:
        checked_at, findings = last_findings(connection, services.clock())
        runs = service.newest_runs(connection, Kind.DOCTOR, 1)
        repairs = service.newest_runs(connection, Kind.REPAIR, 1) if is_owner else []
        schedule = service.schedule_of(connection, Kind.DOCTOR)
    return Envelope(
        DoctorView(
            checked_at=to_iso_if_known(checked_at),
            errors=count_of(findings, Severity.ERROR),
            warnings=count_of(findings, Severity.WARNING),
            findings=[
                FindingView(finding=one, is_repairable=is_owner and one.topic in REPAIRS)
                for one in readable(findings, operator.role)
            ],
            run=run_view(runs[0]) if runs and is_owner else None,
            repair=run_view(repairs[0]) if repairs else None,
            is_on=schedule.is_on,
            minute=schedule.minute,
        )
    )


@post(
    "/api/doctor",
    status_code=200,
    sync_to_thread=True,
    summary="Examine the installation",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def examine(
    services: GivenServices, actor: GivenActor, attendant: GivenAttendant
) -> Envelope[RunView]:
    """As `liuying doctor`; it goes on when the page is left."""
    with (
        noted(services.database, services.clock, actor, Entry("doctor.run", "体检")),
        services.database.write() as connection,
    ):
        row = service.ask_for(connection, Kind.DOCTOR, {}, actor.name, services.clock())
    attendant.begin()
    return Envelope(run_view(row))


@post(
    "/api/doctor/repairs",
    status_code=200,
    sync_to_thread=True,
    summary="Mend what the doctor found",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def repair(
    data: JSONBody[RepairBody],
    services: GivenServices,
    actor: GivenActor,
    attendant: GivenAttendant,
) -> Envelope[RunView]:
    """As the command that the finding names; then the doctor examines again."""
    if (found := REPAIRS.get(data.topic)) is None:
        raise InvalidInputError("这一项不能在控制台里处理", "topic")
    options = {"topic": data.topic}
    with (
        noted(services.database, services.clock, actor, Entry("doctor.repair", found.name)),
        services.database.write() as connection,
    ):
        row = service.ask_for(connection, Kind.REPAIR, options, actor.name, services.clock())
    attendant.begin()
    return Envelope(run_view(row))


@put(
    "/api/doctor/schedule",
    sync_to_thread=True,
    summary="Set when the doctor comes",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def set_doctor_schedule(
    data: JSONBody[DoctorScheduleBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """What was due before is not made up for."""
    with services.database.read() as connection:
        before = service.schedule_of(connection, Kind.DOCTOR)
    after = Schedule(is_on=data.is_on, minute=data.minute, changed_at=services.clock())
    told = [{"is_on": one.is_on, "minute": one.minute} for one in (before, after)]
    entry = Entry("doctor.schedule", "定时体检", before=told[0], after=told[1])
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        service.set_schedule(connection, Kind.DOCTOR, after)
    return Envelope(None)


ROUTES: list[ControllerRouterHandler] = [doctor, examine, repair, set_doctor_schedule]
