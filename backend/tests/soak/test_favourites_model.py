"""Favourites against a plain dictionary: whatever visitors do in whatever order, both say
the same.
"""

from __future__ import annotations

import os
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from liuying.core.visitors.tables import code_change, visitor
from liuying.features.favourites.tables import favourite
from liuying.features.sharing.tables import share
from liuying.installation.services import Services
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.visitor import Visitor

LONG = "SOAK_MODEL" in os.environ
# Examples in each of so many parts, which processes may share.
PARTS, EXAMPLES, STEPS = (4, 500, 50) if LONG else (1, 8, 15)
CODES = ["anna000001", "bert000002", "cleo000003", "dora000004"]
OPEN, SHARED = [101, 102, 103, 104], [300, 301]
VIDEO = st.sampled_from([*OPEN, *SHARED])
CODE = st.sampled_from(CODES)


class Person:
    """The model of one visitor's row."""

    def __init__(self) -> None:
        self.favourites: list[int] = []  # in the order in which they were added
        self.visits: dict[int, int] = {}
        self.changes = 0

    @property
    def holds_data(self) -> bool:
        return bool(self.favourites or self.visits)

    def may_add(self, video_id: int) -> bool:
        return video_id in OPEN or self.visits.get(video_id, 0) >= 2


class Favourites(RuleBasedStateMachine):
    """The state machine on one installation, emptied before every run."""

    services: ClassVar[Services]
    clock: ClassVar[list[int]]

    def __init__(self) -> None:
        super().__init__()
        with self.services.database.write() as connection:
            for table in (favourite, share, code_change, visitor):
                connection.execute(table.delete())
        self.client = Client(self.services)
        self.people: dict[str, Person] = {}
        # Whose data the last step was about; of all others the list alone is compared.
        self.touched: frozenset[str] = frozenset(CODES)

    def person(self, code: str) -> Person:
        return self.people.setdefault(code, Person())

    def call(self, code: str, method: str, path: str, body: object) -> Any:
        self.clock[0] += 1000  # every write has its own second
        self.touched = frozenset([code])
        return Visitor(self.client, code).call(method, path, body)

    @rule(code=CODE, video_id=VIDEO)
    def add(self, code: str, video_id: int) -> None:
        response = self.call(code, "POST", "/api/favorites", {"id": video_id})
        known = self.people.get(code) or Person()
        if not known.may_add(video_id):
            assert response.status_code == 403
            return
        assert response.status_code == 200
        if video_id not in self.person(code).favourites:
            self.person(code).favourites.append(video_id)

    @rule(code=CODE, video_id=VIDEO)
    def remove(self, code: str, video_id: int) -> None:
        assert self.call(code, "DELETE", "/api/favorites", {"id": video_id}).status_code == 200
        if code in self.people and video_id in self.people[code].favourites:
            self.people[code].favourites.remove(video_id)

    @rule(code=CODE, video_id=st.sampled_from(SHARED), visits=st.integers(0, 3))
    def share(self, code: str, video_id: int, visits: int) -> None:
        known = self.person(code).visits
        known[video_id] = max(known.get(video_id, 0), visits)  # a count never falls
        Visitor(self.client, code).share_row(video_id, known[video_id])
        self.touched = frozenset([code])

    @rule(current=CODE, new=CODE)
    def change(self, current: str, new: str) -> None:
        response = self.call(current, "POST", "/api/visitor/code", {"code": new})
        self.touched = frozenset([current, new])
        if current == new:
            assert response.status_code == 422
            return
        mine = self.people.get(current) or Person()
        if mine.changes == 2:
            assert response.status_code == 429
            return
        mine.changes += 1
        assert response.json()["rescont"] == {"left": 2 - mine.changes}
        self.people[current] = mine
        if new not in self.people or not self.people[new].holds_data:
            self.people[new] = self.people.pop(current)

    @invariant()
    def both_say_the_same(self) -> None:
        for code in CODES:
            known = self.people.get(code) or Person()
            caller = Visitor(self.client, code)
            found = caller.favourites()
            assert [one["id"] for one in found] == known.favourites[::-1]
            assert all(bool(one["path"]) == known.may_add(one["id"]) for one in found)
            if code not in self.touched:
                continue
            assert caller.total() == len(known.favourites)
            asked = caller.rescont("POST", "/api/favorites/ids", {"id": [*OPEN, *SHARED]})["ids"]
            assert sorted(asked) == sorted(known.favourites)

    def teardown(self) -> None:
        self.client.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_favourites_follow_the_model(filled: Services, part: int) -> None:
    del part  # chance tells the parts apart
    moving = [NOW]
    services = Services(
        settings=filled.settings,
        database=filled.database,
        secrets=filled.secrets,
        encryptor=filled.encryptor,
        hashes=filled.hashes,
        clock=lambda: moving[0],
        objects=filled.objects,
    )
    Favourites.services, Favourites.clock = services, moving
    run_state_machine_as_test(
        Favourites,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize=not LONG,
            suppress_health_check=list(HealthCheck),
        ),
    )
