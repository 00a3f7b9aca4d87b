"""The shape of every JSON answer: `{code, msg, rescont}` (specification §3,
docs/product.md#wire).
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Envelope(msgspec.Struct, Generic[T], frozen=True):
    """`code` equals the HTTP status, `msg` is for people, `rescont` carries the payload."""

    rescont: T
    code: int = 200
    msg: str = "ok"


class FieldProblem(msgspec.Struct, frozen=True):
    """One invalid value: where it stands and why."""

    field: str
    reason: str


class Problem(msgspec.Struct, frozen=True):
    """The envelope of a refusal. `rescont` lists the invalid fields, if any."""

    code: int
    msg: str
    rescont: list[FieldProblem] = []


class Page(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list (specification §3): `total` counts the whole list, `per_page` is the
    server's page size.

    `next_page_url` is a path with a query; null on the last page and beyond it.
    """

    data: list[T]
    total: int
    per_page: int
    next_page_url: str | None = None
