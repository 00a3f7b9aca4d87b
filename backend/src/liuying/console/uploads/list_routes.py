"""What is being uploaded and what became of it, for the console's own page."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from litestar import get, put
from litestar.params import JSONBody, PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.uploads.wire import metadata_text
from liuying.core.jobs.rules import State
from liuying.core.jobs.service import find_jobs
from liuying.features.audit.service import Entry, noted
from liuying.features.operators.rules import Role
from liuying.features.uploads import queries
from liuying.installation.services import Services
from liuying.kit.clock import to_iso
from liuying.kit.database import AnyRow
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import BODY, INVALID, MISSING, UNAUTHORIZED
from liuying.workflows.late_details import video_of
from liuying.workflows.upload_details import Details, change_details, details_of
from liuying.workflows.uploading import expires_at, find_upload
from liuying.workflows.video_meta import GivenMeta, explain

SHOWN = 100
UploadId = Annotated[str, PathParameter(pattern="^[0-9a-f]{32}$")]
REFUSED: Any = {**UNAUTHORIZED, **INVALID, **MISSING, **BODY}


class UploadState(StrEnum):
    """Bytes are missing; all are there and become a job; they cannot; it is a job."""

    ARRIVING = "arriving"
    COMPLETE = "complete"
    FAULTY = "faulty"
    QUEUED = "queued"


class UploadDetails(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an operator says of a film; None leaves it to the file and to what goes with it."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    category: Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)] | None = None
    labels: (
        Annotated[
            list[Annotated[str, msgspec.Meta(min_length=1, max_length=40)]],
            msgspec.Meta(max_length=40),
        ]
        | None
    ) = None
    artists: (
        Annotated[
            list[Annotated[str, msgspec.Meta(min_length=1, max_length=80)]],
            msgspec.Meta(max_length=40),
        ]
        | None
    ) = None
    is_hidden: bool = False


class UploadJob(msgspec.Struct, frozen=True, kw_only=True):
    """The import that an upload became.

    Attributes:
        progress: 0 to 1.
        stage: What is being done, in Chinese.
        seconds_left: At the pace so far; None while that says little.
        fault: Of what kind the cause is; empty without one.
        cause: Why it failed, in Chinese.
    """

    id: int
    state: State
    progress: float
    stage: str
    seconds_left: int | None
    fault: str
    cause: str


class UploadView(msgspec.Struct, frozen=True, kw_only=True):
    """An upload as the console shows it. Times use the wire's form.

    Attributes:
        bytes: Of the file.
        received: Of them, on the server's disk.
        file: The name that the browser gave, and
        last_modified: when the file changed, milliseconds since 1970 as text: to know it again.
        beside: Names of the files that go with it.
        fault: Why it cannot be imported, in Chinese.
        job: None until all bytes are there.
        video_id: The video, as soon as it plays.
        expires_at: When it is removed if no bytes come.
    """

    id: str
    name: str
    bytes: int
    received: int
    file: str
    last_modified: str
    is_film: bool
    state: UploadState
    fault: str
    beside: list[str]
    details: UploadDetails
    operator: str
    created_at: str
    expires_at: str
    job: UploadJob | None
    video_id: int | None


class UploadList(msgspec.Struct, frozen=True):
    """Unfinished uploads first, then the newest of a week."""

    data: list[UploadView]


@get(
    "/api/uploads",
    sync_to_thread=True,
    summary="Uploads and what became of them",
    opt=needs(Role.EDITOR),
    responses=UNAUTHORIZED,
)
def list_uploads(services: GivenServices) -> Envelope[UploadList]:
    """Whoever began them, in whichever browser."""
    with services.database.read() as connection:
        rows = queries.newest(connection, SHOWN)
        views = _views(services, connection, list(rows))
    return Envelope(UploadList(views))


@put(
    "/api/uploads/{upload_id:str}/details",
    sync_to_thread=True,
    summary="Describe a film that is being uploaded or encoded",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def describe_upload(
    upload_id: UploadId,
    data: JSONBody[UploadDetails],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[UploadView]:
    """Kept wherever it is by then; what is not given stays as the file says."""
    row = find_upload(services, upload_id)
    if not row.is_film:
        raise InvalidInputError("只有视频可以填写标题", "upload_id")
    stated = msgspec.to_builtins(data)
    values = {
        name: value for name, value in stated.items() if value is not None and name != "is_hidden"
    }
    try:
        details = Details(msgspec.convert(values, GivenMeta), data.is_hidden)
    except msgspec.ValidationError as error:
        raise InvalidInputError(explain(error)) from error
    entry = Entry("upload.describe", row.name, row.details, stated)
    with noted(services.database, services.clock, actor, entry):
        change_details(services, upload_id, details)
    with services.database.read() as connection:
        return Envelope(_views(services, connection, [find_upload(services, upload_id)])[0])


def _views(services: Services, connection: sa.Connection, rows: list[AnyRow]) -> list[UploadView]:
    beside: dict[str, list[str]] = {}
    for one in queries.beside(connection, [row.id for row in rows]):
        beside.setdefault(one.film_id, []).append(one.name)
    jobs = find_jobs(
        connection, [row.job_id for row in rows if row.job_id is not None], services.clock()
    )
    views = []
    for row in rows:
        job = jobs.get(row.job_id) if row.job_id is not None else None
        details, said = details_of(row), metadata_text(row.metadata)
        views.append(
            UploadView(
                id=row.id,
                name=row.name,
                bytes=row.bytes,
                received=row.received,
                file=said.get("filename", ""),
                last_modified=said.get("lastModified", ""),
                is_film=row.is_film,
                state=_state_of(row),
                fault=row.fault,
                beside=beside.get(row.id, []),
                details=msgspec.convert(
                    {**details.given.stated(), "is_hidden": details.is_hidden}, UploadDetails
                ),
                operator=row.name_of_actor,
                created_at=to_iso(row.created_at),
                expires_at=to_iso(expires_at(row.touched_at)),
                job=None
                if job is None
                else UploadJob(
                    id=job.id,
                    state=job.state,
                    progress=job.progress,
                    stage=job.stage,
                    seconds_left=job.seconds_left,
                    fault=job.fault,
                    cause=job.cause,
                ),
                video_id=None if job is None else job.video_id or video_of(services, job.wanted),
            )
        )
    return views


def _state_of(row: AnyRow) -> UploadState:
    if row.job_id is not None:
        return UploadState.QUEUED
    if row.received < row.bytes:
        return UploadState.ARRIVING
    return UploadState.FAULTY if row.fault else UploadState.COMPLETE


ROUTES: list[ControllerRouterHandler] = [list_uploads, describe_upload]
