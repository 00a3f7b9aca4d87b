"""The log: one JSON object a line, no control characters, and nobody's code, token or address
(docs/security.md#t24, docs/security.md#t25).
"""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import msgspec
import pytest

from liuying.features.embedding.rules import CodeClaims, give_token
from liuying.features.embedding.service import token_key
from liuying.installation import json_logs
from liuying.installation.json_logs import RepetitionFilter, write_json_logs
from liuying.installation.services import Services
from tests.catalogue_factory import NOW
from tests.conftest import Client

CODE = "s3cretcode99"
NETWORK = "198.51.100.77"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    write_json_logs(stream)
    root.setLevel(
        logging.DEBUG
    )  # more than in production: what is never written at any level is what counts
    yield stream
    root.handlers, root.level = handlers, level


def test_a_line_is_an_object_without_control_characters(log: io.StringIO) -> None:
    write_json_logs(
        log
    )  # anew: pytest has put handlers of its own beside ours, and they keep what no file can hold
    hostile = "a\r\n2026 forged\x1b[31m\x00\x7f\x9b\u2028\u202e\ud800 中文 {}"
    logging.getLogger("liuying.test").error("%s", hostile)
    try:
        raise ValueError(hostile)
    except ValueError:
        logging.getLogger("liuying.test").exception("failed")
    lines = log.getvalue().splitlines()
    assert len(lines) == 2
    assert all(sign.isprintable() for line in lines for sign in line)
    first, second = (json.loads(line) for line in lines)
    assert (first["level"], first["logger"], first["message"]) == ("error", "liuying.test", hostile)
    assert "ValueError" in second["traceback"]
    assert "中文" in lines[0]


def test_what_repeats_itself_is_written_a_few_times(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("liuying.installation.json_logs.time.monotonic", lambda: now)
    flood, other = logging.getLogger("liuying.flood"), logging.getLogger("liuying.other")
    for number in range(1000):
        flood.warning("too many: %d", number)
    other.warning("too many: %d", 1)
    for _ in range(20):
        try:
            raise ValueError
        except ValueError:
            flood.exception("failed")
    now += json_logs.ALIKE_S
    flood.warning("too many: %d", 1000)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    alike = [
        line for line in lines if line["logger"] == "liuying.flood" and "traceback" not in line
    ]
    assert [line["message"] for line in alike] == [
        f"too many: {number}" for number in (0, 1, 2, 3, 4, 1000)
    ]
    assert [line.get("left_out") for line in alike] == [None] * 5 + [995]
    assert len(lines) == 6 + 1 + 20


def test_kinds_of_lines_are_counted_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_logs, "MAX_KINDS", 3)
    lines = RepetitionFilter()
    for number in range(50):
        assert lines.filter(
            logging.makeLogRecord({"name": "liuying", "msg": f"another one: {number}"})
        )
    assert len(lines._seen) == 3


def test_signed_texts_are_left_out(log: io.StringIO, filled: Services) -> None:
    token, _ = give_token(token_key(filled.hashes), CodeClaims("acme", "u", "", "j", 0), NOW)
    logging.getLogger("liuying.test").error("%s /media/r/%s/x", token, "G" * 27)
    assert token not in log.getvalue()
    assert "GGG" not in log.getvalue()


def test_requests_leave_nobodys_traces(
    log: io.StringIO, filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = msgspec.structs.replace(filled.settings, trusted_proxies="127.0.0.1")
    client = Client(msgspec.structs.replace(filled, settings=settings))
    token, _ = give_token(token_key(filled.hashes), CodeClaims("acme", "u", "", "j", 0), NOW)
    # The client of the tests logs what it asks for; it is no part of the server.
    monkeypatch.setattr(logging.getLogger("httpx"), "disabled", True)
    headers = {
        "x-visitor-code": CODE,
        "x-forwarded-for": NETWORK,
        "authorization": f"Bearer {token}",
    }

    def ask_all() -> None:
        for path in (
            f"share/unlocked?uuid={CODE}",
            "share/play?id=300",
            f"share/check?id={CODE}",
        ):
            client.get(f"/api/{path}", headers)
        client.request("POST", "/api/share/link", headers, {"id": 300, "uuid": CODE})
        client.request("POST", "/api/share/visit", headers, {"id": CODE, "uuid": CODE})
        client.request("POST", "/api/vendor/exchange", headers, {"code": token})
        client.get(f"/media/r/{'G' * 27}/{CODE}/v1.m3u8", headers)
        client.get(f"/vendor?code={token}", headers)

    ask_all()

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of ours")

    # Faults are logged with their traceback: nothing of the request may be in it.
    monkeypatch.setattr("liuying.features.sharing.service.make_share", fail)
    monkeypatch.setattr("liuying.features.sharing.service.list_shares", fail)
    client.request("POST", "/api/share/link", headers, {"id": 300})
    client.get(f"/api/share/unlocked?uuid={CODE}", headers)
    # A refusal of the database names its statement, not the values in it.
    monkeypatch.undo()
    monkeypatch.setattr(logging.getLogger("httpx"), "disabled", True)
    with filled.database.write() as connection:
        connection.exec_driver_sql("DROP TABLE share_visit")
    ask_all()
    client.close()
    written = log.getvalue()
    assert "a fault of ours" in written
    assert "share_visit" in written
    for trace in (CODE, NETWORK, token, token.rpartition(".")[2], filled.hashes.code(CODE)):
        assert trace not in written
