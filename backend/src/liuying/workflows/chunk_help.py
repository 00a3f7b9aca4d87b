"""Helping with a long film that another process imports: finding one, and encoding a chunk of it.

Nothing is done for an import whose process is gone, nor where a chunk would come out differently
than there.
"""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from liuying.media.chunk_offer import OFFER_NAME, make_offered, read_offer, untouched_part
from liuying.media.chunks import Chunk
from liuying.workflows.chunk_cache import is_of_plan
from liuying.workflows.job_folders import JobFolders, is_held


def find_film(folders: JobFolders, passed_over: Container[str]) -> Path | None:
    """The folder of a film with a chunk to encode, first renditions first; None if there is none.

    Args:
        folders: The installation's job folders.
        passed_over: Names of folders to ignore.

    Raises:
        OSError: The disk refuses.
        TranscoderError: The transcoder does not start.
    """
    offers = folders.chunks.glob(f"*-*/{OFFER_NAME}")
    films = sorted(offer.parent for offer in offers if offer.parent.name not in passed_over)
    if not films:
        return None
    with folders.gate():
        films = [one for one in films if one.is_dir() and is_held(one)]
    wanted = [(part, one) for one in films if (part := _wanted_part(one)) is not None]
    return min(wanted)[1] if wanted else None


def _wanted_part(cache: Path) -> int | None:
    offer = read_offer(cache)
    if offer is None or not is_of_plan(cache, offer.plan) or not offer.is_of_this_source():
        return None
    return untouched_part(cache, offer)


def help_with(cache: Path) -> Chunk | None:
    """Encode one chunk of a film.

    Args:
        cache: The film's folder from `find_film`.

    Returns:
        The chunk; None if none was left.

    Raises:
        ChunkError: It cannot be encoded in chunks.
        MediaError: The transcoder failed.
        OSError: The film was cancelled meanwhile, or the disk is full.
    """
    offer = read_offer(cache)
    return None if offer is None else make_offered(cache, offer)
