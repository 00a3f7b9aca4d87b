"""Every command that writes leaves an entry in the audit log; one that reads or is refused leaves
none.
"""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.features.audit.tables import console_audit
from liuying.features.reports.schemas import NewReport
from liuying.features.reports.service import store
from liuying.installation.services import Services
from liuying.kit.caller import Caller
from liuying.kit.client_network import ClientNetwork
from tests.catalogue_factory import NOW
from tests.workflows.test_pictures import picture

USER = pwd.getpwuid(os.getuid()).pw_name


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(services: Services, *arguments: str | Path) -> Result:
    environment = {
        "LIUYING_DATA_DIR": str(services.data_dir),
        "LIUYING_DATABASE_URL": services.settings.database_url,
        "LIUYING_CONSOLE_PORT": "9100",
    }
    return CliRunner().invoke(app, [str(one) for one in arguments], env=environment)


def noted(services: Services) -> list[tuple[str, str, Any]]:
    with services.database.read() as connection:
        rows = connection.execute(sa.select(console_audit).order_by(console_audit.c.id)).all()
    for row in rows:
        assert (row.name, row.role, row.session_id) == (f"命令行 {USER}"[:24], "owner", None)
    return [(row.action, row.subject, row.after) for row in rows]


WRITING: list[tuple[list[str], tuple[str, str, Any]]] = [
    (["video", "hide", "100", "101"], ("video.hide", "视频 100、101", None)),
    (["video", "unhide", "100"], ("video.unhide", "视频 100", None)),
    (["video", "remove", "100"], ("video.remove", "视频 100", None)),
    (["video", "purge", "100", "--yes"], ("video.purge", "视频 100", None)),
    (
        ["video", "takedown", "100", "--reason", "版权投诉", "--yes"],
        ("video.takedown", "视频 100", {"reason": "版权投诉"}),
    ),
    (
        ["video", "edit", "100", "--title", "海边", "--label", "海", "--label", "边"],
        ("video.edit", "视频 100", {"title": "海边", "label": "海、边"}),
    ),
    (["report", "work", "1"], ("report.work", "举报 1", None)),
    (
        ["report", "dismiss", "1", "--note", "已核实"],
        ("report.dismiss", "举报 1", {"note": "已核实"}),
    ),
    (["report", "remove", "1"], ("report.remove", "举报 1", None)),
    (["category", "add", "烹饪"], ("category.add", "烹饪", None)),
    (
        ["site", "set", "--name", "新名"],
        ("site.set", "liuying site set", {"name": "新名"}),
    ),
    (["hot", "block", "坏词"], ("hot.block", "坏词", None)),
    (
        ["console", "--name", "小王", "--role", "editor"],
        ("link.create", "小王", {"role": "editor"}),
    ),
]


@pytest.mark.parametrize(("typed", "entry"), WRITING, ids=[" ".join(one[0]) for one in WRITING])
def test_a_command_that_writes(
    filled: Services, typed: list[str], entry: tuple[str, str, Any]
) -> None:
    with filled.database.write() as connection:
        caller = Caller(None, ClientNetwork("203.0.113.7"))
        store(connection, filled.hashes, NewReport(105, "侵犯版权"), caller, NOW)
    result = run(filled, *typed)
    assert result.exit_code == 0, result.output
    assert noted(filled) == [entry]


READING = [
    ["video", "list"],
    ["video", "show", "100"],
    ["video", "bin"],
    ["report", "list"],
    ["feedback", "list"],
    ["category", "list"],
    ["jobs", "list"],
    ["stats"],
    ["console", "sessions"],
    ["doctor", "--quick"],
    ["site", "show"],
    ["ad", "list"],
]


def test_commands_that_read(filled: Services) -> None:
    for typed in READING:
        result = run(filled, *typed)
        assert result.exception is None or isinstance(result.exception, SystemExit), typed
    assert noted(filled) == []


@pytest.mark.parametrize(
    "typed",
    [
        ["video", "remove", "9999"],
        ["video", "restore", "100"],
        ["report", "dismiss", "7"],
        ["console", "end", "7"],
        ["category", "add", "旅行"],
    ],
)
def test_a_refused_command(filled: Services, typed: list[str]) -> None:
    assert run(filled, *typed).exit_code == 1
    assert noted(filled) == []


def test_a_name_that_is_no_text(filled: Services, tmp_path: Path) -> None:
    file = Path(os.fsdecode(bytes(tmp_path) + b"/\xff.png"))
    file.write_bytes(picture("teal"))
    assert run(filled, "video", "edit", "100", "--cover", file).exit_code == 0
    assert noted(filled) == [("video.edit", "视频 100", {"cover": "?.png"})]
