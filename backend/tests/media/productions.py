"""Productions of tests' clips."""

from __future__ import annotations

from pathlib import Path

from liuying.kit.folder_store import FolderStore
from liuying.kit.storage_layout import StorageLayout
from liuying.media.job_files import JobFiles
from liuying.media.plan import make_plan
from liuying.media.probe import probe
from liuying.media.production import Production
from tests.media.clips import FAST

PREFIX = "media/public/published/"


def production_of(source: Path, work: Path, cache: Path | None = None) -> Production:
    """A production that publishes into a folder beside its work."""
    return Production(
        plan=make_plan(probe(source), FAST),
        source=source,
        files=JobFiles(work=work, objects=FolderStore(StorageLayout(work / "data")), prefix=PREFIX),
        cache=cache,
    )


def published_of(made: Production) -> Path:
    """The folder of what it published."""
    return made.files.work / "data" / made.files.prefix


def made(source: Path, work: Path) -> Production:
    """A production whose first rung is there."""
    work.mkdir()
    production = production_of(source, work)
    production.make_first(lambda _share: None)
    return production
