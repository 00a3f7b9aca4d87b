"""Backups: made now and by a schedule, fetched, removed, and restored for practice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from litestar.response import Stream
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.maintenance.attendant import GivenAttendant
from liuying.console.maintenance.reading import (
    backup_items,
    backup_schedule,
    drill_items,
    drill_obstacle_of,
    obstacle_of,
    switching_of,
)
from liuying.console.maintenance.schemas import (
    BackupContents,
    BackupScheduleBody,
    BackupsView,
)
from liuying.features.audit.service import Entry, noted
from liuying.features.maintenance import service
from liuying.features.maintenance.rules import KIND_NAMES, Kind
from liuying.features.maintenance.service import RunView, Schedule, run_view
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.envelope import Envelope
from liuying.kit.errors import ConflictError
from liuying.kit.object_store import RecordsObjects
from liuying.kit.responses import BODY, CONFLICT, INVALID, MISSING, UNAUTHORIZED, PathIdentifier
from liuying.workflows.backup_folder import (
    NAME,
    find_backup,
)

CHUNK_BYTES = 1024 * 1024
SHOWN_DRILLS = 10
BackupName = Annotated[str, PathParameter(pattern=f"^{NAME.pattern}$")]
REFUSED: Any = {**UNAUTHORIZED, **INVALID, **MISSING, **CONFLICT, **BODY}


@get(
    "/api/backups",
    sync_to_thread=True,
    summary="Backups",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def list_backups(services: GivenServices) -> Envelope[BackupsView]:
    """Newest first, with the schedule and the drills."""
    folder = services.settings.backups
    obstacle, commands = obstacle_of(services)
    drill_obstacle, drill_commands = drill_obstacle_of(services)
    free, is_beside = _disk(services)
    files = backup_items(services)
    with services.database.read() as connection:
        runs = service.newest_runs(connection, Kind.BACKUP, 1)
        drills = service.newest_runs(connection, Kind.DRILL, 1)
        return Envelope(
            BackupsView(
                folder=str(folder),
                is_beside_data=is_beside,
                free_bytes=free,
                obstacle=obstacle,
                commands=commands,
                has_bucket=isinstance(services.objects, RecordsObjects),
                files=files,
                run=run_view(runs[0]) if runs else None,
                schedule=backup_schedule(connection),
                drill_obstacle=drill_obstacle,
                drill_commands=drill_commands,
                drill_run=run_view(drills[0]) if drills else None,
                drills=drill_items(connection, folder, SHOWN_DRILLS),
                switching=switching_of(services, files[0].name if files else "备份.tar"),
            )
        )


@post(
    "/api/backups",
    status_code=200,
    sync_to_thread=True,
    summary="Make a backup now",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def make_backup(
    data: JSONBody[BackupContents],
    services: GivenServices,
    actor: GivenActor,
    attendant: GivenAttendant,
) -> Envelope[RunView]:
    """As `liuying backup`; it goes on when the page is left."""
    _require_possible(services)
    options = {"with_media": data.with_media, "with_originals": data.with_originals}
    entry = Entry("backup.make", "备份", after=options)
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        row = service.ask_for(connection, Kind.BACKUP, options, actor.name, services.clock())
    attendant.begin()
    return Envelope(run_view(row))


@put(
    "/api/backups/schedule",
    sync_to_thread=True,
    summary="Set the schedule of backups",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def set_backup_schedule(
    data: JSONBody[BackupScheduleBody], services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """What was due before is not made up for."""
    if data.is_on:
        _require_possible(services)
    with services.database.read() as connection:
        before = service.schedule_of(connection, Kind.BACKUP)
    after = Schedule(
        is_on=data.is_on,
        minute=data.minute,
        kept=data.kept,
        options={"with_media": data.with_media, "with_originals": data.with_originals},
        changed_at=services.clock(),
    )
    entry = Entry("backup.schedule", "定时备份", before=_told(before), after=_told(after))
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        service.set_schedule(connection, Kind.BACKUP, after)
    return Envelope(None)


@get(
    "/api/backups/{name:str}/file",
    sync_to_thread=True,
    summary="Fetch a backup",
    opt=needs(Role.OWNER),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
    media_type="application/x-tar",
)
def fetch_backup(name: BackupName, services: GivenServices, actor: GivenActor) -> Stream:
    """It contains the secrets; the entry in the audit log is written before its first byte."""
    path = find_backup(services.settings.backups, name)
    size = path.stat().st_size
    with noted(services.database, services.clock, actor, Entry("backup.download", f"备份 {name}")):
        pass
    return Stream(
        _chunks(path, size),
        media_type="application/x-tar",
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "content-length": str(size),
            "cache-control": "no-store",
        },
    )


@delete(
    "/api/backups/{name:str}",
    status_code=200,
    sync_to_thread=True,
    summary="Remove a backup",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def remove_backup(name: BackupName, services: GivenServices, actor: GivenActor) -> Envelope[None]:
    """There is no bin for it."""
    path = find_backup(services.settings.backups, name)
    with services.database.read() as connection:
        drilled = service.open_run(connection, Kind.DRILL)
    if drilled is not None and drilled.options["file"] == name:
        raise ConflictError(service.IN_PROGRESS[Kind.DRILL])
    entry = Entry("backup.remove", f"备份 {name}", before={"bytes": path.stat().st_size})
    with noted(services.database, services.clock, actor, entry):
        path.unlink(missing_ok=True)
    return Envelope(None)


@post(
    "/api/maintenance/{run_id:int}/stop",
    status_code=200,
    sync_to_thread=True,
    summary="Stop a run",
    opt=needs(Role.OWNER),
    responses=REFUSED,
)
def stop_run(
    run_id: PathIdentifier, services: GivenServices, actor: GivenActor, attendant: GivenAttendant
) -> Envelope[None]:
    """Of a backup or a drill nothing is left."""
    with services.database.read() as connection:
        row = service.get_run(connection, run_id)
    entry = Entry("maintenance.stop", "没有" if row is None else KIND_NAMES[Kind(row.kind)])
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        service.stop_run(connection, run_id, services.clock())
    attendant.begin()
    return Envelope(None)


def _require_possible(services: Services) -> None:
    if obstacle := obstacle_of(services)[0]:
        raise ConflictError(obstacle)


def _told(schedule: Schedule) -> dict[str, object]:
    return {
        "is_on": schedule.is_on,
        "minute": schedule.minute,
        "kept": schedule.kept,
        **schedule.options,
    }


def _disk(services: Services) -> tuple[int, bool]:
    """What is free where the backups are, in bytes, and whether the data are on the same disk."""
    folder = services.settings.backups
    place = next(one for one in (folder, *folder.parents) if one.exists())
    found = os.statvfs(place)
    is_beside = place.stat().st_dev == services.data_dir.stat().st_dev
    return found.f_bavail * found.f_frsize, is_beside


def _chunks(path: Path, size: int) -> Iterator[bytes]:
    """So many bytes of a file: it is never changed, only replaced."""
    with path.open("rb") as file:
        while size and (data := file.read(min(CHUNK_BYTES, size))):
            size -= len(data)
            yield data


ROUTES: list[ControllerRouterHandler] = [
    list_backups,
    make_backup,
    set_backup_schedule,
    fetch_backup,
    remove_backup,
    stop_run,
]
