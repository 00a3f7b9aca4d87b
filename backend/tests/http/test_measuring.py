"""Metrics: what happened is what is counted, on a listener of their own."""

from __future__ import annotations

import http.client
import re
import socket
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest
import sqlalchemy as sa

from liuying.cli import serving
from liuying.cli.serving import serve
from liuying.core.playback.tables import asset
from liuying.features.views.tables import play_health
from liuying.http.measuring import route_class
from liuying.http.metrics_listener import metrics_served
from liuying.kit.clock import day_number
from liuying.kit.listening import ListenError
from tests.catalogue_factory import NOW
from tests.conftest import Client

LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? -?\d+(\.\d+)?(e[-+]\d+)?')


def samples(client: Client) -> dict[str, float]:
    lines = client.application.metrics.text().splitlines()
    kept = [line for line in lines if not line.startswith("# ")]
    assert all(LINE.fullmatch(line) for line in kept), [
        line for line in kept if not LINE.fullmatch(line)
    ]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in kept}


def test_requests_are_counted_by_class_and_status(client: Client) -> None:
    for path in (
        "/api/videosort",
        "/api/videosort",
        "/api/none",
        "/media/none",
        "/healthz",
        "/api/rank?page=0",
    ):
        client.get(path)
    found = samples(client)
    assert found['liuying_requests_total{route="api",status="200"}'] == 2
    assert found['liuying_requests_total{route="api",status="404"}'] == 1
    assert found['liuying_requests_total{route="api",status="422"}'] == 1
    assert found['liuying_requests_total{route="media",status="404"}'] == 1
    assert found['liuying_requests_total{route="health",status="200"}'] == 1
    assert found['liuying_request_seconds_count{route="api"}'] == 4
    assert found['liuying_cached_responses_total{result="hit"}'] == 1
    assert found['liuying_cached_responses_total{result="miss"}'] == 3
    assert found["liuying_cached_responses_bytes"] > 1000
    assert found["process_resident_memory_bytes"] > 10_000_000


def test_writes_and_imports_are_counted(client: Client) -> None:
    before = samples(client)["liuying_database_write_wait_seconds_count"]
    with client.services.database.write() as connection:
        connection.execute(
            sa.update(asset).where(asset.c.key == "asset00000105").values(state="failed")
        )
        connection.execute(
            sa.insert(play_health).values(
                day=day_number(NOW), video_id=106, failures=9, failed_networks=9
            )
        )
    found = samples(client)
    assert found["liuying_database_write_wait_seconds_count"] == before + 1
    assert found['liuying_imports{outcome="failed"}'] == 1
    assert found['liuying_imports{outcome="complete"}'] == 39
    assert (found["liuying_videos_failing"], found["liuying_database_up"]) == (1, 1)
    with client.services.database.write() as connection:
        connection.execute(sa.text("DROP TABLE play_health"))
    assert samples(client)["liuying_database_up"] == 0


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "pages"),
        ("/playVideo", "pages"),
        ("/api", "api"),
        ("/api/x/y", "api"),
        ("/apix", "pages"),
        ("/media/r/x", "media"),
        ("/enc/a.bin", "pictures"),
        ("/assets/a.js", "assets"),
        ("/readyz", "health"),
        ("//api/x", "pages"),
    ],
)
def test_there_are_few_classes(path: str, name: str) -> None:
    assert route_class(path) == name


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    with metrics_served("127.0.0.1", 0, lambda: "up 1\n") as port:
        yield "127.0.0.1", port


def test_the_listener_answers_its_one_path(address: tuple[str, int]) -> None:
    for method, path, status in (
        ("GET", "/metrics", 200),
        ("GET", "/", 404),
        ("POST", "/metrics", 501),
    ):
        with closing(http.client.HTTPConnection(*address, timeout=20)) as connection:
            connection.request(method, path)
            answer = connection.getresponse()
            assert answer.status == status
            if status == 200:
                assert (
                    answer.getheader("content-type") == "text/plain; version=0.0.4; charset=utf-8"
                )
                assert answer.read() == b"up 1\n"


def test_the_site_does_not_show_them(client: Client) -> None:
    assert "liuying_requests_total" not in client.get("/metrics").text


def test_a_taken_port_is_one_clear_error(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "write_json_logs", lambda: None)
    monkeypatch.setattr(serving, "_raise_descriptor_limit", lambda: 1000)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for values in ({"port": port}, {"port": 0, "metrics_port": port}):
            settings = msgspec.structs.replace(client.services.settings, **values)
            with pytest.raises(ListenError, match=f"无法监听 127.0.0.1:{port}："):
                serve(msgspec.structs.replace(client.services, settings=settings), with_demo=False)


def test_a_process_says_how_it_stands_among_others(client: Client) -> None:
    runner = client.application._runner
    # Of those that share PostgreSQL, the one that has asked first.
    assert samples(client)["liuying_runner"] == client.services.database.is_sqlite
    assert runner.is_ours()
    found = samples(client)
    runner.close()
    assert found["liuying_runner"] == 1
    assert 0 <= found["liuying_changes_unread_seconds"] < 60
    assert found['liuying_store_failures_total{reason="away"}'] == 0
