"""Complete uploads become objects of the inbox and jobs of the ledger, as if `liuying import
--queue` had found them in a folder.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import sqlalchemy as sa

from liuying.core.jobs.queries.ledger import change_wanted, wanted_of
from liuying.features.uploads import queries
from liuying.features.uploads.rules import HELD_MS
from liuying.kit.database import AnyRow
from liuying.kit.errors import LiuyingError
from liuying.media.errors import DiskFullError
from liuying.workflows.import_manifest import ImportChoices, Item
from liuying.workflows.import_services import ImportServices
from liuying.workflows.inbox import queue_by_content
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.side_cars import look_beside
from liuying.workflows.upload_details import details_of, with_details
from liuying.workflows.upload_names import require_distinct
from liuying.workflows.upload_spool import spool_of

LOG = logging.getLogger(__name__)


def hand_over_next(services: ImportServices) -> bool:
    """Hand the next complete film over to the import queue; False if there is none.

    Whoever was killed at it is followed by another process: the same content is one object and one
    job.
    """
    now = services.clock()
    with services.database.read() as connection:
        if not queries.is_any_complete(connection, now):
            return False
    with services.database.write() as connection:
        row = queries.claim_complete(connection, now, now + HELD_MS)
    if row is None:
        return False
    try:
        with _held(services, row.id):
            _hand_over(services, row)
    except ImportBusyError:  # Another process of this machine is at it.
        return False
    except DiskFullError as error:
        LOG.warning("an upload cannot be handed over: %s", error)
    except LiuyingError as error:
        with services.database.write() as connection:
            queries.note_fault(connection, row.id, error.message[:400])
    except OSError as error:
        # Tried again when its time is over.
        LOG.warning("an upload cannot be handed over: %s", error)
    return True


@contextmanager
def _held(services: ImportServices, upload_id: str) -> Iterator[None]:
    """Keep other processes from handing an upload over until the block ends; they begin soon where
    this one is killed.
    """
    is_over = Event()

    def beat() -> None:
        while not is_over.wait(HELD_MS / 3000):
            until = services.clock() + HELD_MS
            try:
                with services.database.write() as connection:
                    queries.change(connection, upload_id, {"held_until": until})
            except sa.exc.SQLAlchemyError as error:
                LOG.warning("an upload could not be held on to: %s", error)

    beating = Thread(target=beat, name="holding an upload", daemon=True)
    beating.start()
    try:
        yield
    finally:
        is_over.set()
        beating.join()


def _hand_over(services: ImportServices, row: AnyRow) -> None:
    spool = spool_of(services)
    with services.database.read() as connection:
        others = queries.beside(connection, [row.id])
    # Of before such ones were refused.
    require_distinct(one.name for one in others)
    with _work_folder(services, row.id) as work:
        for one in (row, *others):
            # Complete ones only: what is cut off was never given to a film.
            spool.assemble(one.id, one.bytes, work / one.name)
        details = details_of(row)
        item = Item(work / row.name, choices=ImportChoices(is_hidden=details.is_hidden))
        job_id, _ = queue_by_content(services, item, details.given, look_beside(item.source))
    ids = [one.id for one in others]
    with services.database.write() as connection:
        queries.change(connection, row.id, {"job_id": job_id})
        # Typed meanwhile, or for another upload of the same file.
        latest = queries.row(connection, row.id)
        wanted = wanted_of(connection, job_id)
        change_wanted(connection, job_id, with_details(wanted, details_of(latest or row)))
    for one in (row.id, *ids):
        spool.remove(one)


@contextmanager
def _work_folder(services: ImportServices, key: str) -> Iterator[Path]:
    """A folder of this process, on the disk of the data folder."""
    folders = JobFolders(services.layout.inbox)
    with folders.gate():
        folders.remove_orphans()
        job = folders.begin(key)
    with job as work:
        inner = work / "files"
        if inner.exists():
            shutil.rmtree(inner)
        inner.mkdir()
        yield inner
