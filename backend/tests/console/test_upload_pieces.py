"""In which pieces the body of an upload is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import pytest
from litestar import Request

from liuying.console.uploads.wire import PIECE_BYTES, PIECE_S, pieces_of
from liuying.features.uploads.rules import TooLargeError

SECOND = b"x" * 1000


class Arriving:
    """A request whose body comes in parts, each a second after the one before it."""

    def __init__(self, parts: list[bytes], *, is_cut: bool = False) -> None:
        self.now = 0.0
        self._messages = self._said(parts, is_cut=is_cut)

    @staticmethod
    def _said(parts: list[bytes], *, is_cut: bool) -> Iterator[dict[str, Any]]:
        for number, part in enumerate(parts, start=1):
            is_more = is_cut or number < len(parts)
            yield {"type": "http.request", "body": part, "more_body": is_more}
        yield {"type": "http.disconnect"}

    async def receive(self) -> dict[str, Any]:
        self.now += 1
        return next(self._messages)

    def pieces(self, most: int = 10**9) -> list[int]:
        async def collect() -> list[int]:
            request = cast("Request[Any, Any, Any]", self)
            return [len(one) async for one in pieces_of(request, most, lambda: self.now)]

        return asyncio.run(collect())


def test_what_comes_fast_is_kept_in_whole_pieces() -> None:
    assert Arriving([b"x" * (2 * PIECE_BYTES + 5)]).pieces() == [PIECE_BYTES, PIECE_BYTES, 5]


def test_what_comes_slowly_is_kept_before_a_piece_is_full() -> None:
    within = round(PIECE_S)
    assert Arriving([SECOND] * 7).pieces() == [within * 1000, within * 1000, 1000]


def test_what_came_before_a_cut_is_kept() -> None:
    assert Arriving([SECOND] * 2, is_cut=True).pieces() == [2000]


def test_more_than_was_said_is_refused() -> None:
    with pytest.raises(TooLargeError):
        Arriving([SECOND] * 2).pieces(most=1999)
