"""The files that an import finds in what the operator names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from liuying.kit.texts import clean_text
from liuying.workflows.companions import COMPANION_SUFFIXES
from liuying.workflows.import_manifest import Item
from liuying.workflows.video_meta import NAME_LENGTH


def find_files(source: Path) -> Iterator[Path]:
    """A file itself; the files below a folder, sorted, without hidden ones, links and companions of
    videos.
    """
    if not source.is_dir():
        yield source
        return
    yield from (path for path in _files_below(source) if not _is_companion(path))


def items_below(sources: list[Path], *, by_folder: bool) -> Iterator[Item]:
    """The files to import.

    Args:
        sources: Files and folders.
        by_folder: Whether the first folder below a source is a file's category.
    """
    for source in sources:
        for path in find_files(source):
            yield item_of(path, [source], by_folder=by_folder)


def item_of(path: Path, sources: list[Path], *, by_folder: bool) -> Item:
    if not by_folder:
        return Item(path)
    below = next(one for one in sources if one in (path, *path.parents))
    folders = path.relative_to(below).parts[:-1]
    name = clean_text(folders[0] if folders else below.name if below.is_dir() else "")
    return Item(path, folder_category=name[:NAME_LENGTH] or None)


def find_companions(source: Path) -> Iterator[Path]:
    """The companions of videos below a folder, sorted."""
    if source.is_dir():
        yield from (path for path in _files_below(source) if _is_companion(path))


def _is_companion(path: Path) -> bool:
    return path.suffix.lower() in COMPANION_SUFFIXES


def _files_below(source: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path
