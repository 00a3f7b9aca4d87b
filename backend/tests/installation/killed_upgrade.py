"""An upgrade in a process of its own, which may be killed before any of its statements."""

from __future__ import annotations

import os
import signal
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from liuying.installation.migrating import bring_up_to_date
from liuying.installation.services import open_services
from liuying.installation.settings import Settings

NOW = 1_796_000_000_000
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["alembic.command", __name__])


def upgrade(folder: Path, url: str, killed_at: int = 0) -> list[str]:
    """Bring an installation up to date, as a start does.

    Args:
        url: The database's address; empty for the folder's own.
        killed_at: The statement, from 1, that its process does not live to send; 0 for none.

    Returns:
        The statements.
    """
    services = open_services(Settings(data_dir=folder, database_url=url), lambda: NOW)
    said: list[str] = []
    numbers = count(1)

    def before(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if next(numbers) == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        said.append(statement)

    sa.event.listen(services.database.engine, "before_cursor_execute", before)
    bring_up_to_date(services)
    services.database.close()
    return said


def killed_upgrade(folder: Path, url: str, killed_at: int) -> bool:
    """Begin an upgrade whose process is killed before a statement; whether it had one so late."""
    process = PROCESSES.Process(target=upgrade, args=(folder, url, killed_at))
    process.start()
    process.join()
    assert process.exitcode in {0, -signal.SIGKILL}
    return process.exitcode != 0
