"""What killed imports left, and removing it."""

from __future__ import annotations

import math

from liuying.core.playback.queries import assets
from liuying.kit.database import Database
from liuying.kit.object_store import ObjectStore
from liuying.media.extras import PROGRESSIVE_NAME
from liuying.media.production import WHOLE_MASTER
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.asset_hold import holding
from liuying.workflows.chunk_cache import sweep_chunks
from liuying.workflows.job_folders import ImportBusyError, JobFolders


def address_of(key: str) -> str:
    """Public path of an asset's folder."""
    return f"/media/{key}"


def sweep(database: Database, objects: ObjectStore, folders: JobFolders) -> None:
    """Remove what dead imports left. Call it behind the gate."""
    for key in folders.orphans():
        try:
            with holding(database, objects, key) as hold:
                tidy(database, hold.guard(objects), key)
                with database.write() as connection:
                    # Killed before its row was written, it left no row, and so no holder either.
                    if rows.find_asset_by_key(connection, key) is not None:
                        hold.require(connection)
                        assets.delete_unpublished(connection, key)
        except ImportBusyError:
            # Its job goes on, on another machine, or the dead process's hold still stands: looked
            # at again at the next sweep.
            folders.empty(key)
        else:
            folders.remove(key)
    sweep_chunks(folders)


def tidy(database: Database, objects: ObjectStore, key: str) -> None:
    """Remove every file of an asset that belongs to no row. The asset's job must be the caller's:
    then no row changes meanwhile.
    """
    with database.read() as connection:
        asset = rows.find_asset_by_key(connection, key)
        published = assets.published_folders(connection, key)
    for prefix in objects.media.prefixes(key):
        if asset is None or not asset.is_visible:
            objects.delete_prefix(prefix)
        elif not asset.is_complete:
            _remove_unfinished(objects, prefix, published)


def _remove_unfinished(objects: ObjectStore, prefix: str, published: set[str]) -> None:
    objects.delete_unfinished(prefix, math.inf)
    for name in objects.children(prefix):
        if name in {WHOLE_MASTER, PROGRESSIVE_NAME}:
            objects.delete(f"{prefix}{name}")
        elif name not in published and objects.has_any(f"{prefix}{name}/"):
            objects.delete_prefix(f"{prefix}{name}/")
