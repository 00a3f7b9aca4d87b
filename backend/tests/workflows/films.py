"""A film that is being imported by nobody's process but the test's own, for those who help
with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from liuying.media.chunk_offer import PARTS, offer_chunks
from liuying.media.errors import DiskFullError
from liuying.media.plan import make_plan
from liuying.media.probe import probe
from liuying.workflows.chunk_cache import ChunkCache
from liuying.workflows.content_hash import hash_file
from liuying.workflows.job_folders import JobFolders
from tests.media.clips import FAST


@contextmanager
def offered(data_dir: Path, source: Path) -> Iterator[Path]:
    """Hold and offer a film's chunks as its import does; afterwards they are kept, as after a full
    disk.
    """
    folders = JobFolders(data_dir / "jobs")
    plan = make_plan(probe(source), FAST)
    held = ChunkCache(folders, hash_file(source), plan)
    with folders.gate():
        path = held.__enter__()
    offer_chunks(path, plan, source, PARTS)
    try:
        yield path
    finally:
        error = DiskFullError()
        held.__exit__(type(error), error, None)


def finished(kept: Path) -> list[str]:
    """Names of the finished chunks, with their part's."""
    return sorted(str(path.relative_to(kept)) for path in kept.glob("*/c????"))
