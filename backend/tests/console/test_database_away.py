"""A database that stands still: the console says so, and begins nothing."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from liuying.console import access
from liuying.features.operators.service import find_operator
from tests.console.desk import Desk

PATIENCE_S = 10.0


def test_who_calls_is_not_waited_for_long(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.log_in()
    answers = threading.Event()

    def find_slowly(*asked: Any, **named: Any) -> Any:
        answers.wait(PATIENCE_S)
        return find_operator(*asked, **named)

    monkeypatch.setattr(access, "find_operator", find_slowly)
    monkeypatch.setattr(access, "ANSWER_WITHIN_S", 0.05)
    notice = {"title": "公告", "content": "内容"}
    refused = [
        desk.request("GET", "/api/notices"),
        desk.request("POST", "/api/notices", notice),
    ]
    answers.set()
    assert [one.status_code for one in refused] == [503, 503]
    assert all(int(one.headers["retry-after"]) > 0 for one in refused)
    monkeypatch.undo()
    assert desk.rescont("GET", "/api/notices") == []
