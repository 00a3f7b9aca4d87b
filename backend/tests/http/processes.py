"""What a worker left: processes, files, rows."""

from __future__ import annotations

import os
import select
import subprocess
from contextlib import suppress
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.jobs.rules import State
from liuying.core.jobs.service import JobView, list_jobs
from liuying.core.jobs.tables import job
from liuying.core.playback.tables import asset, rendition
from liuying.installation.services import Services
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import read_object
from liuying.kit.storage_layout import GATE_NAME
from tests.workflows.published import digests_of, visible_files

# Only a test that fails waits so long.
PATIENCE_MS = 60_000


class Running(msgspec.Struct, frozen=True):
    """A process of an installation: its command line, and a descriptor that tells of its end."""

    pid: int
    command: str
    descriptor: int


def running(services: Services) -> list[Running]:
    """The processes that import into an installation, transcoders among them. They keep descriptors
    open.
    """
    mark = f"LIUYING_DATA_DIR={services.data_dir}\0".encode()
    work = f"HOME={services.data_dir}/jobs/".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with suppress(OSError):
            environment = (entry / "environ").read_bytes()
            if mark in environment or work in environment:
                command = (
                    (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
                found.append(Running(int(entry.name), command, os.pidfd_open(int(entry.name))))
    return found


def wait_for_end(processes: list[Running]) -> None:
    """Wait until all are gone; fails where one stays."""
    left = {one.descriptor: one for one in processes}
    poll = select.poll()
    for descriptor in left:
        poll.register(descriptor, select.POLLIN)
    while left:
        ended = poll.poll(PATIENCE_MS)
        assert ended, f"still there: {[one.command for one in left.values()]}"
        for descriptor, _ in ended:
            poll.unregister(descriptor)
            os.close(descriptor)
            del left[descriptor]


def passed(process: subprocess.Popen[str], seconds: float) -> bool:
    """Let a process go on for so long; False where it ended meanwhile."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def queue_of(services: Services) -> list[JobView]:
    """All jobs, the oldest first."""
    with services.database.read() as connection:
        return list_jobs(connection, 0, None, 1000)[0][::-1]


def let_time_pass(services: Services) -> None:
    """As if every lease had run out and every wait were over."""
    with services.database.write() as connection:
        connection.execute(sa.update(job).where(job.c.due_at.is_not(None)).values(due_at=0))


def published(services: Services) -> dict[str, dict[str, str]]:
    """Of every source file that is in the catalogue: the published files by name, with their
    content's hash.
    """
    statement = sa.select(asset.c.source_name, asset.c.key).join(
        video, video.c.asset_key == asset.c.key
    )
    with services.database.read() as connection:
        keys = {row.source_name: row.key for row in connection.execute(statement)}
    return {name: digests_of(services, key) for name, key in keys.items()}


def assert_nothing_half_visible(services: Services) -> None:
    """Whatever a row leads to is there."""
    objects = services.objects
    with services.database.read() as connection:
        paths = list(
            connection.execute(sa.select(video.c.playlist).where(video.c.is_listed)).scalars()
        )
        paths += connection.execute(sa.select(rendition.c.path)).scalars()
    for path in paths:
        key = objects.media.key(path, MediaPlace.OPEN)
        text = read_object(objects, key).decode()
        assert text.startswith("#EXTM3U")
        named = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert named
        folder = key.rpartition("/")[0]
        assert {f"{folder}/{name}" for name in named} <= {
            one.key for one in objects.objects(f"{folder}/")
        }


def working_on(services: Services) -> set[str]:
    """What lies in the folder of imports, among what they fetched and what helpers have, other than
    its locks.
    """
    layout = services.layout
    inner = {layout.inbox, layout.helping}
    found = set(layout.jobs.iterdir()) - inner
    for folder in inner:
        if folder.is_dir():
            found |= set(folder.iterdir())
    return {str(path.relative_to(layout.jobs)) for path in found if path.name != GATE_NAME}


def assert_nothing_left(services: Services) -> None:
    """No work in progress, no draft, no folder that no video shows, no row of an asset that came to
    nothing.
    """
    assert working_on(services) == set()
    with services.database.read() as connection:
        shown = set(connection.execute(sa.select(video.c.asset_key)).scalars())
        assert set(connection.execute(sa.select(asset.c.key)).scalars()) == shown
    objects = services.objects
    assert objects.children(f"{objects.media.area(MediaPlace.OPEN)}/") == shown
    assert not [name for name in visible_files(services) if name.endswith(".draft")]


def states(services: Services) -> list[State]:
    """Where the jobs stand, the oldest first."""
    return [one.state for one in queue_of(services)]
