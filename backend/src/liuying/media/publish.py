"""How finished files become visible: whole, under a new name, and durable
(docs/security.md#never-lost media).

Temporary name → fsync of every file → rename → fsync of the parent folder. Temporary names begin
with a dot, which no public address can hold.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from liuying.kit.files import sync_folder, sync_tree, write_once

DRAFT_SUFFIX = ".draft"


def draft_of(target: Path) -> Path:
    """Where a folder is prepared before it is published as `target`; on the same file system."""
    return target.with_name(f".{target.name}{DRAFT_SUFFIX}")


def new_draft(target: Path) -> Path:
    """An empty folder to prepare `target` in; what an interrupted run left there is removed."""
    draft = draft_of(target)
    if draft.exists():
        shutil.rmtree(draft)
    draft.mkdir(parents=True)
    return draft


def publish_folder(draft: Path, target: Path) -> None:
    """Make a prepared folder visible.

    Raises:
        FileExistsError: `target` is published already; published files never change.
    """
    sync_tree(draft)
    if target.exists():
        raise FileExistsError(target)
    draft.rename(target)
    sync_folder(target.parent)


def publish_file(source: Path, target: Path) -> None:
    """Move one finished file to its published name; one that is there stays.

    Both must lie on the same file system.
    """
    if target.exists():
        source.unlink()
        return
    descriptor = os.open(source, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    source.rename(target)
    sync_folder(target.parent)


def publish_text(target: Path, text: str) -> None:
    """Write a small published file, such as a playlist; one that is there stays."""
    write_once(target, text.encode())


def remove_drafts(folder: Path) -> None:
    """Remove what interrupted runs left in a folder of published folders.

    The caller knows that no other process is preparing anything there.
    """
    for draft in folder.glob(f".*{DRAFT_SUFFIX}"):
        shutil.rmtree(draft, ignore_errors=True)
