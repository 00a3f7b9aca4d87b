"""What visitors say: feedback, and reports of videos."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenActor, GivenServices
from liuying.console.videos.queries import rows_of
from liuying.console.videos.schemas import VideoRow, VideoState
from liuying.console.videos.service import row_view
from liuying.features.audit.service import Entry, noted
from liuying.features.feedback import service as feedback
from liuying.features.feedback.schemas import FeedbackView, State
from liuying.features.operators.rules import Role
from liuying.features.reports import service as reports
from liuying.features.reports.rules import NOTE_LENGTH
from liuying.features.reports.rules import State as ReportState
from liuying.features.reports.schemas import EntryView, ReportView
from liuying.installation.services import Services
from liuying.installation.site_address import site_address
from liuying.kit.envelope import Envelope
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import BODY, INVALID, MISSING, UNAUTHORIZED, PathIdentifier
from liuying.workflows.removal import remove_reported

PAGE = 30
PLAYER_PATH = "/playVideo"
# Open ones; more than that are not read by anybody.
MOST_ENTRIES = 200
BeforeId = Annotated[
    int | None, QueryParameter(name="before", ge=1, le=MAX_ID, description="`next_before`.")
]

Which = Literal["open", "all"]


class FeedbackPage(msgspec.Struct, frozen=True):
    """Feedback, newest first; `next_before` asks for older ones, None where there are none."""

    data: list[FeedbackView]
    total: int
    next_before: int | None


class FeedbackState(msgspec.Struct, frozen=True):
    """How far the operator is."""

    state: State


class EntryPage(msgspec.Struct, frozen=True):
    """Reported videos, the latest report first."""

    data: list[EntryView]
    total: int


class EntryDetail(msgspec.Struct, frozen=True):
    """A reported video, and what its reporters said, the latest first.

    Attributes:
        video: The video; None once it is purged.
        page: Its page on the site; None where visitors do not see it, or the site's address is not
            set.
    """

    entry: EntryView
    reports: list[ReportView]
    video: VideoRow | None
    page: str | None


class Decision(msgspec.Struct, frozen=True):
    """What becomes of a reported video. `removed` puts it into the bin; `note` is for operators
    alone.
    """

    state: ReportState
    note: Annotated[str, msgspec.Meta(max_length=NOTE_LENGTH)] = ""


@get(
    "/api/feedback",
    sync_to_thread=True,
    summary="What visitors wrote",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **INVALID},
)
def list_feedback(
    services: GivenServices, before: BeforeId = None, which: FromQuery[Which] = "open"
) -> Envelope[FeedbackPage]:
    """Newest first; by default what is not done."""
    with services.database.read() as connection:
        found, total = feedback.list_feedback(connection, which == "open", PAGE + 1, before)
    has_more = len(found) > PAGE
    shown = found[:PAGE]
    return Envelope(FeedbackPage(shown, total, shown[-1].id if has_more else None))


@post(
    "/api/feedback/{feedback_id:int}/state",
    status_code=200,
    sync_to_thread=True,
    summary="Note how far feedback is",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **INVALID, **MISSING, **BODY},
)
def set_feedback_state(
    feedback_id: PathIdentifier,
    data: JSONBody[FeedbackState],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[FeedbackView]:
    """Any state may follow any other."""
    with services.database.read() as connection:
        before = feedback.get_feedback(connection, feedback_id)
    entry = Entry(
        "feedback.state",
        f"反馈 {feedback_id}",
        before={"state": before.state},
        after={"state": data.state},
    )
    with (
        noted(services.database, services.clock, actor, entry),
        services.database.write() as connection,
    ):
        feedback.set_state(connection, feedback_id, data.state)
        return Envelope(feedback.get_feedback(connection, feedback_id))


@get(
    "/api/reports",
    sync_to_thread=True,
    summary="Videos that visitors reported",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **INVALID},
)
def list_reports(services: GivenServices, which: FromQuery[Which] = "open") -> Envelope[EntryPage]:
    """The latest report first; by default what is not decided."""
    with services.database.read() as connection:
        return Envelope(
            EntryPage(*reports.list_entries(connection, MOST_ENTRIES, only_open=which == "open"))
        )


@get(
    "/api/reports/{entry_id:int}",
    sync_to_thread=True,
    summary="A video that visitors reported",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **MISSING},
)
def report_detail(entry_id: PathIdentifier, services: GivenServices) -> Envelope[EntryDetail]:
    """With the reasons and contacts of its reporters."""
    return Envelope(_detail(services, entry_id))


@post(
    "/api/reports/{entry_id:int}/decision",
    status_code=200,
    sync_to_thread=True,
    summary="Decide what becomes of a reported video",
    opt=needs(Role.EDITOR),
    responses={**UNAUTHORIZED, **INVALID, **MISSING, **BODY},
)
def decide_report(
    entry_id: PathIdentifier,
    data: JSONBody[Decision],
    services: GivenServices,
    actor: GivenActor,
) -> Envelope[EntryDetail]:
    """Whoever reported it reads the state by the receipt."""
    with services.database.read() as connection:
        before, _ = reports.get_entry(connection, entry_id)
    entry = Entry(
        "report.decide",
        f"视频 {before.video_id} {before.title}",
        before={"state": before.state},
        after={"state": data.state.value, "note": data.note},
    )
    with noted(services.database, services.clock, actor, entry):
        if data.state is ReportState.REMOVED:
            remove_reported(services, entry_id, data.note)
        else:
            with services.database.write() as connection:
                reports.set_state(connection, entry_id, data.state, data.note, services.clock())
    return Envelope(_detail(services, entry_id))


def _detail(services: Services, entry_id: int) -> EntryDetail:
    with services.database.read() as connection:
        entry, said = reports.get_entry(connection, entry_id)
        row = rows_of(connection, [entry.video_id]).get(entry.video_id)
        origin = site_address(services, connection)
    video = None if row is None else row_view(row)
    is_seen = video is not None and video.state is VideoState.SHOWN
    page = f"{origin}{PLAYER_PATH}?id={entry.video_id}" if is_seen and origin else None
    return EntryDetail(entry, said, video, page)


ROUTES: list[ControllerRouterHandler] = [
    list_feedback,
    set_feedback_state,
    list_reports,
    report_detail,
    decide_report,
]
