"""Uploads to a console of its own process, whose connections break and which is killed."""

from __future__ import annotations

import hashlib
import random
from contextlib import suppress

import sqlalchemy as sa

from liuying.core.jobs.tables import job
from liuying.installation.services import Services
from liuying.kit.object_keys import inbox_key
from liuying.kit.object_store import read_object
from tests.console.both_stores import engine, store
from tests.console.console_server import ConsoleServer
from tests.console.tus import BYTES
from tests.waiting import wait_until

__all__ = ["engine", "store"]
KILLS = 4


def queued(services: Services) -> str:
    """The content of what is queued; empty before."""
    with services.database.read() as connection:
        row = connection.execute(sa.select(job.c.wanted)).first()
    return "" if row is None else str(row.wanted["inbox"]["海边.mp4"])


def test_what_arrived_before_the_connection_broke_is_kept(services: Services) -> None:
    with ConsoleServer(services) as server:
        server.log_in()
        address = server.begin("海边.mp4", 1_000_000)
        with server.sender(address, 0, 1_000_000) as sender:
            sender.sendall(bytes(300_000))
        wait_until(lambda: server.offset(address) == 300_000)


def test_a_film_survives_a_console_that_is_killed_again_and_again(services: Services) -> None:
    """Each time in the middle of a request; another process goes on."""
    chance = random.Random(3)  # noqa: S311  # no secret
    content = chance.randbytes(30_000_000)
    server = ConsoleServer(services)
    server.start()
    server.log_in()
    address = server.begin("海边.mp4", len(content))
    for _ in range(KILLS):
        at = server.offset(address)
        end = min(len(content) - 1, at + chance.randrange(8_000_000, 12_000_000))
        with server.sender(address, at, len(content) - at) as sender, suppress(OSError):
            sender.sendall(content[at:end])
        server.kill()
        server.start()
        assert server.offset(address) >= at
    at = server.offset(address)
    rest = {**BYTES, "upload-offset": str(at)}
    assert server.ask("PATCH", address, rest, content[at:]).status == 204
    # It may be killed before the queue has it, too.
    server.kill()
    with server:
        whole = hashlib.sha256(content).hexdigest()
        # The job's row is there before the object, and not due yet.
        wait_until(lambda: services.objects.open(inbox_key(whole)))
    assert queued(services) == whole
    assert read_object(services.objects, inbox_key(whole)) == content
