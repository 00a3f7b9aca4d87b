"""Taking videos away on the console: into the bin and out of it, down, and for good."""

from __future__ import annotations

from litestar import Response, delete, post
from litestar.background_tasks import BackgroundTask
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.videos import service
from liuying.console.videos.schemas import TakeDownBody, VideoDetail, VideoState
from liuying.features.audit.service import Entry, noted
from liuying.features.operators.rules import Role
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError
from liuying.kit.responses import BODY, INVALID, MISSING, UNAUTHORIZED, PathIdentifier
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import remove_videos, restore_videos
from liuying.workflows.taking_down import begin_take_down, finish_take_down


@delete(
    "/api/videos/{video_id:int}",
    status_code=200,
    sync_to_thread=True,
    summary="Delete a video",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING},
)
def delete_video(
    video_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[None]:
    """As `liuying video remove`: into the bin."""
    with services.database.read() as connection:
        title = service.video_detail(connection, video_id).video.title
    entry = Entry("video.remove", f"视频 {video_id}", {"title": title})
    with noted(services.database, services.clock, actor, entry):
        remove_videos(services, [video_id])
    return Envelope(None)


@post(
    "/api/videos/{video_id:int}/restore",
    status_code=200,
    sync_to_thread=True,
    summary="Take a video out of the bin",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
)
def restore_video(
    video_id: PathIdentifier, services: GivenServices, actor: GivenActor
) -> Envelope[VideoDetail]:
    """As `liuying video restore`."""
    with noted(
        services.database, services.clock, actor, Entry("video.restore", f"视频 {video_id}")
    ):
        restore_videos(services, [video_id])
    with services.database.read() as connection:
        return Envelope(service.video_detail(connection, video_id))


@post(
    "/api/videos/{video_id:int}/takedown",
    status_code=200,
    sync_to_thread=True,
    summary="Take a video down",
    opt=needs(Role.OWNER),
    responses={**UNAUTHORIZED, **INVALID, **MISSING, **BODY},
)
def take_down(
    video_id: PathIdentifier,
    data: JSONBody[TakeDownBody],
    services: GivenServices,
    actor: GivenActor,
) -> Response[Envelope[None]]:
    """As `liuying video takedown`: the same content cannot be imported again."""
    with services.database.read() as connection:
        title = service.video_detail(connection, video_id).video.title
    entry = Entry("video.takedown", f"视频 {video_id}", {"title": title}, {"reason": data.reason})
    with noted(services.database, services.clock, actor, entry):
        begin_take_down(services, video_id, data.reason)
    # A film's fingerprint takes longer than a browser waits.
    finish = BackgroundTask(finish_take_down, services, video_id)
    return Response(Envelope(None), background=finish)


@post(
    "/api/videos/{video_id:int}/purge",
    status_code=200,
    sync_to_thread=True,
    summary="Remove a video of the bin for good",
    opt=needs(Role.OWNER),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
)
def purge(video_id: PathIdentifier, services: GivenServices, actor: GivenActor) -> Envelope[None]:
    """As `liuying video purge`: its files go too. Outside the bin it is refused."""
    with services.database.read() as connection:
        known = service.video_detail(connection, video_id).video
    if known.state is not VideoState.REMOVED:
        raise InvalidInputError(f"视频 {video_id} 不在回收站里")
    entry = Entry("video.purge", f"视频 {video_id}", {"title": known.title})
    with noted(services.database, services.clock, actor, entry):
        purge_video(services, video_id)
    return Envelope(None)


ROUTES: list[ControllerRouterHandler] = [delete_video, restore_video, take_down, purge]
