"""What goes with an uploaded film: it counts as long as the film is to come, and no longer."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import sqlalchemy as sa

from liuying.core.jobs.tables import job
from liuying.features.uploads import queries
from liuying.features.uploads.rules import KEPT_MS
from liuying.workflows import uploading
from liuying.workflows.handing_over import hand_over_next
from liuying.workflows.upload_spool import spool_of
from liuying.workflows.uploading import expire_uploads
from tests.console.both_stores import engine, store
from tests.console.desk import Desk
from tests.console.tus import PATH, begin, begun, send, upload

__all__ = ["engine", "store"]
CONTENT = b"0123456789" * 100
SRT = "1\n00:00:00,000 --> 00:00:01,000\n你好\n".encode()


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


def test_side_cars_with_long_names_stay_apart_and_with_their_film(editor: Desk) -> None:
    name = "长" * 70
    ends = ("zh.srt", "en.forced.srt", "nfo", "info.json")
    contents = (SRT, SRT * 2, b"<movie/>", b"{}")
    ids = [
        upload(editor, f"{name}.{end}", content)
        for end, content in zip(ends, contents, strict=True)
    ]
    upload(editor, f"{name}.mp4", CONTENT, beside=",".join(ids))
    assert hand_over_next(editor.services)
    with editor.services.database.read() as connection:
        wanted = connection.execute(sa.select(job.c.wanted)).scalar_one()
    kept = "长" * 65
    assert set(wanted["inbox"]) == {f"{kept}.{end}" for end in (*ends, "mp4")}


def test_two_side_cars_with_one_name_are_refused_before_the_film_is_sent(editor: Desk) -> None:
    first, second = (upload(editor, "a.zh.srt", SRT * number) for number in (1, 2))
    refused = begin(editor, "a.mp4", len(CONTENT), beside=f"{first},{second}")
    assert (refused.status_code, "两个都叫 a.zh.srt" in refused.text) == (422, True)
    begun(editor, "a.mp4", len(CONTENT), beside=second)


def test_a_film_that_was_sent_with_such_ones_says_so_and_nothing_is_overwritten(
    editor: Desk, tmp_path: Path
) -> None:
    """By a release that did not look."""
    first, second = upload(editor, "a.zh.srt", SRT), upload(editor, "a.en.srt", SRT * 2)
    upload(editor, "a.mp4", CONTENT, beside=f"{first},{second}")
    with editor.services.database.write() as connection:
        queries.change(connection, second, {"name": "a.zh.srt"})
    assert hand_over_next(editor.services)
    (shown,) = editor.rescont("GET", PATH)["data"]
    assert (shown["state"], "两个都叫 a.zh.srt" in shown["fault"]) == ("faulty", True)
    spool = spool_of(editor.services)
    for upload_id, content in ((first, SRT), (second, SRT * 2)):
        spool.assemble(upload_id, len(content), tmp_path / upload_id)
        assert (tmp_path / upload_id).read_bytes() == content


@pytest.mark.parametrize("can_link", [True, False])
def test_bytes_are_never_written_through_another_name(
    editor: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_link: bool
) -> None:
    first, second = upload(editor, "a.zh.srt", SRT), upload(editor, "b.zh.srt", SRT * 2)
    spool, target = spool_of(editor.services), tmp_path / "a.zh.srt"
    spool.assemble(first, len(SRT), target)
    if not can_link:

        def refuse(*_: object) -> None:
            raise PermissionError(errno.EPERM, "no links here")

        monkeypatch.setattr(Path, "hardlink_to", refuse)
    with pytest.raises(FileExistsError):
        spool.assemble(second, len(SRT) * 2, target)
    spool.assemble(first, len(SRT), tmp_path / "again")
    spool.assemble(second, len(SRT) * 2, tmp_path / "other")
    assert target.read_bytes() == (tmp_path / "again").read_bytes() == SRT
    assert (tmp_path / "other").read_bytes() == SRT * 2
