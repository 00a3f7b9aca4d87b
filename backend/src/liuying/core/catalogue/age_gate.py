"""The age gate of the whole site or of categories (docs/product.md#age-gate). Each function works
inside the caller's transaction.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
import sqlalchemy as sa
from litestar.params import HeaderParameter

from liuying.core.catalogue.queries import gating
from liuying.core.catalogue.tables import category
from liuying.kit.errors import ForbiddenError
from liuying.kit.rows import require_row, update_row
from liuying.kit.texts import optional_text

TITLE_LENGTH, TEXT_LENGTH = 40, 300
DEFAULT_TITLE = "请确认你的年龄"
DEFAULT_TEXT = "以下内容只适合成年人观看。未满 18 岁请离开。"
HEADER = "X-Age-Confirmed"
CONFIRMED = "1"
REFUSAL = "请先确认年龄"
AgeAnswer = Annotated[
    str,
    HeaderParameter(
        name=HEADER,
        max_length=8,
        description="`1` where the visitor has said that he is of age. Kept on his device alone.",
    ),
]


class AgeGate(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator has set.

    Attributes:
        covers_site: Whether every video is gated, whatever its category.
        title: Of the question; empty for the default.
        text: Below it; likewise.
    """

    covers_site: bool = False
    title: str = ""
    text: str = ""


class AgeGateView(msgspec.Struct, frozen=True, kw_only=True):
    """What the client must know of the gate where there is one.

    `covers_site` says that the question comes before everything; otherwise it comes before a gated
    video. `title` and `text` are the question.
    """

    covers_site: bool
    title: str
    text: str


def read_gate(connection: sa.Connection) -> AgeGate:
    """What is set now."""
    row = gating.gate_row(connection)
    if row is None:
        return AgeGate()
    return AgeGate(covers_site=row.covers_site, title=row.title, text=row.text)


def gate_view(connection: sa.Connection) -> AgeGateView | msgspec.UnsetType:
    """The gate as the client must know it; UNSET where nothing is gated."""
    if not gating.has_gate(connection):
        return msgspec.UNSET
    gate = read_gate(connection)
    return AgeGateView(
        covers_site=gate.covers_site,
        title=gate.title or DEFAULT_TITLE,
        text=gate.text or DEFAULT_TEXT,
    )


def set_gate(connection: sa.Connection, gate: AgeGate) -> AgeGate:
    """Gate the whole site or not, and set the question; at once for every process.

    Raises:
        InvalidInputError: A text is too long.
    """
    title = optional_text("标题", gate.title, TITLE_LENGTH, "title")
    text = optional_text("说明", gate.text, TEXT_LENGTH, "text")
    values = {"covers_site": gate.covers_site, "title": title, "text": text}
    gating.replace_gate(connection, values)
    gating.note_gate_changed(connection)
    return AgeGate(covers_site=gate.covers_site, title=title, text=text)


def set_category_gated(connection: sa.Connection, number: int, *, is_gated: bool) -> None:
    """Gate the videos of a category, or no longer; at once for every process.

    Raises:
        NotFoundError: No such category.
    """
    require_row(connection, category, number, "分类")
    update_row(connection, category, number, {"is_gated": is_gated})
    gating.note_gate_changed(connection)


def require_age(answer: str) -> None:
    """Make sure that the visitor has given his answer.

    Raises:
        ForbiddenError: He has not.
    """
    if answer != CONFIRMED:
        raise ForbiddenError(REFUSAL)
