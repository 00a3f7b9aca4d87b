"""Restoring a backup for practice: into a fresh folder beside the site, and taking that away."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, post
from litestar.params import PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.maintenance.attendant import GivenAttendant
from liuying.console.maintenance.backup_routes import REFUSED, BackupName
from liuying.console.maintenance.reading import drill_obstacle_of
from liuying.features.audit.service import Entry, noted
from liuying.features.maintenance import service
from liuying.features.maintenance.rules import Kind
from liuying.features.maintenance.service import RunView, run_view
from liuying.features.operators.rules import Role
from liuying.kit.envelope import Envelope
from liuying.kit.errors import ConflictError
from liuying.workflows.backup_folder import DRILL_NAME, find_backup, new_drill_name, remove_drill

DrillName = Annotated[str, PathParameter(pattern=f"^{DRILL_NAME.pattern}$")]


@post(
    "/api/backups/{name:str}/drill",
    status_code=200,
    sync_to_thread=True,
    summary="Drill a restore",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def drill_restore(
    name: BackupName, services: GivenServices, actor: GivenActor, attendant: GivenAttendant
) -> Envelope[RunView]:
    """As `liuying restore`, into a fresh folder, which is then examined."""
    if obstacle := drill_obstacle_of(services)[0]:
        raise ConflictError(obstacle)
    folder = services.settings.backups
    find_backup(folder, name)
    now = services.clock()
    options = {"file": name, "folder": new_drill_name(folder, now)}
    with (
        noted(services.database, services.clock, actor, Entry("backup.drill", f"备份 {name}")),
        services.database.write() as connection,
    ):
        row = service.ask_for(connection, Kind.DRILL, options, actor.name, now)
    attendant.begin()
    return Envelope(run_view(row))


@delete(
    "/api/drills/{name:str}",
    status_code=200,
    sync_to_thread=True,
    summary="Remove what a drill restored",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def remove_drilled(name: DrillName, services: GivenServices, actor: GivenActor) -> Envelope[None]:
    """The report stays."""
    with services.database.read() as connection:
        drilled = service.open_run(connection, Kind.DRILL)
    if drilled is not None and drilled.options["folder"] == name:
        raise ConflictError(service.IN_PROGRESS[Kind.DRILL])
    entry = Entry("backup.remove-drill", f"恢复演练 {name}")
    with noted(services.database, services.clock, actor, entry):
        remove_drill(services.settings.backups, name)
    return Envelope(None)


ROUTES: list[ControllerRouterHandler] = [drill_restore, remove_drilled]
