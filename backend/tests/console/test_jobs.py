"""The import queue on the console: seen, tried again, cancelled."""

from __future__ import annotations

import hashlib

import pytest

from liuying.core.jobs.queries.ledger import NewJob, enqueue
from liuying.core.jobs.queries.queue import change_where
from liuying.core.jobs.rules import Fault, State
from liuying.features.operators.rules import Role
from liuying.kit.object_keys import inbox_key
from tests.catalogue_factory import NOW
from tests.console.desk import Desk


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def jobs(desk: Desk) -> list[int]:
    """One that waits and one that failed; an editor is logged in."""
    desk.log_in(Role.EDITOR)
    with desk.services.database.write() as connection:
        numbers = [
            enqueue(connection, NewJob(source=f"/srv/{name}.mp4", wanted={}, priority=10), NOW)[0]
            for name in ("等待", "失败")
        ]
        values = {
            "state": State.FAILED.value,
            "due_at": None,
            "cause": "文件已损坏",
            "ended_at": NOW,
        }
        assert change_where(connection, numbers[1], State.WAITING, values)
    return numbers


def test_the_queue_says_what_waits_and_why_something_failed(desk: Desk, jobs: list[int]) -> None:
    page = desk.rescont("GET", "/api/jobs")
    assert [one["id"] for one in page["data"]] == [jobs[1], jobs[0]]
    assert (page["total"], page["has_more"], page["queue"]["failed"]) == (2, False, 1)
    failed = desk.rescont("GET", "/api/jobs?state=failed")["data"]
    assert [(one["id"], one["cause"]) for one in failed] == [(jobs[1], "文件已损坏")]


def test_a_failed_job_is_tried_again_and_noted(desk: Desk, jobs: list[int]) -> None:
    assert desk.rescont("POST", f"/api/jobs/{jobs[1]}/retry", {})["state"] == "waiting"
    assert desk.rescont("GET", "/api/jobs?state=failed")["data"] == []
    assert desk.rescont("POST", f"/api/jobs/{jobs[0]}/cancel")["state"] == "cancelled"
    refused = desk.request("POST", f"/api/jobs/{jobs[0]}/cancel")
    assert (refused.status_code, "不能取消" in refused.text) == (422, True)
    assert desk.request("POST", "/api/jobs/987/retry", {}).status_code == 404
    desk.log_in()
    actions = [one["action"] for one in desk.rescont("GET", "/api/audit")["data"]]
    assert (actions.count("job.retry"), actions.count("job.cancel")) == (1, 1)


@pytest.mark.parametrize("choice", ["accepts_match", "accepts_damage"])
def test_what_is_held_is_imported_if_the_operator_says_so(
    desk: Desk, jobs: list[int], choice: str
) -> None:
    for is_accepted, wanted in ((False, {}), (True, {choice: True})):
        body = {choice: is_accepted}
        assert desk.rescont("POST", f"/api/jobs/{jobs[1]}/retry", body)["wanted"] == wanted
    desk.log_in()
    noted = desk.rescont("GET", "/api/audit")["data"][1]["after"]
    assert [name for name, is_said in noted.items() if is_said] == [choice]


def stop(desk: Desk, number: int, fault: Fault, content: bytes) -> None:
    """Let a failed job's file be in the inbox."""
    name = hashlib.sha256(content).hexdigest()
    desk.services.objects.put_if_absent(inbox_key(name), content)
    values = {"fault": fault.value, "wanted": {"inbox": {"film.mp4": name}}}
    with desk.services.database.write() as connection:
        assert change_where(connection, number, State.FAILED, values)


def test_what_waits_for_a_decision_is_counted_and_looked_at(desk: Desk, jobs: list[int]) -> None:
    film = bytes(range(256)) * 40
    path = f"/api/jobs/{jobs[1]}/film"
    assert desk.request("GET", path).status_code == 404
    for fault, is_undecided in ((Fault.HELD, True), (Fault.DAMAGED, True), (Fault.REFUSED, False)):
        stop(desk, jobs[1], fault, film)
        queue = desk.rescont("GET", "/api/jobs")["queue"]
        assert (queue["failed"], queue["undecided"]) == (1, is_undecided)
        overview = desk.rescont("GET", "/api/overview")
        assert len(overview["failed_jobs"]) == 1 - is_undecided
        assert desk.request("GET", path).status_code == (200 if is_undecided else 404)
    stop(desk, jobs[1], Fault.HELD, film)
    part = desk.request("GET", path, headers={"range": "bytes=100-299"})
    assert (part.status_code, part.content) == (206, film[100:300])
    assert part.headers["cache-control"] == "private, no-store"
    assert desk.request("GET", path, headers={"range": "bytes=99999-"}).status_code == 416
    desk.log_in(Role.VIEWER)
    assert desk.request("GET", path).status_code == 403


def test_all_failed_jobs_are_tried_again_but_for_what_waits_for_a_decision(
    desk: Desk, jobs: list[int]
) -> None:
    failed = {"state": State.FAILED.value, "due_at": None, "ended_at": NOW}
    with desk.services.database.write() as connection:
        numbers = []
        for name, fault in (("像", Fault.HELD), ("坏", Fault.DAMAGED), ("忙", Fault.BUSY)):
            draft = NewJob(source=f"/srv/{name}.mp4", wanted={}, priority=10)
            numbers.append(enqueue(connection, draft, NOW)[0])
            values = failed | {"fault": fault.value, "failures": 6}
            assert change_where(connection, numbers[-1], State.WAITING, values)
        # One file failed twice, and another one waits again in a job of its own.
        again = NewJob(source="/srv/忙.mp4", wanted={}, priority=10)
        numbers.append(enqueue(connection, again, NOW)[0])
        assert change_where(connection, numbers[-1], State.WAITING, failed | {"failures": 6})
        waits = NewJob(source="/srv/失败.mp4", wanted={}, priority=10)
        numbers.append(enqueue(connection, waits, NOW)[0])
    held, damaged, older, newer, open_one = numbers
    assert desk.rescont("POST", "/api/jobs/retry-failed") == {"retried": 1}
    found = {one["id"]: one for one in desk.rescont("GET", "/api/jobs")["data"]}
    assert {number for number, one in found.items() if one["state"] == "failed"} == {
        jobs[1],
        held,
        damaged,
        older,
    }
    assert (found[newer]["state"], found[newer]["failures"]) == ("waiting", 0)
    assert found[open_one]["state"] == "waiting"
    assert desk.rescont("POST", "/api/jobs/retry-failed") == {"retried": 0}
    desk.log_in()
    actions = [one["action"] for one in desk.rescont("GET", "/api/audit")["data"]]
    assert actions.count("job.retry-failed") == 2
    desk.log_in(Role.VIEWER)
    assert desk.request("POST", "/api/jobs/retry-failed").status_code == 403


@pytest.mark.parametrize("query", ["state=odd", "page=0", "page=x"])
def test_a_wrong_address_is_refused(desk: Desk, query: str) -> None:
    desk.log_in(Role.VIEWER)
    assert desk.request("GET", f"/api/jobs?{query}").status_code == 422


def test_ended_jobs_are_forgotten_but_for_what_waits_for_a_decision(
    desk: Desk, jobs: list[int]
) -> None:
    with desk.services.database.write() as connection:
        held = enqueue(connection, NewJob(source="/srv/像.mp4", wanted={}, priority=10), NOW)[0]
        values = {"state": State.FAILED.value, "due_at": None, "fault": Fault.HELD.value}
        assert change_where(connection, held, State.WAITING, values)
    assert desk.rescont("POST", "/api/jobs/clear", {"state": "failed"}) == {"cleared": 1}
    left = desk.rescont("GET", "/api/jobs")["data"]
    assert {one["id"] for one in left} == {jobs[0], held}
    for state in ("waiting", "running", "", "everything"):
        assert desk.request("POST", "/api/jobs/clear", {"state": state}).status_code == 422
    desk.log_in(Role.VIEWER)
    assert desk.request("POST", "/api/jobs/clear", {"state": "failed"}).status_code == 403
    desk.log_in()
    newest = next(
        one for one in desk.rescont("GET", "/api/audit")["data"] if one["action"] == "job.clear"
    )
    assert newest["after"] == {"state": "failed"}
