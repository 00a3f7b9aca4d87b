"""What dead imports left, on this machine and in the store."""

from __future__ import annotations

import logging

import sqlalchemy as sa

from liuying.installation.services import Services
from liuying.workflows.far_help import sweep_far_help
from liuying.workflows.inbox import sweep_fetched, sweep_inbox
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.leftovers import sweep

LOG = logging.getLogger(__name__)


def sweep_dead_imports(services: Services) -> None:
    """Remove what they left; if a disk or database refuses, the next call tries again."""
    database, layout, objects = services.database, services.layout, services.objects
    folders = JobFolders(layout.jobs)
    try:
        with folders.gate():
            sweep(database, objects, folders)
        sweep_fetched(layout)
        sweep_far_help(database, layout, objects)
        sweep_inbox(database, objects)
    except (OSError, sa.exc.SQLAlchemyError) as error:
        LOG.warning("what dead imports left could not be removed: %s", error)
