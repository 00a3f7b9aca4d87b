"""Pages of lists: numbered from 1, with an address for the next one (decisions §1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import urlencode

import msgspec

from liuying.kit.envelope import Page

LAST_PAGE = 1_000_000
T = TypeVar("T")


class PageRequest(msgspec.Struct, frozen=True):
    """Which page, and how many items a page holds."""

    page: int
    per_page: int

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.per_page


def page_of(data: list[T], total: int, request: PageRequest, path: str, **query: str | int) -> Page[T]:
    """Put `data` into the list form.

    Args:
        data: The items of this page; empty past the end.
        total: Items of the whole list.
        request: The page that was asked for.
        path: Path of the call, for the next page's address.
        query: What else the next page's address must say; values equal to the call's default included.
    """
    has_next = bool(data) and request.offset + len(data) < total and request.page < LAST_PAGE
    following = f"{path}?{urlencode({**query, 'page': request.page + 1})}" if has_next else None
    return Page(data=data, total=total, per_page=request.per_page, next_page_url=following)


def slice_of(everything: Sequence[T], request: PageRequest) -> list[T]:
    """The items of one page of a list that is in memory."""
    return list(everything[request.offset : request.offset + request.per_page])
