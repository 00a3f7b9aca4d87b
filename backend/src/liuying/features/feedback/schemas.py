"""Feedback on the wire and in an export."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec

from liuying.features.feedback.rules import DEFAULT_TITLE, MAX_LENGTH, MIN_LENGTH, IssueType
from liuying.kit.identifiers import MAX_ID
from liuying.kit.responses import PLAIN_PATTERN, PlainText
from liuying.kit.visitor_code import OptionalCodeText

# What `str.strip` removes, for engines whose `\s` is a different set.
BLANK = r"\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# Only for the document: other texts are refused with the specified messages. Surrounding blanks do
# not count.
Content = Annotated[
    str,
    msgspec.Meta(
        extra_json_schema={
            "pattern": rf"^[{BLANK}]*[^{BLANK}\x00][^\x00]{{{MIN_LENGTH - 2},{MAX_LENGTH - 2}}}"
            rf"[^{BLANK}\x00][{BLANK}]*$",
        },
    ),
]

# Diagnostics of the player: names with values, or lists and groups of them.
Name = Annotated[str, msgspec.Meta(max_length=64, pattern=PLAIN_PATTERN)]
Value = PlainText | Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)] | float | bool | None
Diagnostics = dict[Name, Value | dict[Name, Value] | list[Value | dict[Name, Value]]]


class NewFeedback(msgspec.Struct, frozen=True):
    """A visitor's report. `device` is always 2; `title` is the type of issue.

    `diagnostics` is attached by the player with the visitor's consent.
    """

    content: Content
    device: Literal[2] = 2
    title: IssueType | Literal[""] = DEFAULT_TITLE
    video_id: (
        Annotated[int, msgspec.Meta(ge=0, le=MAX_ID)]
        | Annotated[str, msgspec.Meta(pattern=r"^[0-9]{0,10}\Z")]
        | None
    ) = None
    uuid: OptionalCodeText | None = None
    diagnostics: Diagnostics | None = None


class FeedbackNumber(msgspec.Struct, frozen=True):
    """The number by which the operator finds a report."""

    id: int


class State(StrEnum):
    """How far the operator is with a report."""

    NEW = "new"
    IN_WORK = "in_work"
    DONE = "done"


class FeedbackView(msgspec.Struct, frozen=True, kw_only=True):
    """A report for the operator. `visitor` groups reports of one visitor but identifies nobody."""

    id: int
    created_at: str
    title: str
    content: str
    video_id: int | None
    visitor: str
    is_read: bool
    state: State
    diagnostics: dict[str, Any] | None
