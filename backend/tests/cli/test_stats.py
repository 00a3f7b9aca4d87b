"""`liuying stats`: the figures are those of the rows, and the report needs nothing but itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.cli.statistics_page import size, statistics_page
from liuying.core.catalogue.tables import video
from liuying.core.visitors.tables import visitor
from liuying.features.favourites.tables import favourite
from liuying.features.sharing.tables import share, share_visit
from liuying.features.views.tables import play_health, view_hour
from liuying.installation.services import Services
from liuying.kit.clock import day_number, to_iso
from liuying.pages.statistics import Statistics, read_statistics
from liuying.workflows.storage import Stored, measure_storage
from tests.catalogue_factory import DAY, NOW
from tests.workflows.published import publish_file

HOUR = NOW // 3_600_000
TODAY = to_iso(NOW)[:10]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def watched(filled: Services) -> Services:
    """Views in three hours, favourites, shares, failures, and files of two rungs."""
    with filled.database.write() as connection:
        rows = [
            (HOUR, 105, 7),
            (HOUR, 106, 2),
            (HOUR - 1, 105, 1),
            (HOUR - 24 * 3, 107, 5),
            (HOUR - 24 * 40, 105, 900),
        ]
        connection.execute(
            sa.insert(view_hour),
            [{"hour": hour, "video_id": one, "views": views} for hour, one, views in rows],
        )
        connection.execute(
            sa.insert(visitor).values(
                id=1, code_hash="h", row_id="r", alias="aaaaaaaa", created_at=NOW
            )
        )
        favourites = [(105, NOW), (106, NOW), (107, NOW - 2 * DAY), (108, NOW - 50 * DAY)]
        connection.execute(
            sa.insert(favourite),
            [
                {"visitor_id": 1, "site": "sg", "video_id": one, "created_at": moment}
                for one, moment in favourites
            ],
        )
        connection.execute(
            sa.insert(share).values(
                id=1, video_id=300, visitor_id=1, sharer="s", settled=4, created_at=NOW
            )
        )
        connection.execute(sa.insert(share_visit).values(share_id=1, network_hash="n", seen_at=NOW))
        connection.execute(
            sa.insert(share_visit).values(share_id=1, network_hash="m", seen_at=NOW, is_sharer=True)
        )
        health = {"starts": 10, "failures": 5, "stalls": 1}
        today = day_number(NOW)
        for day, one, networks in (
            (today, 105, 3),
            (today - 1, 105, 2),
            (today, 106, 4),
            (today - 9, 107, 99),
        ):
            connection.execute(
                sa.insert(play_health).values(
                    day=day, video_id=one, failed_networks=networks, **health
                )
            )
        connection.execute(sa.update(video).where(video.c.id == 105).values(title="<b>甲&乙</b>"))
    for name, length in (
        ("720/s00001.m4s", 700),
        ("720/init.mp4", 20),
        ("360/s00001.m4s", 300),
        ("v1.m3u8", 11),
    ):
        publish_file(filled, f"/media/asset00000105/{name}", b"x" * length)
    return filled


def read(services: Services, days: int) -> Statistics:
    with services.database.read() as connection:
        return read_statistics(connection, NOW, days)


def test_the_figures_are_those_of_the_rows(watched: Services) -> None:
    found = read(watched, 7)
    assert found.totals.views_in_period == 15
    assert (found.totals.favourites, found.totals.shares, found.totals.share_visits) == (4, 1, 5)
    assert [one.count for one in found.views_by_day] == [0, 0, 0, 5, 0, 0, 10]
    assert found.views_by_day[-1].moment == TODAY
    assert [one.count for one in found.views_by_hour[-3:]] == [0, 1, 9]
    assert [(one.id, one.count) for one in found.top_videos] == [(105, 8), (107, 5), (106, 2)]
    assert sum(one.count for one in found.favourites_by_day) == 3
    assert [(one.id, one.failures, one.share, one.fails_for_many) for one in found.health] == [
        (105, 10, 0.3333, True),
        (106, 5, 0.3333, False),
    ]
    assert len(read(watched, 1).views_by_day) == 1


def test_storage_is_by_rung(watched: Services) -> None:
    with watched.database.read() as connection:
        found = {
            one.kind: one.bytes
            for one in measure_storage(connection, watched.layout, watched.objects)
        }
    assert (found["360P"], found["720P"], found["其他视频文件"]) == (300, 720, 11)


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (2 * 10**11, "200 GB"), (10**16, "10000 TB")],
)
def test_sizes_are_read_at_a_glance(count: int, text: str) -> None:
    assert size(count) == text


def test_the_report_needs_nothing_from_outside(watched: Services) -> None:
    page = statistics_page(read(watched, 30), [Stored("360P", 300), Stored("图片", 0)])
    assert "&lt;b&gt;甲&amp;乙&lt;/b&gt;" in page
    assert "<b>甲" not in page
    assert not re.search(r"(?:src|href)=|url\(|@import|https?:|<script", page)
    assert "prefers-color-scheme:dark" in page
    heights = [float(one) for one in re.findall(r'class="b"[^>]* height="([\d.]+)"', page)]
    # Two days and two hours with views; the busiest of each fills the chart.
    assert (len(heights), heights.count(max(heights))) == (4, 2)
    empty = statistics_page(read(watched, 30).__class__(**fields_without_counts(watched)), [])
    assert empty.count("还没有") == 7


def fields_without_counts(services: Services) -> dict[str, Any]:
    found = msgspec.structs.asdict(read(services, 7))
    return {name: [] if isinstance(value, list) else value for name, value in found.items()}


Run = Callable[..., Result]


@pytest.fixture
def run(watched: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(watched.data_dir))
    if watched.settings.database_url:
        monkeypatch.setenv("LIUYING_DATABASE_URL", watched.settings.database_url)

    def call(*arguments: str | Path) -> Result:
        return CliRunner().invoke(app, ["stats", *map(str, arguments)])

    return call


def test_the_command_prints_writes_and_asks(run: Run, tmp_path: Path) -> None:
    shown = run()
    assert shown.exit_code == 0
    assert "分享带来的访问 5" in shown.stdout
    # By the clock of the machine, which the command reads, the rows may be of another period: JSON
    # has its form alone.
    found = msgspec.json.decode(run("--json", "--days", "2").stdout)
    assert (
        len(found["views_by_day"]),
        {one["kind"] for one in found["storage"]} >= {"360P", "720P"},
    ) == (2, True)
    target = tmp_path / "report.html"
    assert run("--html", target).exit_code == 0
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    refused = run("--html", target)
    assert (refused.exit_code, "已存在，将被替换" in refused.stderr) == (2, True)
    assert run("--html", target, "--yes").exit_code == 0
    assert run("--html", tmp_path / "none" / "x.html").exit_code == 2
    assert run("--days", "31").exit_code == 2
