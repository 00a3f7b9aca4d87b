"""A video that fails for many: when that is so, what the operator sees, and that the webhook hears
of it once.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from liuying.cli.app import app
from liuying.core.catalogue.tables import video
from liuying.features.site.service import set_texts
from liuying.features.views.queries import confirm_alarms
from liuying.features.views.rules import fails_for_many
from liuying.features.views.service import ALARM_CLAIM_MS, forget_old, list_failing, take_alarm
from liuying.features.views.tables import failure_mark, play_health
from liuying.http.failure_alarms import FailureAlarms
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS, system_clock
from liuying.kit.webhook import Webhook
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.receiver import Receiver, receiving

SECRET = "a secret of the operator"  # noqa: S105 - the tests' own


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened


@pytest.mark.parametrize(
    ("starts", "failures", "networks", "expected"),
    [
        (0, 5, 5, True),
        (20, 5, 5, True),
        (21, 5, 5, False),
        (0, 500, 4, False),
        (0, 0, 0, False),
        (1000, 100, 100, False),
    ],
)
def test_the_rule(starts: int, failures: int, networks: int, expected: bool) -> None:
    assert fails_for_many(starts, failures, networks) is expected


def report(client: Client, networks: range, video_id: int = 105, event: str = "error") -> None:
    for number in networks:
        client.address = f"198.51.100.{number}"
        answer = client.request("POST", "/api/play/event", json={"id": video_id, "event": event})
        assert answer.status_code == 200


def failing(services: Services, now: int = NOW) -> list[int]:
    with services.database.read() as connection:
        return [one.video_id for one in list_failing(connection, now)]


def test_one_network_flags_nothing_however_often_it_fails(client: Client) -> None:
    for _ in range(20):
        report(client, range(1, 2))
    report(client, range(1, 5))
    assert failing(client.services) == []
    report(client, range(5, 6))
    assert failing(client.services) == [105]
    with client.services.database.read() as connection:
        row = connection.execute(
            sa.select(play_health.c.failures, play_health.c.failed_networks)
        ).one()
    assert tuple(row) == (5, 5)
    report(client, range(1, 101), event="start")
    report(client, range(1, 101), event="start")
    assert failing(client.services) == []


def test_yesterday_counts_and_the_day_before_does_not(client: Client) -> None:
    report(client, range(1, 6))
    assert failing(client.services, NOW + DAY_MS) == [105]
    assert failing(client.services, NOW + 2 * DAY_MS) == []
    with client.services.database.write() as connection:
        forget_old(connection, NOW + DAY_MS)
        assert (
            connection.execute(sa.select(sa.func.count()).select_from(failure_mark)).scalar() == 5
        )
        forget_old(connection, NOW + 2 * DAY_MS)
        assert (
            connection.execute(sa.select(sa.func.count()).select_from(failure_mark)).scalar() == 0
        )


def test_nothing_of_an_address_is_kept(client: Client) -> None:
    report(client, range(1, 2))
    with client.services.database.read() as connection:
        marks = list(connection.execute(sa.select(failure_mark.c.mark)).scalars())
    assert [len(mark) for mark in marks] == [64]
    assert "198.51.100" not in marks[0]


def test_the_webhook_hears_of_a_video_once_a_day(client: Client, receiver: Receiver) -> None:
    moment = NOW
    services = client.services
    alarms = FailureAlarms(services.database, lambda: moment, Webhook(receiver.url, SECRET))
    with services.database.write() as connection:
        set_texts(connection, {"name": "光影"})
    alarms.look()
    report(client, range(1, 6))
    alarms.look()
    alarms.look()
    FailureAlarms(services.database, lambda: NOW, Webhook(receiver.url, SECRET)).look()
    (told,) = receiver.told
    message = msgspec.json.decode(told.body)
    assert (message["event"], [one["id"] for one in message["videos"]]) == ("play.failing", [105])
    assert message["text"].startswith("光影：")
    assert "视频 105（编号 105）" in message["text"]
    assert {"failures", "failed_networks", "share", "starts", "stalls"} <= set(message["videos"][0])
    report(client, range(1, 6), video_id=106)
    alarms.look()
    assert [one["id"] for one in msgspec.json.decode(receiver.told[1].body)["videos"]] == [106]
    moment = NOW + DAY_MS
    alarms.look()
    assert {one["id"] for one in msgspec.json.decode(receiver.told[2].body)["videos"]} == {105, 106}
    assert len(receiver.told) == 3


def test_what_could_not_be_told_is_told_later(
    client: Client, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    alarms = FailureAlarms(client.services.database, lambda: NOW, Webhook(receiver.url, SECRET))
    report(client, range(1, 6))
    receiver.status = 500
    alarms.look()
    receiver.status = 200
    alarms.look()
    alarms.look()
    assert len(receiver.told) == 2
    assert "the webhook was not told of 1 videos: 对方回答 500" in caplog.text
    assert receiver.url not in caplog.text


def test_two_processes_share_one_claim(filled: Services) -> None:
    """A claim that nobody confirms lapses: whoever had it ended before he told."""

    def claims(*moments: int) -> list[bool]:
        with filled.database.write() as connection:
            return [take_alarm(connection, 105, NOW + moment) for moment in moments]

    assert claims(0, 1, ALARM_CLAIM_MS - 1) == [True, False, False]
    assert claims(ALARM_CLAIM_MS, ALARM_CLAIM_MS + 1) == [True, False]
    with filled.database.write() as connection:
        confirm_alarms(connection, [105], NOW)
    assert claims(ALARM_CLAIM_MS, DAY_MS - 1, DAY_MS) == [False, False, True]


def test_the_operator_sees_it(
    filled: Services, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(filled.data_dir))
    if filled.settings.database_url:
        monkeypatch.setenv("LIUYING_DATABASE_URL", filled.settings.database_url)

    def call(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, list(arguments))
        return result.exit_code, result.output

    assert call("video", "health")[0] == 0
    with filled.database.write() as connection:
        values = {"starts": 10, "start_ms": 5000, "failures": 9, "failed_networks": 7}
        day = system_clock() // DAY_MS
        connection.execute(sa.insert(play_health).values(day=day, video_id=105, **values))
        connection.execute(sa.update(video).where(video.c.id == 105).values(is_hidden=True))
    code, output = call("video", "health", "--json")
    assert code == 1
    (row,) = msgspec.json.decode(output)
    assert (row["id"], row["mean_wait_ms"], row["share"], row["fails_for_many"]) == (
        105,
        500,
        0.4737,
        True,
    )
    assert call("webhook", "test") == (2, "没有设置 LIUYING_WEBHOOK_URL\n")
    monkeypatch.setenv("LIUYING_WEBHOOK_URL", receiver.url)
    assert call("webhook", "test")[0] == 2
    monkeypatch.setenv("LIUYING_WEBHOOK_SECRET", SECRET)
    assert call("webhook", "test") == (0, "已送达\n")
    assert msgspec.json.decode(receiver.told[0].body)["event"] == "test"
    receiver.status = 403
    assert call("webhook", "test") == (1, "对方回答 403\n")
