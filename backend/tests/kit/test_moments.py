"""Times as people and spreadsheets write them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from liuying.kit.moments import parse_moment


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "moment", "is_date"),
    [
        ("2026-12-01", "2026-11-30T16:00:00", True),
        ("2026/12/1", "2026-11-30T16:00:00", True),
        ("2026.12.1", "2026-11-30T16:00:00", True),
        ("2026年12月1日", "2026-11-30T16:00:00", True),
        (" 2026/12/01 ", "2026-11-30T16:00:00", True),
        ("2026/12/1 8:05", "2026-12-01T00:05:00", False),
        ("2026/12/1  08:05:09", "2026-12-01T00:05:09", False),
        ("2026年12月1日 8：05", "2026-12-01T00:05:00", False),
        ("2026-12-01T08:00+08:00", "2026-12-01T00:00:00", False),
        ("2026-12-01T08:00:00Z", "2026-12-01T08:00:00", False),
        ("2026-12-01 08:00", "2026-12-01T00:00:00", False),
        ("20261201", "2026-11-30T16:00:00", True),
    ],
)
def test_what_is_a_time(text: str, moment: str, is_date: bool) -> None:
    assert parse_moment(text) == (datetime.fromisoformat(moment).replace(tzinfo=UTC), is_date)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "12/1/2026", "1/12/26", "2026/13/1", "2026/2/30", "2026/1/1 25:00", "46357"],
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whichever part of it is wrong
        parse_moment(text)
