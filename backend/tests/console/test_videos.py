"""Videos on the console: found by filter and page, changed one by one and many at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.playback.queries.assets import place_of
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS, to_iso
from liuying.kit.object_keys import MediaPlace
from liuying.workflows import bulk_editing
from liuying.workflows.indexing import check_index
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.protection import move_to_category
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.console.desk import Desk
from tests.workflows.published import row_of


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(filled: Services) -> Iterator[Desk]:
    """An editor in front of a filled installation's console."""
    opened = Desk(filled)
    opened.log_in(Role.EDITOR)
    yield opened
    opened.close()


def every(desk: Desk, query: str = "") -> list[dict[str, Any]]:
    """All rows of a filter, page by page."""
    rows: list[dict[str, Any]] = []
    after: str | None = ""
    total = None
    while after is not None:
        page = desk.rescont("GET", f"/api/videos?{query}&after={after}")
        rows += page["data"]
        after = page["next_after"]
        total = total if page["total"] is None else page["total"]
    assert len(rows) == total
    return rows


def numbers(services: Services, where: sa.ColumnElement[bool]) -> set[int]:
    with services.database.read() as connection:
        return set(connection.execute(sa.select(video.c.id).where(where)).scalars())


def test_every_category_may_be_chosen_the_reserved_ones_too(desk: Desk) -> None:
    offered = desk.rescont("GET", "/api/videos/categories")
    assert offered[-2:] == [{"id": 72, "name": "短视频"}, {"id": 73, "name": "分享解锁"}]
    assert [one["id"] for one in offered[:-2]] == [1, 2, 3]
    changed = desk.rescont("PATCH", "/api/videos/129", {"category": 73})
    assert (changed["video"]["category_name"], changed["is_locked"]) == ("分享解锁", True)
    assert 129 in {row["id"] for row in every(desk, "category=73")}


@pytest.mark.parametrize("sort", ["created", "updated", "views", "duration"])
@pytest.mark.parametrize("ascending", ["true", "false"])
def test_pages_of_an_order_hold_every_video_once(desk: Desk, sort: str, ascending: str) -> None:
    rows = every(desk, f"sort={sort}&ascending={ascending}")
    assert {row["id"] for row in rows} == numbers(desk.services, sa.true())
    assert len({row["id"] for row in rows}) == len(rows)
    name = {"created": "created_at", "updated": "updated_at", "views": "pageviews"}.get(sort, sort)
    values = [row[name] for row in rows]
    assert values == sorted(values, reverse=ascending == "false")


def test_filters_leave_what_they_say(desk: Desk) -> None:
    rows = every(desk)
    chosen = rows[3]
    part = chosen["title"][1:4]
    assert {row["id"] for row in every(desk, f"text={part}")} == {
        row["id"] for row in rows if part.lower() in row["title"].lower()
    }
    assert chosen["id"] in {row["id"] for row in every(desk, f"text={chosen['id']}")}
    category = chosen["category"]
    found = every(desk, f"category={category}")
    assert {row["id"] for row in found} == numbers(desk.services, video.c.category_id == category)
    detail = next(
        one for row in rows if (one := desk.rescont("GET", f"/api/videos/{row['id']}"))["labels"]
    )
    label = detail["labels"][0]
    assert detail["video"]["id"] in {row["id"] for row in every(desk, f"label={label}")}
    for wild in ("%25", "_", "%27"):
        assert every(desk, f"text={wild}") == []


def test_states_part_the_catalogue(desk: Desk) -> None:
    states = ("shown", "hidden", "scheduled", "unfinished", "removed")
    parts = {state: {row["id"] for row in every(desk, f"state={state}")} for state in states}
    for state in states[:1]:
        assert all(row["state"] == state for row in every(desk, f"state={state}"))
    assert set.union(*parts.values()) == numbers(desk.services, sa.true())


@pytest.mark.parametrize(
    "query",
    [
        "sort=nothing",
        "state=x",
        "after=x",
        "category=0",
        "category=a",
        # The decoder would take it for 1000.
        "category=1e3",
        "text=" + "字" * 65,
        "text=%00",
        "label=%00",
        "artist=a%00b",
    ],
)
def test_a_wrong_address_is_refused(desk: Desk, query: str) -> None:
    refused = desk.request("GET", f"/api/videos?{query}")
    assert refused.status_code == 422
    # Under the name that stands in the address.
    named = query.partition("=")[0]
    assert [one["field"] for one in refused.json()["rescont"]] == [named]


def test_a_change_is_what_visitors_see_and_what_the_log_says(desk: Desk, client: Client) -> None:
    shown = next(row for row in every(desk, "state=shown") if row["category"] < 70)
    number = shown["id"]
    body = {"title": "新的标题", "labels": ["海边", "旅行"], "artists": ["山野"]}
    changed = desk.rescont("PATCH", f"/api/videos/{number}", body)
    assert changed["video"]["title"] == "新的标题"
    assert (changed["labels"], changed["artists"]) == (["海边", "旅行"], ["山野"])
    client.application.look_for_changes()
    assert client.rescont(f"/api/videoplay/{number}")["title"] == "新的标题"
    desk.log_in()
    entry = next(
        one for one in desk.rescont("GET", "/api/audit")["data"] if one["action"] == "video.edit"
    )
    assert entry["before"]["title"] == shown["title"]
    assert entry["after"]["title"] == "新的标题"


def test_a_hidden_video_is_nowhere_and_a_scheduled_one_waits(desk: Desk, client: Client) -> None:
    number = next(row["id"] for row in every(desk, "state=shown") if row["category"] < 70)
    for body, state in (
        ({"is_hidden": True}, "hidden"),
        ({"is_hidden": False, "created_at": to_iso(NOW + DAY_MS)}, "scheduled"),
    ):
        said = desk.rescont("PATCH", f"/api/videos/{number}", body)
        assert said["video"]["state"] == state
        client.application.look_for_changes()
        assert client.get(f"/api/videoplay/{number}").status_code == 404
    said = desk.rescont("PATCH", f"/api/videos/{number}", {"created_at": to_iso(NOW - DAY_MS)})
    assert said["video"]["state"] == "shown"


@pytest.mark.parametrize(
    "body",
    [
        {"title": ""},
        {"title": "字" * 201},
        {"title": "\u200b"},
        {"category": 424_242},
        {"category": 424_242, "is_hidden": True},
        {"created_at": "tomorrow"},
        {"labels": ["a"] * 41},
        {"unknown": 1},
    ],
)
def test_a_wrong_change_is_refused_and_changes_nothing(desk: Desk, body: dict[str, Any]) -> None:
    row = every(desk)[0]
    assert desk.request("PATCH", f"/api/videos/{row['id']}", body).status_code == 422
    assert desk.rescont("GET", f"/api/videos/{row['id']}")["video"] == row
    assert desk.request("PATCH", "/api/videos/987654", {"title": "x"}).status_code == 404


def test_many_are_changed_by_numbers_and_by_filter(desk: Desk) -> None:
    ids = [row["id"] for row in every(desk)[:5]]
    body: dict[str, Any] = {"ids": ids, "change": {"add_labels": ["合集"], "is_hidden": True}}
    assert desk.rescont("POST", "/api/videos/many", body) == {"changed": 5}
    assert {row["id"] for row in every(desk, "label=合集")} == set(ids)
    assert {row["id"] for row in every(desk, "state=hidden")} >= set(ids)
    wanted = {"label": "合集"}
    body = {"filter": wanted, "change": {"remove_labels": ["合集"], "is_hidden": False}}
    refused = desk.request("POST", "/api/videos/many", {**body, "expected": 4})
    assert (refused.status_code, "5 个视频" in refused.text) == (422, True)
    assert desk.rescont("POST", "/api/videos/many", {**body, "expected": 5}) == {"changed": 5}
    assert every(desk, "label=合集") == []
    with desk.services.database.read() as connection:
        assert check_index(connection).is_right
    desk.log_in()
    actions = [one["action"] for one in desk.rescont("GET", "/api/audit")["data"]]
    assert actions.count("video.edit-many") == 2


def test_added_labels_stand_behind_those_that_were_there(desk: Desk) -> None:
    row = next(
        row
        for row in every(desk)
        if len(desk.rescont("GET", f"/api/videos/{row['id']}")["labels"]) > 1
    )
    before = desk.rescont("GET", f"/api/videos/{row['id']}")["labels"]
    change = {"add_labels": ["甲", "乙", before[0]]}
    desk.rescont("POST", "/api/videos/many", {"ids": [row["id"]], "change": change})
    after = desk.rescont("GET", f"/api/videos/{row['id']}")["labels"]
    assert after == [*before, "甲", "乙"]


def test_many_move_to_another_category(desk: Desk) -> None:
    rows = [row for row in every(desk) if row["category"] < 70][:3]
    target = next(row["category"] for row in every(desk) if row["category"] not in {72, 73})
    ids = [row["id"] for row in rows]
    for category in (target, 73, target):
        change = {"category": category}
        desk.rescont("POST", "/api/videos/many", {"ids": ids, "change": change})
        assert {desk.rescont("GET", f"/api/videos/{one}")["video"]["category"] for one in ids} == {
            category
        }


def test_a_video_that_somebody_locks_or_opens_meanwhile_keeps_its_lock(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is locked and where its files are stay one."""
    services = desk.services
    number = next(row["id"] for row in every(desk, "state=shown") if row["category"] < 70)
    category = desk.rescont("GET", f"/api/videos/{number}")["video"]["category"]
    move_locked = bulk_editing._move_locked
    for wanted, meanwhile in ((73, category), (category, 73)):
        move_to_category(services, number, wanted)

        def move_and_change(*given: Any, then: int = meanwhile) -> None:
            move_locked(*given)
            move_to_category(services, number, then)

        monkeypatch.setattr(bulk_editing, "_move_locked", move_and_change)
        body = {"ids": [number], "change": {"category": wanted, "add_labels": [f"合集{meanwhile}"]}}
        assert desk.rescont("POST", "/api/videos/many", body) == {"changed": 1}
        found = desk.rescont("GET", f"/api/videos/{number}")
        assert (found["video"]["category"], f"合集{meanwhile}" in found["labels"]) == (
            meanwhile,
            True,
        )
        with services.database.read() as connection:
            place = place_of(connection, row_of(services, number).asset_key)
        assert (place is MediaPlace.PROTECTED) == (meanwhile == 73)


@pytest.mark.data_folder("has to move files that are held; in a bucket none move")
def test_a_video_whose_files_are_in_use_is_busy(desk: Desk) -> None:
    services = desk.services
    number = next(row["id"] for row in every(desk, "state=shown") if row["category"] < 70)
    key = row_of(services, number).asset_key
    before = desk.rescont("GET", f"/api/videos/{number}")
    folders = JobFolders(services.layout.jobs)
    with folders.gate():
        job = folders.begin(key)
    with job:
        body = {"category": 73, "is_hidden": True}
        assert desk.request("PATCH", f"/api/videos/{number}", body).status_code == 409
    assert desk.rescont("GET", f"/api/videos/{number}") == before
    desk.log_in()
    actions = [one["action"] for one in desk.rescont("GET", "/api/audit")["data"]]
    assert "video.edit" not in actions


@pytest.mark.parametrize(
    "body",
    [
        {"ids": [1], "change": {}},
        {"change": {"is_hidden": True}},
        {"ids": [1], "filter": {}, "change": {"is_hidden": True}},
        {"ids": [1], "change": {"category": 424_242}},
        {"ids": [1], "change": {"add_labels": ["\u200b"]}},
        {"ids": [1] * 1001, "change": {"is_hidden": True}},
    ],
)
def test_a_wrong_change_of_many_is_refused(desk: Desk, body: dict[str, Any]) -> None:
    assert desk.request("POST", "/api/videos/many", body).status_code == 422


def newest_action(desk: Desk) -> tuple[str, str]:
    other = Desk(desk.services)
    other.log_in()
    found = [
        (one["action"], one["subject"])
        for one in other.rescont("GET", "/api/audit")["data"]
        if not one["action"].startswith(("session", "link"))
    ]
    other.close()
    return found[0] if found else ("", "")


def test_what_stays_as_it_is_neither_counts_nor_is_noted(desk: Desk) -> None:
    open_ones = [row["id"] for row in every(desk, "state=shown") if row["category"] < 70]
    first, second = open_ones[:2]
    path = "/api/videos/many"
    both: dict[str, Any] = {"ids": [first, second], "change": {"is_hidden": False}}
    assert desk.rescont("POST", path, both) == {"changed": 0}
    title = desk.rescont("GET", f"/api/videos/{first}")["video"]["title"]
    desk.rescont("PATCH", f"/api/videos/{first}", {"title": title})
    assert newest_action(desk) == ("", "")
    one: dict[str, Any] = {"ids": [first], "change": {"is_hidden": True, "add_labels": ["夜"]}}
    assert desk.rescont("POST", path, one) == {"changed": 1}
    assert desk.rescont("POST", path, one) == {"changed": 0}
    assert newest_action(desk) == ("video.edit-many", "1 个视频")
    for change, changed in (
        ({"is_hidden": True}, 1),
        ({"add_labels": ["夜"]}, 1),
        ({"remove_labels": ["夜"]}, 2),
        ({"remove_labels": ["夜"]}, 0),
        ({"add_labels": ["夜"], "remove_labels": ["夜"]}, 0),
        ({"category": 73}, 2),
        ({"category": 73}, 0),
    ):
        body = {"ids": [first, second], "change": change}
        assert desk.rescont("POST", path, body) == {"changed": changed}, change


def test_a_video_of_the_bin_is_purged_by_the_owner(desk: Desk) -> None:
    number = every(desk)[0]["id"]
    path = f"/api/videos/{number}/purge"
    assert desk.request("POST", path).status_code == 403
    desk.log_in()
    assert "不在回收站里" in desk.request("POST", path).json()["msg"]
    desk.rescont("DELETE", f"/api/videos/{number}")
    changed = desk.request("PATCH", f"/api/videos/{number}", {"title": "x"})
    assert changed.json()["msg"] == f"视频 {number} 在回收站里，请先恢复"
    desk.rescont("POST", path)
    assert desk.request("GET", f"/api/videos/{number}").status_code == 404
    assert newest_action(desk) == ("video.purge", f"视频 {number}")


def test_a_deleted_video_is_in_the_bin_and_comes_back(desk: Desk, client: Client) -> None:
    number = next(row["id"] for row in every(desk, "state=shown") if row["category"] < 70)
    desk.rescont("DELETE", f"/api/videos/{number}")
    client.application.look_for_changes()
    assert client.get(f"/api/videoplay/{number}").status_code == 404
    assert number not in {row["id"] for row in every(desk)}
    assert [row["id"] for row in every(desk, "state=removed")] == [number]
    change: dict[str, Any] = {"ids": [number], "change": {"is_hidden": False}}
    assert desk.rescont("POST", "/api/videos/many", change) == {"changed": 0}
    assert desk.request("PATCH", f"/api/videos/{number}", {"title": "x"}).status_code == 422
    assert desk.rescont("POST", f"/api/videos/{number}/restore")["video"]["state"] == "shown"
    client.application.look_for_changes()
    assert client.get(f"/api/videoplay/{number}").status_code == 200
    assert desk.request("POST", f"/api/videos/{number}/restore").status_code == 422


def test_what_is_taken_down_is_gone(desk: Desk) -> None:
    number = every(desk)[0]["id"]
    path, body = f"/api/videos/{number}/takedown", {"reason": "版权投诉"}
    assert desk.request("POST", path, body).status_code == 403
    desk.log_in()
    assert desk.request("POST", path, {"reason": " "}).status_code == 422
    desk.rescont("POST", path, body)
    assert desk.request("GET", f"/api/videos/{number}").status_code == 404
    assert desk.request("POST", path, body).status_code == 404
