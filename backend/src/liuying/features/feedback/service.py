"""What visitors report to the operator (specification §6)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.videos import existing_ids
from liuying.features.feedback import queries
from liuying.features.feedback.rules import DEFAULT_TITLE, checked_content
from liuying.features.feedback.schemas import FeedbackView, NewFeedback, State
from liuying.features.feedback.tables import feedback
from liuying.kit.caller import Caller
from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.identifiers import MAX_ID
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.repeated_writes import write_once
from liuying.kit.rows import update_row

MAX_DIAGNOSTICS_BYTES = 8 * 1024
VISITOR_DIGITS = 8


def checked(report: NewFeedback) -> NewFeedback:
    """A report in its stored form.

    Raises:
        InvalidInputError: The description or the diagnostics are invalid.
    """
    content = checked_content(report.content)
    if (
        report.diagnostics is not None
        and len(msgspec.json.encode(report.diagnostics)) > MAX_DIAGNOSTICS_BYTES
    ):
        raise InvalidInputError("诊断信息过大", "diagnostics")
    return msgspec.structs.replace(
        report,
        content=content,
        title=report.title or DEFAULT_TITLE,
        video_id=_video_id(report.video_id),
        diagnostics=report.diagnostics or None,
    )


def store_once(
    connection: sa.Connection,
    hashes: KeyedHashes,
    report: NewFeedback,
    caller: Caller,
    now: Milliseconds,
) -> int:
    """Keep a report that was checked, unless it is a repetition: the same type, text and video from
    the same code, or without a code from the same network, within ten minutes.

    Returns:
        Its number; of a repetition the first one's.
    """
    code_hash = hashes.code(caller.code) if caller.code is not None else ""
    sender = caller.code or caller.network
    # Not the diagnostics, which differ with every attempt.
    sent = ("feedback", sender, report.title, report.content, report.video_id)

    def keep() -> str:
        return str(store(connection, report, code_hash, now))

    return int(write_once(connection, hashes, sent, now, keep))


def store(connection: sa.Connection, report: NewFeedback, code_hash: str, now: Milliseconds) -> int:
    """Keep a report that was checked.

    Args:
        code_hash: Of the reporter's data code; empty where none was sent.

    A video that is not there any more is left out.

    Returns:
        Its number.
    """
    values = {
        "created_at": now,
        "title": report.title,
        "content": report.content,
        "video_id": next(iter(existing_ids(connection, _named(report))), None),
        "code_hash": code_hash,
        "diagnostics": report.diagnostics,
    }
    return queries.insert_report(connection, values)


def _video_id(said: int | str | None) -> int | None:
    """A video's number, as a number or in digits; nothing for 0, for an empty text, and for a
    number that no video can have.
    """
    number = int(said or 0)
    return number if 0 < number <= MAX_ID else None


def _named(report: NewFeedback) -> list[int]:
    return [] if report.video_id is None else [int(report.video_id)]


def list_feedback(
    connection: sa.Connection, unread_only: bool, limit: int, before: int | None = None
) -> tuple[list[FeedbackView], int]:
    """The newest reports, and the total.

    Args:
        before: Only those with a smaller number; the total counts all.
    """
    rows, total = queries.newest_reports(connection, unread_only, limit, before)
    return [_view(row) for row in rows], total


def every_feedback(connection: sa.Connection) -> Iterator[FeedbackView]:
    """All reports, oldest first, a few hundred in memory at a time."""
    return map(_view, queries.every_report(connection))


def get_feedback(connection: sa.Connection, feedback_id: int) -> FeedbackView:
    """One report.

    Raises:
        NotFoundError: No report has this id.
    """
    row = queries.report_row(connection, feedback_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {feedback_id} 的反馈")
    return _view(row)


def set_state(connection: sa.Connection, feedback_id: int, state: State) -> None:
    """Note how far the operator is with a report.

    Raises:
        NotFoundError: No report has this id.
    """
    values = {"is_in_work": state is State.IN_WORK, "is_read": state is State.DONE}
    if not update_row(connection, feedback, feedback_id, values):
        raise NotFoundError(f"没有编号为 {feedback_id} 的反馈")


def _state(row: AnyRow) -> State:
    if row.is_read:
        return State.DONE
    return State.IN_WORK if row.is_in_work else State.NEW


def _view(row: AnyRow) -> FeedbackView:
    return FeedbackView(
        id=row.id,
        created_at=to_iso(row.created_at),
        title=row.title,
        content=row.content,
        video_id=row.video_id,
        visitor=row.code_hash[:VISITOR_DIGITS],
        is_read=row.is_read,
        state=_state(row),
        diagnostics=row.diagnostics,
    )
