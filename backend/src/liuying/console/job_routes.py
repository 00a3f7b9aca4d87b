"""The import queue: what is worked on and how long it takes, why something failed, trying again."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.object_answers import answer_object
from liuying.core.jobs import service
from liuying.core.jobs.rules import UNDECIDED, State
from liuying.core.jobs.service import JobView, Queue
from liuying.features.audit.service import Entry, noted
from liuying.features.operators.rules import Role
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.object_keys import inbox_key
from liuying.kit.paging import LAST_PAGE
from liuying.kit.responses import INVALID, MISSING, UNAUTHORIZED, PathIdentifier

PAGE = 30
# The framework gives another meaning to a parameter that is called so.
OfState = Annotated[State | None, QueryParameter(name="state", description="None for all.")]
Page = Annotated[int, QueryParameter(ge=1, le=LAST_PAGE, description="From 1, newest first.")]


class RetryBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a job is tried again.

    Attributes:
        accepts_match: Import the film even if it looks like one that was taken down.
        accepts_damage: Import it however many of its pictures are damaged.
    """

    accepts_match: bool = False
    accepts_damage: bool = False


class ClearBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which jobs are forgotten: those that ended so."""

    state: State


class Retried(msgspec.Struct, frozen=True):
    """How many jobs are tried again."""

    retried: int


class Cleared(msgspec.Struct, frozen=True):
    """How many jobs were forgotten."""

    cleared: int


Refused = {**UNAUTHORIZED, **MISSING, **INVALID}


class JobPage(msgspec.Struct, frozen=True):
    """A page of jobs, newest first, and the whole queue in numbers."""

    data: list[JobView]
    total: int
    has_more: bool
    queue: Queue


@get(
    "/api/jobs",
    sync_to_thread=True,
    summary="The import queue",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **INVALID},
    operation_id="consoleJobs",
)
def list_jobs(
    services: GivenServices, of_state: OfState = None, page: Page = 1
) -> Envelope[JobPage]:
    """As `liuying jobs list`."""
    now = services.clock()
    with services.database.read() as connection:
        found, total = service.list_jobs(connection, now, of_state, PAGE, page)
        queue = service.measure_queue(connection, now)
    return Envelope(JobPage(found, total, page * PAGE < total, queue))


@post(
    "/api/jobs/{job_id:int}/retry",
    status_code=200,
    sync_to_thread=True,
    summary="Try a job again",
    opt=needs(Role.EDITOR),
    responses=Refused,
    operation_id="consoleRetryJob",
)
def retry_job(
    job_id: PathIdentifier, data: JSONBody[RetryBody], services: GivenServices, actor: GivenActor
) -> Envelope[JobView]:
    """As `liuying jobs retry`."""
    now = services.clock()
    entry = Entry("job.retry", f"任务 {job_id}", after=msgspec.to_builtins(data))
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        service.retry_job(
            connection,
            job_id,
            now,
            accepts_match=data.accepts_match,
            accepts_damage=data.accepts_damage,
        )
        return Envelope(service.get_job(connection, job_id, now))


@post(
    "/api/jobs/{job_id:int}/cancel",
    status_code=200,
    sync_to_thread=True,
    summary="Cancel a job",
    opt=needs(Role.EDITOR),
    responses=Refused,
    operation_id="consoleCancelJob",
)
def cancel_job(
    job_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[JobView]:
    """As `liuying jobs cancel`: what is already playable stays."""
    now = services.clock()
    with (
        noted(services.database, services.clock, actor, Entry("job.cancel", f"任务 {job_id}")),
        services.database.write() as connection,
    ):
        service.cancel_job(connection, job_id, now)
        return Envelope(service.get_job(connection, job_id, now))


@post(
    "/api/jobs/retry-failed",
    status_code=200,
    sync_to_thread=True,
    summary="Try all failed jobs again",
    opt=needs(Role.EDITOR),
    responses=Refused,
    operation_id="consoleRetryFailedJobs",
)
def retry_failed_jobs(services: GivenServices, actor: GivenActor) -> Envelope[Retried]:
    """As `liuying jobs retry --failed`, but for what waits for a decision: that stays."""
    with (
        noted(services.database, services.clock, actor, Entry("job.retry-failed", "失败的导入")),
        services.database.write() as connection,
    ):
        return Envelope(Retried(service.retry_failed(connection, services.clock())))


@post(
    "/api/jobs/clear",
    status_code=200,
    sync_to_thread=True,
    summary="Forget ended jobs",
    opt=needs(Role.EDITOR),
    responses=Refused,
    operation_id="consoleClearJobs",
)
def clear_jobs(
    data: JSONBody[ClearBody], services: GivenServices, actor: GivenActor
) -> Envelope[Cleared]:
    """As `liuying jobs clear`: videos stay. What waits for a decision stays, too."""
    entry = Entry("job.clear", "导入记录", after={"state": data.state.value})
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        count = service.clear_jobs(connection, [data.state], spares_undecided=True)
        return Envelope(Cleared(count))


@get(
    "/api/jobs/{job_id:int}/film",
    sync_to_thread=True,
    summary="The film of a job that waits for a decision",
    opt=needs(Role.EDITOR),
    responses=Refused,
    media_type="application/octet-stream",
)
def get_film(
    job_id: PathIdentifier, request: Request[Any, Any, Any], services: GivenServices
) -> Response[Any]:
    """As it was uploaded: one range of bytes, or all of them."""
    with services.database.read() as connection:
        job = service.get_job(connection, job_id)
    # The film comes first, what lies beside it after it.
    content = next(iter(job.wanted.get("inbox", {}).values()), None)
    if job.state is not State.FAILED or job.fault not in UNDECIDED or content is None:
        raise NotFoundError("这个任务没有等待决定的文件，或文件不在收件箱里")
    # Browsers look into the file itself: the name says nothing that they need.
    return answer_object(services.objects, inbox_key(content), f"{content}.mp4", request)


ROUTES: list[ControllerRouterHandler] = [
    list_jobs,
    retry_job,
    retry_failed_jobs,
    cancel_job,
    clear_jobs,
    get_film,
]
