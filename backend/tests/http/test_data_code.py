"""Changing the data code (specification §6): what belongs to a visitor is never lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from liuying.core.visitors.service import ensure_visitor
from liuying.core.visitors.tables import code_change, visitor
from liuying.features.favourites.queries import insert_favourite
from liuying.installation.services import Services
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.single_runner import SingleRunner
from liuying.kit.visitor_code import parse_code
from liuying.workflows.code_change import change_code
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.visitor import Visitor

HOUR = 3_600_000


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def anna(client: Client) -> Visitor:
    return Visitor(client, "annaanna0001")


def test_favourites_and_unlocks_come_along(client: Client, anna: Visitor) -> None:
    anna.add(105)
    anna.share_row(300, 2)
    anna.add(300)
    alias = anna.favourites()[0]["uuid"]
    response = anna.change("annanew0001")
    assert response.json() == {
        "code": 200,
        "msg": "资料识别码已变更，请牢记保存！今日剩馀变更次数：1",
        "rescont": {"left": 1},
    }
    assert sorted(anna.ids()) == [105, 300]
    assert anna.favourites()[0]["uuid"] == alias
    assert anna.rescont("GET", "/api/share/unlocked")["ids"] == [300]
    assert Visitor(client, "annaanna0001").ids() == []


def test_it_does_not_wait_for_the_process_that_does_what_one_does(
    client: Client, anna: Visitor
) -> None:
    runner = SingleRunner(client.services.database)
    assert runner.is_ours()
    try:
        assert anna.change("beside0001").status_code == 200
    finally:
        runner.close()


def test_two_changes_a_day(client: Client, anna: Visitor) -> None:
    anna.add(105)
    assert anna.change("second").json()["rescont"] == {"left": 1}
    assert anna.change("third0").json()["msg"].endswith("今日剩馀变更次数：0")
    refused = anna.change("fourth")
    assert (refused.status_code, refused.json()["msg"]) == (429, "24小时内只能更改2次，请稍后再试!")
    assert refused.headers["retry-after"] == str(24 * 3600)
    assert anna.ids() == [105]
    with client.services.database.write() as connection:  # the first was 23 hours ago
        first = sa.select(sa.func.min(code_change.c.id)).scalar_subquery()
        connection.execute(
            sa.update(code_change)
            .where(code_change.c.id == first)
            .values(changed_at=NOW - 23 * HOUR)
        )
    assert anna.change("fourth").headers["retry-after"] == str(3600)
    with client.services.database.write() as connection:
        connection.execute(sa.update(code_change).values(changed_at=NOW - 24 * HOUR))
    assert anna.change("fourth").json()["rescont"] == {"left": 1}


def test_a_change_that_had_no_answer_may_be_repeated(client: Client, anna: Visitor) -> None:
    """It leads to the same code (docs/decisions/0022-many-processes.md)."""
    anna.add(105)
    again = Visitor(client, anna.code)
    for visitor_ in (anna, again):
        assert visitor_.change("annanew0001").status_code == 200
        assert Visitor(client, "annanew0001").ids() == [105]


def test_the_same_code_is_no_change(anna: Visitor) -> None:
    response = anna.change(anna.code)
    assert (response.status_code, response.json()["msg"]) == (422, "资料识别码未变更")


def test_wrong_forms(anna: Visitor) -> None:
    for code in ("", "short", "Abcdef", "abcdefghijklm", "abc de", "abcdeｆ"):
        response = anna.change(code)
        assert (response.status_code, response.json()["msg"]) == (422, "请输入正确的资料识别码")


def test_a_code_in_use_is_gone_over_to(client: Client, anna: Visitor) -> None:
    anna.add(105)
    Visitor(client, "tablet0001").add(106)
    answer = anna.change("tablet0001").json()
    assert answer["rescont"] == {"left": 1}
    assert answer["msg"] == "资料识别码已变更，请牢记保存！今日剩馀变更次数：1"
    assert anna.ids() == [106]  # nothing is merged …
    assert Visitor(client, "annaanna0001").ids() == [105]  # … and nothing lost


def test_a_share_holds_a_code_too(client: Client, anna: Visitor) -> None:
    anna.add(105)
    tablet = Visitor(client, "tablet0001")
    tablet.share_row(300, 2)
    anna.change("tablet0001")
    assert anna.ids() == []
    assert anna.add(300)["id"] == 300


def test_an_empty_row_of_the_new_code_gives_way(client: Client, anna: Visitor) -> None:
    anna.add(105)
    tablet = Visitor(client, "tablet0001")
    tablet.add(106)
    tablet.remove(106)
    anna.change("tablet0001")
    assert anna.ids() == [105]
    with client.services.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(visitor)).scalar() == 1


def change(services: Services, current: str, new: str) -> int:
    """One change, tried once; -1 where both changes were used up."""
    with services.database.write() as connection:
        try:
            return change_code(
                connection, services.hashes, parse_code(current), parse_code(new), NOW
            )
        except TooManyRequestsError:
            return -1


def add(services: Services, code: str, video_id: int) -> None:
    with services.database.write() as connection:
        insert_favourite(
            connection,
            ensure_visitor(connection, services.hashes, parse_code(code), NOW),
            "sg",
            video_id,
            NOW,
        )


def test_many_changes_at_once_to_one_code(client: Client, filled: Services) -> None:
    """Whoever comes first is renamed, the others go over to that data; every favourite is still
    somewhere.
    """
    for number in range(8):
        add(filled, f"person{number}", 100 + number)
    with ThreadPoolExecutor(8) as pool:
        left = list(pool.map(lambda number: change(filled, f"person{number}", "wanted"), range(8)))
    assert left == [1] * 8
    kept = [
        Visitor(client, code).ids()
        for code in ["wanted", *(f"person{number}" for number in range(8))]
    ]
    assert sorted(one for ids in kept for one in ids) == [*range(100, 108)]
    assert len(kept[0]) == 1


def test_a_change_and_a_first_favourite_at_once(client: Client, filled: Services) -> None:
    """The new code's first favourite arrives during the change: neither is lost."""
    for number in range(12):
        old, new = f"oldone{number:02}", f"newone{number:02}"
        add(filled, old, 105)
        with ThreadPoolExecutor(2) as pool:
            changed, added = (
                pool.submit(change, filled, old, new),
                pool.submit(add, filled, new, 106),
            )
            changed.result()
            added.result()
        kept = Visitor(client, old).ids() + Visitor(client, new).ids()
        assert sorted(kept) == [105, 106]


def test_crossing_changes_at_once(filled: Services) -> None:
    for number in range(6):
        one, other = f"crossa{number}", f"crossb{number}"
        with ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda pair: change(filled, *pair), [(one, other), (other, one)])
            assert all(left >= 0 for left in results)


def test_changes_at_once_are_counted_one_by_one(filled: Services) -> None:
    add(filled, "oftenoften", 105)
    add(filled, "busyone", 106)
    with ThreadPoolExecutor(8) as pool:  # the code stays its own: the other one is in use
        left = list(pool.map(lambda _: change(filled, "oftenoften", "busyone"), range(8)))
    assert sorted(left) == [-1] * 6 + [0, 1]
