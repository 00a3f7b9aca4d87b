"""Uploads by the protocol tus 1.0: core, creation (with the first bytes), termination, expiration.

A request is an operator's like any other: session, role and origin are checked before its first
byte, and the session again before each piece.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import sqlalchemy as sa
from litestar import Request, Response, delete, head, patch, post
from litestar.concurrency import sync_to_thread
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter
from litestar.types import ControllerRouterHandler, Send

from liuying.console.access import Gate, needs
from liuying.console.given import GivenActor, GivenGate, GivenServices
from liuying.console.uploads.handing_over import HandingOver
from liuying.console.uploads.wire import (
    EXTENSIONS,
    RESUMABLE,
    VERSION,
    http_date,
    metadata_of,
    number_of,
    pieces_of,
    require_bytes,
    require_version,
)
from liuying.features.audit.service import Actor, Entry, append, noted
from liuying.features.operators.rules import Role
from liuying.features.uploads.rules import OffsetError
from liuying.installation.services import Services
from liuying.kit.database import AnyRow
from liuying.kit.envelope import Problem
from liuying.kit.responses import MISSING, UNAUTHORIZED
from liuying.kit.strict_query import refuse_loose_query
from liuying.workflows.upload_spool import spool_of
from liuying.workflows.uploading import (
    NewUpload,
    create_upload,
    end_upload,
    expires_at,
    find_upload,
    receive,
)

GivenHandingOver = NamedDependency[HandingOver]
UploadId = Annotated[str, PathParameter(pattern="^[0-9a-f]{32}$")]
GIGABYTE = 10**9
PATH = "/api/uploads"


def _refusal(text: str) -> ResponseSpec:
    return ResponseSpec(Problem, description=text, generate_examples=False)


REFUSED: Any = {
    **UNAUTHORIZED,
    **MISSING,
    400: _refusal("A header of tus is missing or wrong."),
    409: _refusal("The upload ends elsewhere; ask by HEAD."),
    412: _refusal("Another version of tus."),
    413: _refusal("Larger than what is taken, or than announced."),
    415: _refusal("The body is not `application/offset+octet-stream`."),
    422: _refusal("The file cannot be imported."),
    507: _refusal("The server's disk has no room."),
}


async def refuse_loose_address(request: Request[Any, Any, Any]) -> None:
    """What is checked instead of a body of JSON."""
    refuse_loose_query(request)


async def describe_uploads(services: Services, send: Send) -> None:
    """Answer OPTIONS: what of tus is understood. The framework keeps that method for itself, and
    this names nobody.
    """
    said = {
        **RESUMABLE,
        "Tus-Version": VERSION,
        "Tus-Extension": EXTENSIONS,
        "Tus-Max-Size": str(services.settings.upload_gb * GIGABYTE),
    }
    headers = [(name.lower().encode(), text.encode()) for name, text in said.items()]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


@post(
    PATH,
    status_code=201,
    summary="Begin an upload (tus)",
    description=(
        "Headers: `Tus-Resumable: 1.0.0`, `Upload-Length`, and `Upload-Metadata` with `filename`, "
        "perhaps `lastModified`, `hidden`, which is `1` for a film that nobody is to see yet, and "
        "`beside`: ids of complete uploads that go with a film, separated by commas. The answer's "
        "`Location` is the upload."
    ),
    opt=needs(Role.EDITOR),
    before_request=refuse_loose_address,
    request_max_body_size=None,
    responses=REFUSED,
)
async def begin_upload(
    request: Request[Any, Any, Any],
    services: GivenServices,
    gate: GivenGate,
    actor: GivenActor,
    handing_over: GivenHandingOver,
) -> Response[None]:
    """What is wrong with a film's side-cars is said here, before its bytes are sent."""
    require_version(request)
    length, given = number_of(request, "Upload-Length"), metadata_of(request)
    ids = [one for one in given.get("beside", "").split(",") if one]
    new = NewUpload(
        name=given.get("filename", ""),
        size=length,
        metadata=request.headers.get("upload-metadata", ""),
        beside=tuple(ids),
        is_hidden=given.get("hidden") == "1",
        actor=actor.name,
    )
    has_bytes = "content-type" in request.headers
    if has_bytes:
        require_bytes(request)
    upload_id = await sync_to_thread(_create, services, actor, new)
    headers = {**RESUMABLE, "Location": f"{PATH}/{upload_id}"}
    row = await sync_to_thread(find_upload, services, upload_id)
    if has_bytes:
        await _take(request, services, gate, actor, handing_over, row, 0)
        row = await sync_to_thread(find_upload, services, upload_id)
    headers |= {"Upload-Offset": str(row.received)}
    headers |= {"Upload-Expires": http_date(expires_at(row.touched_at))}
    return Response(None, status_code=201, headers=headers)


@head(
    "/api/uploads/{upload_id:str}",
    sync_to_thread=True,
    summary="How much of an upload is there (tus)",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING},
)
def ask_upload(
    request: Request[Any, Any, Any], upload_id: UploadId, services: GivenServices
) -> Response[None]:
    """`Upload-Offset` counts what is on disk."""
    require_version(request)
    row = find_upload(services, upload_id)
    headers = {
        **RESUMABLE,
        "Upload-Offset": str(row.received),
        "Upload-Length": str(row.bytes),
        "Upload-Metadata": row.metadata,
        "Upload-Expires": http_date(expires_at(row.touched_at)),
        "Cache-Control": "no-store",
    }
    return Response(None, headers=headers)


@patch(
    "/api/uploads/{upload_id:str}",
    status_code=204,
    summary="Send bytes of an upload (tus)",
    description=(
        "Headers: `Tus-Resumable: 1.0.0`, `Upload-Offset`, `Content-Type: "
        "application/offset+octet-stream`. Whatever arrived is kept, however the request ends; "
        "where the server is killed, all but the last three seconds or 8 MiB."
    ),
    opt=needs(Role.EDITOR),
    before_request=refuse_loose_address,
    request_max_body_size=None,
    responses=REFUSED,
)
async def continue_upload(
    request: Request[Any, Any, Any],
    upload_id: UploadId,
    services: GivenServices,
    gate: GivenGate,
    actor: GivenActor,
    handing_over: GivenHandingOver,
) -> Response[None]:
    """From where it ends."""
    require_version(request)
    require_bytes(request)
    start = number_of(request, "Upload-Offset")
    row = await sync_to_thread(find_upload, services, upload_id)
    end = await _take(request, services, gate, actor, handing_over, row, start)
    row = await sync_to_thread(find_upload, services, upload_id)
    headers = {
        **RESUMABLE,
        "Upload-Offset": str(end),
        "Upload-Expires": http_date(expires_at(row.touched_at)),
    }
    return Response(None, status_code=204, headers=headers)


@delete(
    "/api/uploads/{upload_id:str}",
    status_code=204,
    sync_to_thread=True,
    summary="Give an upload up (tus)",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING},
)
def give_up_upload(
    request: Request[Any, Any, Any],
    upload_id: UploadId,
    services: GivenServices,
    actor: GivenActor,
) -> Response[None]:
    """With what goes with it; one that became a job is only forgotten."""
    require_version(request)
    row = find_upload(services, upload_id)
    entry = Entry("upload.end", row.name, {"received": row.received, "bytes": row.bytes})
    with noted(services.database, services.clock, actor, entry):
        end_upload(services, upload_id)
    return Response(None, status_code=204, headers=RESUMABLE)


def _create(services: Services, actor: Actor, new: NewUpload) -> str:
    entry = Entry("upload.create", new.name, None, {"bytes": new.size})
    with noted(services.database, services.clock, actor, entry):
        return create_upload(services, new, services.settings.upload_gb * GIGABYTE)


async def _take(
    request: Request[Any, Any, Any],
    services: Services,
    gate: Gate,
    actor: Actor,
    handing_over: HandingOver,
    row: AnyRow,
    start: int,
) -> int:
    """Keep a request's bytes, piece by piece; returns where the upload ends then.

    Raises:
        OffsetError: It did not end at `start`, or another request was faster.
        NotAuthorizedException: The session was ended meanwhile.
    """
    spool, at = spool_of(services), start

    def note(connection: sa.Connection) -> None:
        entry = Entry("upload.finish", row.name, None, {"bytes": row.bytes})
        append(connection, actor, entry, services.clock())

    if start != row.received:
        raise OffsetError
    async for piece in pieces_of(request, row.bytes - start):
        if await sync_to_thread(gate.operator_of, request) is None:
            raise NotAuthorizedException
        keep = partial(receive, services, spool, row.id, at, piece, note)
        if await sync_to_thread(keep):
            handing_over.begin()
        at += len(piece)
    return at


ROUTES: list[ControllerRouterHandler] = [
    begin_upload,
    ask_upload,
    continue_upload,
    give_up_upload,
]
