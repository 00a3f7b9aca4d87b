"""What the doctor says of imports that are not complete."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
import sqlalchemy as sa

from liuying.core.jobs.rules import REST_STEP, Kind, State
from liuying.core.jobs.tables import job
from liuying.core.playback.tables import asset
from liuying.installation.doctor import examine
from liuying.installation.services import Services
from liuying.kit.clock import HOUR_MS
from liuying.workflows.doctor.findings import Finding
from liuying.workflows.job_folders import JobFolders
from tests.catalogue_factory import NOW, fill_catalogue

NAME = "半成.mp4"


@pytest.fixture
def key(services: Services) -> str:
    """Of an asset with its first rendition alone."""
    with services.database.write() as connection:
        fill_catalogue(connection)
        found = connection.execute(sa.select(sa.func.min(asset.c.key))).scalar_one()
        changed = sa.update(asset).where(asset.c.key == found)
        connection.execute(changed.values(state="low", source_name=NAME))
    return str(found)


def found_of(services: Services) -> dict[str, Finding]:
    return {one.topic: one for one in examine(services.settings, lambda: NOW, is_quick=True)}


@contextmanager
def in_a_process_here(services: Services, key: str) -> Iterator[None]:
    folders = JobFolders(services.layout.jobs)
    folders.root.mkdir(parents=True, exist_ok=True)
    with folders.gate():
        folder = folders.begin(key)
    with folder:
        yield


@contextmanager
def on_another_machine(services: Services, key: str) -> Iterator[None]:
    later = time.time_ns() // 1_000_000 + HOUR_MS
    with services.database.write() as connection:
        held = sa.update(asset).where(asset.c.key == key)
        connection.execute(held.values(held_by="another", held_until=later))
    yield


@contextmanager
def in_the_queue(services: Services, _: str) -> Iterator[None]:
    values = {
        "kind": Kind.IMPORT.value,
        "source": f"/films/{NAME}",
        "wanted": {},
        "state": State.WAITING.value,
        "priority": REST_STEP,
        "due_at": NOW,
        "created_at": NOW,
    }
    with services.database.write() as connection:
        connection.execute(sa.insert(job).values(values))
    yield


@pytest.mark.parametrize("going_on", [in_a_process_here, on_another_machine, in_the_queue])
def test_an_import_that_goes_on_is_no_fault(
    services: Services,
    key: str,
    going_on: Callable[[Services, str], AbstractContextManager[None]],
) -> None:
    assert found_of(services)["import-partial"].severity == "warning"
    with going_on(services, key):
        found = found_of(services)
    assert "import-partial" not in found
    assert found["import-goes-on"].severity == "info"
    assert found["import-goes-on"].sentence == f"1 个视频的其余清晰度还在做：{NAME}"


def test_one_that_nobody_works_on_is_a_fault(services: Services, key: str) -> None:
    folders = JobFolders(services.layout.jobs)
    (folders.root / key).mkdir(parents=True)  # Of a process that was killed.
    found = found_of(services)
    assert found["import-partial"].sentence == f"1 个视频只有首个清晰度：{NAME}"
    assert "import-goes-on" not in found
