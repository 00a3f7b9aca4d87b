"""What goes with an uploaded film: it counts as long as the film is to come, and no longer."""

from __future__ import annotations

import pytest

from liuying.features.operators.rules import Role
from liuying.features.uploads import queries
from liuying.features.uploads.rules import KEPT_MS
from liuying.workflows import uploading
from liuying.workflows.handing_over import hand_over_next
from liuying.workflows.uploading import expire_uploads
from tests.console.desk import Desk
from tests.console.tus import PATH, begin, begun, send, upload

CONTENT = b"0123456789" * 100
SRT = "1\n00:00:00,000 --> 00:00:01,000\n你好\n".encode()


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(engine: str) -> str:
    """Of each database the store that is used with it."""
    return "folder" if engine == "sqlite" else "s3"


@pytest.fixture
def editor(desk: Desk) -> Desk:
    desk.log_in(Role.EDITOR, "小王")
    return desk


def to_come(desk: Desk) -> tuple[int, int, int]:
    """How many uploads are unfinished, how many of their bytes are missing, and of how many uploads
    the bytes are needed.
    """
    with desk.services.database.read() as connection:
        return (*queries.count_open(connection), len(queries.known_ids(connection)))


def test_what_went_with_a_film_keeps_nobody_from_uploading(
    editor: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploading, "MOST_UNFINISHED", 4)
    ids = [upload(editor, f"a.{name}", SRT) for name in ("zh.srt", "en.srt")]
    address = begun(editor, "a.mp4", len(CONTENT), beside=",".join(ids))
    alone = upload(editor, "b.zh.srt", SRT)
    refused = begin(editor, "b.mp4", 10)
    assert (refused.status_code, "已有 4 个" in refused.text) == (422, True)
    assert to_come(editor) == (4, len(CONTENT), 4)
    send(editor, address, 0, CONTENT)
    assert to_come(editor) == (4, 0, 4)
    assert hand_over_next(editor.services)
    assert to_come(editor) == (1, 0, 1)
    begun(editor, "b.mp4", 10, beside=alone)
    # They are shown with their film as before, and go when it does.
    shown = {one["name"]: one["beside"] for one in editor.rescont("GET", PATH)["data"]}
    assert shown == {"a.mp4": ["a.en.srt", "a.zh.srt"], "b.mp4": ["b.zh.srt"]}
    editor.time.now += KEPT_MS + 1
    expire_uploads(editor.services)
    with editor.services.database.read() as connection:
        assert not queries.beside(connection, [address.rpartition("/")[2]])
        assert not queries.newest(connection, 9)
