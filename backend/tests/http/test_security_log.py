"""Security events: refused sessions, codes and files, limits, a restore; nobody's address."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from liuying.installation.json_logs import write_json_logs
from liuying.installation.services import Services
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows.backup_archive import About
from liuying.workflows.restore import finish_restore, take_restore_note
from tests.catalogue_factory import NOW
from tests.conftest import Client

ADDRESS, CODE = "198.51.100.77", "s3cretcode99"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    write_json_logs(stream)
    yield stream
    root.handlers, root.level = handlers, level


def events(log: io.StringIO) -> list[dict[str, Any]]:
    """The events that were logged."""
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in lines if line["logger"] == "liuying.security"]


@pytest.fixture
def guarded(filled: Services) -> Iterator[Client]:
    settings = msgspec.structs.replace(
        filled.settings, trusted_proxies="127.0.0.1", auth_required=True
    )
    opened = Client(msgspec.structs.replace(filled, settings=settings))
    yield opened
    opened.close()


def test_every_refusal_is_noted_without_who_was_refused(guarded: Client, log: io.StringIO) -> None:
    headers = {"x-forwarded-for": ADDRESS, "x-visitor-code": CODE, "authorization": "Bearer a.b.c"}
    guarded.get(f"/api/videosort/0?uuid={CODE}", headers)
    guarded.get("/api/favorites?site=sg", headers)
    guarded.request("POST", "/api/vendor/exchange", headers, {"code": "eyJa.eyJb.c"})
    guarded.get(f"/media/r/{'G' * 27}/abcdefgh12345678abcd/v1.m3u8", headers)
    noted = events(log)
    assert [(one["event"], one["message"].rpartition(": ")[2]) for one in noted] == [
        ("session-refused", "api"),
        ("session-refused", "/api/favorites"),
        ("code-refused", "/api/vendor/exchange"),
        ("not-allowed", "media"),
    ]
    assert len({one["network"] for one in noted}) == 1
    assert len(noted[0]["network"]) == 8
    assert {one["level"] for one in noted} == {"warning"}
    for secret in (ADDRESS, CODE, "eyJa", "G" * 27, "a.b.c"):
        assert secret not in log.getvalue()


def test_a_limit_is_noted_and_networks_are_told_apart(client: Client, log: io.StringIO) -> None:
    body = {"content": "画面一直停在开头，声音正常"}
    for address in (ADDRESS, "2001:db8::7"):
        client.address = address
        for _ in range(6):
            client.request("POST", "/api/syssuggest", json=body)
    noted = events(log)
    assert [one["event"] for one in noted] == ["limit-reached"] * 2
    assert noted[0]["message"].endswith(": /api/syssuggest")
    assert noted[0]["network"] != noted[1]["network"]
    assert ADDRESS not in log.getvalue()


def test_what_is_answered_well_is_not_noted(client: Client, log: io.StringIO) -> None:
    for path in ("/api/videosort", "/home", "/api/videoplay/999", "/api/rank?type=x"):
        client.get(path)
    assert events(log) == []


def test_a_restore_is_noted_once(tmp_path: Path) -> None:
    layout = StorageLayout(tmp_path)
    about = About(
        form=1,
        engine="sqlite",
        revision="0016",
        has_media=False,
        created_at="2026-12-01T00:00:00Z",
        version="0.1.0",
    )
    layout.moving_in.mkdir()
    (layout.moving_in / "about.json").write_bytes(msgspec.json.encode(about))
    (layout.moving_in / "liuying.db").touch()
    finish_restore(layout, NOW)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".restored-from.json", "liuying.db"]
    assert take_restore_note(layout) == about
    assert take_restore_note(layout) is None
    layout.restored_from.write_text("{")
    assert take_restore_note(layout) is None
