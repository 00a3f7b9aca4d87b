"""Reports on the wire and for the operator."""

from __future__ import annotations

from typing import Annotated

import msgspec

from liuying.features.reports.rules import CONTACT_LENGTH, Reason, State
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import PLAIN_PATTERN, PlainText


class NewReport(msgspec.Struct, frozen=True):
    """A visitor's report of a video. `content` explains it in at most 500 characters; `contact` is
    an address for questions, only if the visitor wants any.
    """

    video_id: Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]
    reason: Reason
    content: PlainText = ""
    contact: Annotated[str, msgspec.Meta(max_length=CONTACT_LENGTH, pattern=PLAIN_PATTERN)] = ""


class Receipt(msgspec.Struct, frozen=True):
    """Tells what became of a report, and nothing else. Shown once: only its hash is kept."""

    receipt: str


class ReceiptQuestion(msgspec.Struct, frozen=True):
    """A receipt, as it was shown or as somebody typed it."""

    receipt: Annotated[str, msgspec.Meta(max_length=40, pattern=PLAIN_PATTERN)]


class ReportState(msgspec.Struct, frozen=True):
    """What became of a report: `new`, `in_work`, `removed`, `restored` or `dismissed`,
    and in words.
    """

    state: str
    text: str


class EntryView(msgspec.Struct, frozen=True, kw_only=True):
    """A reported video for the operator."""

    id: int
    video_id: int
    title: str
    state: State
    reports: int
    first_at: str
    last_at: str
    decided_at: str | None
    note: str


class ReportView(msgspec.Struct, frozen=True, kw_only=True):
    """One report for the operator."""

    id: int
    created_at: str
    reason: str
    content: str
    contact: str
