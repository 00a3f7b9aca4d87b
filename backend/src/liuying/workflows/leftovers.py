"""What killed imports left behind, and its removal."""

from __future__ import annotations

import shutil
from pathlib import Path

import sqlalchemy as sa

from liuying.kit.database import Database
from liuying.kit.storage_layout import StorageLayout
from liuying.media.production import PROGRESSIVE_NAME, WHOLE_MASTER
from liuying.media.publish import draft_of, remove_drafts
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.chunk_cache import sweep_chunks
from liuying.workflows.job_folders import JobFolders


def address_of(key: str) -> str:
    """Public path of an asset's folder."""
    return f"/media/{key}"


def sweep(database: Database, layout: StorageLayout, folders: JobFolders) -> None:
    """Remove what dead imports left. Call it behind the gate."""
    for key in folders.orphans():
        with database.write() as connection:
            tidy(connection, layout, key)
            rows.forget_asset(connection, key)
        folders.remove(key)
    sweep_chunks(folders)


def tidy(connection: sa.Connection, layout: StorageLayout, key: str) -> None:
    """Remove every file of an asset that no row leads to. The asset's job must not be running."""
    asset = rows.find_asset_by_key(connection, key)
    for is_protected in (False, True):
        folder = layout.media_root(is_protected=is_protected) / key
        shutil.rmtree(draft_of(folder), ignore_errors=True)
        if not folder.is_dir():
            continue
        if asset is None or not asset.is_visible:
            shutil.rmtree(folder)
        elif not asset.is_complete:
            _remove_unfinished(folder, rows.rendition_labels(connection, key))


def _remove_unfinished(folder: Path, labels: set[str]) -> None:
    remove_drafts(folder)
    for entry in folder.iterdir():
        if entry.is_dir() and f"{entry.name}P" not in labels:
            shutil.rmtree(entry)
    for name in (WHOLE_MASTER, PROGRESSIVE_NAME):
        (folder / name).unlink(missing_ok=True)
