"""Uploads by tus: whatever is cut off goes on, and what arrives is what was sent."""

from __future__ import annotations

import hashlib
import random
import shutil
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa

from liuying.console.uploads.wire import PIECE_BYTES
from liuying.core.jobs.tables import job
from liuying.features.operators.rules import Role
from liuying.features.uploads import queries
from liuying.features.uploads.rules import KEPT_MS, MOST_UNFINISHED
from liuying.features.uploads.tables import upload as upload_table
from liuying.kit.object_keys import inbox_key
from liuying.kit.object_store import read_object
from liuying.workflows import handing_over
from liuying.workflows.handing_over import hand_over_next
from liuying.workflows.inbox import fetched
from liuying.workflows.upload_spool import FileSpool, ObjectSpool, spool_of
from liuying.workflows.uploading import expire_uploads
from tests.console.both_stores import engine, store
from tests.console.desk import Desk
from tests.console.tus import (
    BYTES,
    PATH,
    VERSION,
    begin,
    begun,
    metadata,
    offset,
    send,
    send_broken,
    upload,
)

__all__ = ["engine", "store"]
CONTENT = random.Random(1).randbytes(300_000)  # noqa: S311  # no secret
SRT = "1\n00:00:00,000 --> 00:00:01,000\n你好\n"


class KilledError(BaseException):
    """The process ends here."""


def only(desk: Desk) -> Any:
    (found,) = desk.rescont("GET", PATH)["data"]
    return found


def queued(desk: Desk) -> Any:
    """What the worker would get."""
    with desk.services.database.read() as connection:
        return connection.execute(sa.select(job)).one()


def test_what_is_sent_in_any_pieces_arrives_and_is_queued(editor: Desk) -> None:
    chance = random.Random(7)  # noqa: S311  # no secret
    address = begun(editor, "海边.mp4", len(CONTENT), lastModified="1764000000000")
    while (at := offset(editor, address)) < len(CONTENT):
        piece = CONTENT[at : at + chance.randrange(1, 60_000)]
        if chance.random() < 0.5:
            send_broken(editor, address, at, piece)
        else:
            assert send(editor, address, at, piece).status_code == 204
        # Whatever arrived counts, however the connection ended.
        assert offset(editor, address) == at + len(piece)
    shown = only(editor)
    assert (shown["state"], shown["received"], shown["last_modified"]) == (
        "complete",
        len(CONTENT),
        "1764000000000",
    )
    assert hand_over_next(editor.services)
    assert not hand_over_next(editor.services)
    content = hashlib.sha256(CONTENT).hexdigest()
    assert read_object(editor.services.objects, inbox_key(content)) == CONTENT
    row = queued(editor)
    assert (row.source, row.state) == (f"inbox/{content}/海边.mp4", "waiting")
    with fetched(editor.services.objects, editor.services.layout, row.source, row.wanted) as item:
        assert (item.source.name, item.source.read_bytes()) == ("海边.mp4", CONTENT)
    shown = only(editor)
    assert (shown["state"], shown["job"]["state"], shown["job"]["id"]) == (
        "queued",
        "waiting",
        row.id,
    )
    # Nothing is there twice.
    services = editor.services
    assert list(services.objects.objects("uploads/")) == []
    assert not any(services.layout.uploads.glob("*"))


def test_large_requests_are_kept_piece_by_piece(editor: Desk) -> None:
    content = random.Random(2).randbytes(PIECE_BYTES + 5)  # noqa: S311  # no secret
    address = begun(editor, "长片.mkv", 2 * len(content))
    send_broken(editor, address, 0, content)
    assert offset(editor, address) == len(content)
    assert send(editor, address, len(content), content).status_code == 204
    hand_over_next(editor.services)
    whole = hashlib.sha256(content * 2).hexdigest()
    assert queued(editor).wanted["inbox"] == {"长片.mkv": whole}


def test_a_process_killed_between_bytes_and_row_corrupts_nothing(
    editor: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other bytes, and fewer, come after those that were never counted."""
    address = begun(editor, "a.mp4", 1000)
    upload_id, services = address.rpartition("/")[2], editor.services
    spool = spool_of(services)

    def die(*_: object) -> bool:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(queries, "advance", die)
        with pytest.raises(KilledError):
            spool.append(upload_id, 0, b"x" * 900, 0, lambda _: None)
    assert offset(editor, address) == 0
    assert send(editor, address, 0, CONTENT[:100]).status_code == 204
    assert send(editor, address, 100, CONTENT[100:1000]).status_code == 204
    hand_over_next(services)
    assert queued(editor).wanted["inbox"] == {"a.mp4": hashlib.sha256(CONTENT[:1000]).hexdigest()}


@pytest.mark.parametrize("step", ["queue_by_content", "with_details"])
def test_a_process_killed_while_it_hands_over_is_followed_by_another(
    editor: Desk, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    upload(editor, "a.mp4", CONTENT)

    def die(*_: object) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(handing_over, step, die)
        with pytest.raises(KilledError):
            hand_over_next(editor.services)
    assert not hand_over_next(editor.services)  # It may be alive.
    editor.time.now += 120_000
    assert hand_over_next(editor.services)
    content = hashlib.sha256(CONTENT).hexdigest()
    assert queued(editor).wanted["inbox"] == {"a.mp4": content}
    assert read_object(editor.services.objects, inbox_key(content)) == CONTENT


def test_of_two_tabs_one_is_counted(editor: Desk) -> None:
    address = begun(editor, "a.mp4", 20)
    assert send(editor, address, 0, b"0123456789").status_code == 204
    for start in (0, 5, 11, 20):
        refused = send(editor, address, start, b"x")
        assert (refused.status_code, "位置不对" in refused.text) == (409, True)
    # Both asked before either wrote.
    spool, upload_id = spool_of(editor.services), address.rpartition("/")[2]
    assert isinstance(spool, FileSpool | ObjectSpool)
    first = spool.append(upload_id, 10, b"abcde", 0, lambda _: None)
    second = spool.append(upload_id, 10, b"ABCDE", 0, lambda _: None)
    assert (first, second, offset(editor, address)) == (True, False, 15)
    send(editor, address, 15, b"fghij")
    hand_over_next(editor.services)
    whole = hashlib.sha256(b"0123456789abcdefghij").hexdigest()
    assert queued(editor).wanted["inbox"] == {"a.mp4": whole}


def test_side_cars_go_with_their_film_and_details_that_were_typed(editor: Desk) -> None:
    described = b'{"title": "\xe6\x97\x81\xe8\xbe\xb9\xe7\x9a\x84", "labels": ["a"]}'
    ids = [
        upload(editor, "海边.zh.srt", SRT.encode()),
        upload(editor, "海边.json", described),
    ]
    address = begun(editor, "海边.mp4", len(CONTENT), beside=",".join(ids))
    film = address.rpartition("/")[2]
    assert only(editor)["beside"] == ["海边.json", "海边.zh.srt"]
    again = begin(editor, "别的.mp4", 5, beside=ids[0])
    assert (again.status_code, "附带" in again.text) == (422, True)
    typed = {"title": "海边的一天", "is_hidden": True}
    assert editor.rescont("PUT", f"{PATH}/{film}/details", typed)["details"]["is_hidden"] is True
    send(editor, address, 0, CONTENT)
    assert hand_over_next(editor.services)
    row = queued(editor)
    assert set(row.wanted["inbox"]) == {"海边.mp4", "海边.json", "海边.zh.srt"}
    assert (row.wanted["given"], row.wanted["is_hidden"]) == ({"title": "海边的一天"}, True)
    # While it waits for a worker, too.
    typed = {"labels": ["夏天", "海"]}
    editor.rescont("PUT", f"{PATH}/{film}/details", typed)
    row = queued(editor)
    assert (row.wanted["given"], row.wanted.get("is_hidden")) == ({"labels": ["夏天", "海"]}, None)
    with fetched(editor.services.objects, editor.services.layout, row.source, row.wanted) as item:
        found = sorted(path.name for path in item.source.parent.iterdir())
    assert found == ["海边.json", "海边.mp4", "海边.zh.srt"]


@pytest.mark.parametrize(("said", "is_hidden"), [("1", True), ("", None)])
def test_a_film_that_begins_hidden_needs_nothing_typed_later(
    editor: Desk, said: str, is_hidden: bool | None
) -> None:
    address = begun(editor, "海边.mp4", len(CONTENT), hidden=said)
    assert only(editor)["details"]["is_hidden"] is (is_hidden or False)
    send(editor, address, 0, CONTENT)
    assert hand_over_next(editor.services)
    assert queued(editor).wanted.get("is_hidden") is is_hidden


def test_a_wrong_description_is_told_before_the_film_is_sent(editor: Desk) -> None:
    wrong = upload(editor, "海边.json", b'{"titel": "x"}')
    refused = begin(editor, "海边.mp4", 1000, beside=wrong)
    assert (refused.status_code, "不认识的项目 titel" in refused.text) == (422, True)
    unfinished = begun(editor, "海边.srt", 10).rpartition("/")[2]
    assert begin(editor, "海边.mp4", 1000, beside=unfinished).status_code == 422


class Name(NamedTuple):
    sent: str
    kept: str


@pytest.mark.parametrize(
    "name",
    [
        Name("../../etc/a.mp4", "a.mp4"),
        Name("C:\\film\\b.MKV", "b.mkv"),
        Name("..mp4.mp4", "mp4.mp4"),
        Name("一\u202e二\n三.mp4", "一 二 三.mp4"),
        Name("é.mp4", "é.mp4"),
        Name("长" * 200 + ".mp4", "长" * 65 + ".mp4"),
    ],
)
def test_names_are_never_paths(editor: Desk, name: Name) -> None:
    begun(editor, name.sent, 5)
    assert only(editor)["name"] == name.kept


@pytest.mark.parametrize("name", ["", ".mp4", "a", "a.", "a.exe", "/", "\u202e.mp4", "a.mp4/"])
def test_other_names_are_refused(editor: Desk, name: str) -> None:
    assert begin(editor, name, 5).status_code == 422


def test_an_upload_is_ended_with_what_goes_with_it(editor: Desk) -> None:
    beside = upload(editor, "a.srt", SRT.encode())
    address = begun(editor, "a.mp4", 20, beside=beside)
    send(editor, address, 0, b"12345")
    assert editor.request("DELETE", address, headers=VERSION).status_code == 204
    assert editor.request("HEAD", address, headers=VERSION).status_code == 404
    assert send(editor, address, 5, b"6").status_code == 404
    assert editor.request("DELETE", address, headers=VERSION).status_code == 404
    assert editor.rescont("GET", PATH)["data"] == []
    assert list(editor.services.objects.objects("uploads/")) == []
    editor.log_in()
    said = [(one["action"], one["subject"]) for one in editor.rescont("GET", "/api/audit")["data"]]
    assert [one for one in said if one[0].startswith("upload.")] == [
        ("upload.end", "a.mp4"),
        ("upload.create", "a.mp4"),
        ("upload.finish", "a.srt"),
        ("upload.create", "a.srt"),
    ]


def test_what_nobody_goes_on_with_is_removed(editor: Desk) -> None:
    old = begun(editor, "a.mp4", 20)
    send(editor, old, 0, b"12345")
    editor.time.now += KEPT_MS - 1000
    editor.log_in(Role.EDITOR)
    kept = begun(editor, "b.mp4", 20)
    expire_uploads(editor.services)
    assert (offset(editor, old), offset(editor, kept)) == (5, 0)
    editor.time.now += 2000
    expire_uploads(editor.services)
    assert editor.request("HEAD", old, headers=VERSION).status_code == 404
    assert offset(editor, kept) == 0
    assert list(editor.services.objects.objects("uploads/")) == []


def test_lost_bytes_are_told(editor: Desk) -> None:
    address = begun(editor, "a.mp4", 20)
    send(editor, address, 0, b"0123456789" * 2)
    spool_of(editor.services).remove(address.rpartition("/")[2])
    assert hand_over_next(editor.services)
    shown = only(editor)
    assert (shown["state"], "重新上传" in shown["fault"]) == ("faulty", True)
    assert not hand_over_next(editor.services)


class TestProtocol:
    """What does not depend on where things lie."""

    @pytest.fixture
    def engine(self) -> str:
        return "sqlite"

    def test_it_says_what_it_understands(self, editor: Desk) -> None:
        answer = editor.request("OPTIONS", PATH)
        assert answer.status_code == 204
        said = answer.headers
        assert (said["tus-version"], said["tus-max-size"]) == ("1.0.0", str(100 * 10**9))
        assert said["tus-extension"] == "creation,creation-with-upload,termination,expiration"

    def test_an_upload_may_begin_with_bytes(self, editor: Desk) -> None:
        said = {**BYTES, "upload-length": "10", "upload-metadata": metadata(filename="a.mp4")}
        answer = editor.request("POST", PATH, headers=said, content=b"01234")
        assert (answer.status_code, answer.headers["upload-offset"]) == (201, "5")
        address = answer.headers["location"]
        head = editor.request("HEAD", address, headers=VERSION).headers
        assert (head["upload-length"], head["cache-control"]) == ("10", "no-store")
        assert head["upload-metadata"] == said["upload-metadata"]
        assert head["upload-expires"].endswith("GMT")

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"tus-resumable": "0.2.2"}, 412),
            ({"upload-length": "x"}, 400),
            ({"upload-length": "-1"}, 400),
            ({"upload-length": "0"}, 422),
            ({"upload-length": "1" * 19}, 400),
            ({"upload-length": str(100 * 10**9 + 1)}, 413),
            ({"upload-metadata": "filename !!"}, 400),
            ({"upload-metadata": "filename YS5tcDQ=,filename YS5tcDQ="}, 400),
            ({"upload-metadata": "filename /w=="}, 400),
            ({"upload-metadata": ""}, 422),
            ({"content-type": "application/json"}, 415),
        ],
    )
    def test_a_wrong_beginning_is_refused(
        self, editor: Desk, headers: dict[str, str], status: int
    ) -> None:
        said = {**VERSION, "upload-length": "5", "upload-metadata": metadata(filename="a.mp4")}
        answer = editor.request("POST", PATH, headers=said | headers)
        assert (answer.status_code, answer.json()["code"]) == (status, status)
        assert editor.rescont("GET", PATH)["data"] == []

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"tus-resumable": ""}, 412),
            ({"upload-offset": "x"}, 400),
            ({"content-type": "text/plain"}, 415),
            ({"content-encoding": "gzip"}, 415),
            ({"upload-offset": "3"}, 409),
        ],
    )
    def test_wrong_bytes_are_refused(
        self, editor: Desk, headers: dict[str, str], status: int
    ) -> None:
        address = begun(editor, "a.mp4", 10)
        assert send(editor, address, 0, b"01234", headers).status_code == status
        assert offset(editor, address) == 0

    def test_more_than_was_announced_is_refused(self, editor: Desk) -> None:
        address = begun(editor, "a.mp4", 10)
        assert send(editor, address, 0, b"0" * 11).status_code == 413
        assert offset(editor, address) == 0

    @pytest.mark.parametrize("upload_id", ["0" * 32, "x", "0" * 31 + "/", "..%2f..", "%00"])
    def test_an_unknown_upload_is_not_there(self, editor: Desk, upload_id: str) -> None:
        for method in ("HEAD", "PATCH", "DELETE"):
            said = {**BYTES, "upload-offset": "0"}
            answer = editor.request(method, f"{PATH}/{upload_id}", headers=said)
            assert answer.status_code in {400, 404, 422}

    def test_a_full_disk_is_told_before_and_while_bytes_come(
        self, editor: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address = begun(editor, "a.mp4", 10)
        send(editor, address, 0, b"01234")
        with monkeypatch.context() as patched:
            full = shutil._ntuple_diskusage(10**9, 10**9, 0)
            patched.setattr(shutil, "disk_usage", lambda _: full)
            refused = begin(editor, "b.mp4", 10)
            assert (refused.status_code, "磁盘放不下 b.mp4" in refused.text) == (507, True)
            refused = send(editor, address, 5, b"56789")
            assert (refused.status_code, "腾出空间" in refused.text) == (507, True)
        assert offset(editor, address) == 5
        assert send(editor, address, 5, b"56789").status_code == 204

    def test_only_so_many_are_unfinished(self, editor: Desk) -> None:
        with editor.services.database.write() as connection:
            for number in range(MOST_UNFINISHED):
                values = {
                    "id": f"{number:032x}",
                    "name": "a.mp4",
                    "bytes": 1,
                    "metadata": "",
                    "is_film": True,
                    "name_of_actor": "",
                    "created_at": 0,
                    "touched_at": 0,
                }
                connection.execute(sa.insert(upload_table).values(**values))
        refused = begin(editor, "a.mp4", 10)
        assert (refused.status_code, "没有传完的上传" in refused.text) == (422, True)

    @pytest.mark.parametrize(
        "body",
        [{"title": ""}, {"title": " "}, {"nonsense": 1}, {"category": 0}, {"category": 999}],
    )
    def test_wrong_details_are_refused(self, editor: Desk, body: dict[str, object]) -> None:
        address = begun(editor, "a.mp4", 10)
        assert editor.request("PUT", f"{address}/details", body).status_code == 422

    def test_a_viewer_uploads_nothing(self, desk: Desk) -> None:
        desk.log_in(Role.EDITOR)
        address = begun(desk, "a.mp4", 10)
        desk.log_in(Role.VIEWER)
        assert begin(desk, "a.mp4", 10).status_code == 403
        assert send(desk, address, 0, b"0").status_code == 403
        assert desk.request("DELETE", address, headers=VERSION).status_code == 403
        assert desk.request("GET", PATH).status_code == 403
        desk.forget_cookies()
        assert send(desk, address, 0, b"0").status_code == 401

    def test_another_page_uploads_nothing(self, editor: Desk) -> None:
        address = begun(editor, "a.mp4", 10)
        refused = send(editor, address, 0, b"0", {"origin": "https://evil.example"})
        assert refused.status_code == 403
        assert offset(editor, address) == 0

    def test_a_session_that_is_ended_uploads_nothing_more(self, editor: Desk) -> None:
        """Even in the middle of a request."""
        address = begun(editor, "a.mp4", 3 * PIECE_BYTES)
        cookies = dict(editor.cookies)

        async def body() -> Any:
            yield bytes(PIECE_BYTES)
            with editor.services.database.write() as connection:
                connection.execute(sa.text("DELETE FROM console_session"))
            yield bytes(2 * PIECE_BYTES)

        assert send(editor, address, 0, body()).status_code == 401
        assert cookies
        editor.log_in(Role.EDITOR)
        assert offset(editor, address) <= PIECE_BYTES
