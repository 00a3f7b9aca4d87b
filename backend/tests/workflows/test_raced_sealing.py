"""Two servers that settle the same gates at the same time, while the operator goes on changing
them: nothing of a gated video is open in between, and in the end each is as it should be.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.age_gate import AgeGate, set_gate
from liuying.core.catalogue.queries.gating import count_unsettled
from liuying.core.catalogue.tables import video
from liuying.installation.services import Services
from liuying.workflows.editing import edit_video
from liuying.workflows.sealing import settle_gates
from liuying.workflows.video_meta import GivenMeta
from tests.workflows.test_sealing import (
    LOCKED,
    OPEN_STATE,
    SEALED_STATE,
    VIDEOS,
    opens,
    png,
    site,
    state,
)

__all__ = ["site"]
# Settles at each line that it is told, and says how many it settled.
SETTLER = """
import os, sys
from liuying.installation.services import open_services
from liuying.installation.environment import read_settings
from liuying.workflows.sealing import settle_gates

services = open_services(read_settings(os.environ))
print("ready", flush=True)
for line in sys.stdin:
    print(settle_gates(services), flush=True)
"""
ROUNDS = 6


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Settler:
    """A process that settles gates when it is told to."""

    def __init__(self, services: Services) -> None:
        environment = {**os.environ, "LIUYING_DATA_DIR": str(services.data_dir)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", SETTLER],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.answer() == "ready"

    def begin(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=60) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def settlers(site: Services) -> Iterator[list[Settler]]:
    with ExitStack() as stack:
        both = [Settler(site) for _ in range(2)]
        for one in both:
            stack.callback(one.close)
        yield both


def cover_site(services: Services, *, is_covered: bool) -> None:
    with services.database.write() as connection:
        set_gate(connection, AgeGate(covers_site=is_covered))


def raced(settlers: list[Settler]) -> int:
    """How many videos both settled, begun at the same time."""
    for one in settlers:
        one.begin()
    return sum(int(one.answer()) for one in settlers)


def test_two_processes_settle_the_same(site: Services, settlers: list[Settler]) -> None:
    before = {number: opens(site, number) for number in VIDEOS}
    for turn in range(ROUNDS):
        is_covered = turn % 2 == 0
        cover_site(site, is_covered=is_covered)
        # None is settled twice; one that both held at the same time waits for the next turn.
        assert raced(settlers) + settle_gates(site) == len(VIDEOS)
        for number in VIDEOS:
            expected = SEALED_STATE if is_covered else OPEN_STATE
            if number == LOCKED and not is_covered:
                expected = ("1", True, {"protected"})
            assert (number, state(site, number)) == (number, expected)
            assert opens(site, number) == before[number]


def test_the_operator_goes_on_meanwhile(site: Services, settlers: list[Settler]) -> None:
    for turn in range(ROUNDS):
        cover_site(site, is_covered=turn % 2 == 0)
        for one in settlers:
            one.begin()
        edit_video(site, 101, GivenMeta(), png(turn + 10))
        cover_site(site, is_covered=turn % 2 == 1)
        assert all(one.answer().isdigit() for one in settlers)
        for number in VIDEOS:
            key, is_protected, places = state(site, number)
            # Files are where the row says: nobody reads what is withheld.
            assert places == {"protected" if is_protected else "public"}, (turn, number, key)
    cover_site(site, is_covered=True)
    raced(settlers)
    settle_gates(site)
    for number in VIDEOS:
        assert state(site, number) == SEALED_STATE
        assert opens(site, number)
    with site.database.read() as connection:
        assert count_unsettled(connection) == 0
        assert connection.execute(sa.select(sa.func.count()).select_from(video)).scalar_one() == 5
