"""Offering the chunks of a long film to idle workers: beside them is written what is encoded from
what.

A film's folder contains one folder for the chunks of its first rendition and one for those of the
others. Each exists as long as its chunks are wanted. The importer creates and removes them; helpers
never do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event

import msgspec

from liuying.kit.files import remove_shared, write_private
from liuying.media.chunk_run import ChunkRun
from liuying.media.chunks import Chunk
from liuying.media.ladder import Rung
from liuying.media.plan import Plan
from liuying.media.planned_run import PlannedRun

OFFER_NAME = "offer.json"
# Finished chunks of the first rendition with the sound, and of the others.
LOW_FOLDER, REST_FOLDER = "low", "rest"
# The first rendition goes first: visitors wait for it.
PARTS = (LOW_FOLDER, REST_FOLDER)


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a helper must know.

    Attributes:
        source: The operator's file, an absolute path.
        size: Its size in bytes.
        changed_ns: Its modification time in nanoseconds.
        plan: What is made of it, without the moments of its pictures, which are many.
    """

    source: str
    size: int
    changed_ns: int
    plan: Plan

    def is_of_this_source(self) -> bool:
        """Whether the file is the same here: another machine may have a different one of that
        name, or none.
        """
        try:
            found = Path(self.source).stat()
        except OSError:
            return False
        return (found.st_size, found.st_mtime_ns) == (self.size, self.changed_ns)


def rungs_of(plan: Plan, part: str) -> list[Rung]:
    """The encoded renditions of a part."""
    rungs = plan.rungs[:1] if part == LOW_FOLDER else plan.rungs[1:]
    return [rung for rung in rungs if not rung.is_copied]


def offer_chunks(cache: Path, plan: Plan, source: Path, parts: Sequence[str]) -> None:
    """Offer the chunks of a film to others.

    Args:
        cache: The film's folder, held by the caller.
        plan: A plan with chunks.
        source: The operator's file.
        parts: The parts whose chunks are wanted.
    """
    for part in parts:
        if rungs_of(plan, part):
            (cache / part).mkdir(parents=True, exist_ok=True)
    timing = msgspec.structs.replace(plan.probe.timing, moments=(), key_times=())
    plan = msgspec.structs.replace(plan, probe=msgspec.structs.replace(plan.probe, timing=timing))
    found = source.stat()
    offer = Offer(
        source=str(source.absolute()), size=found.st_size, changed_ns=found.st_mtime_ns, plan=plan
    )
    write_private(cache / OFFER_NAME, msgspec.json.encode(offer))


def withdraw_chunks(cache: Path) -> None:
    """Withdraw all offered chunks of a film: helpers stop, and existing chunks are removed."""
    (cache / OFFER_NAME).unlink(missing_ok=True)
    for part in PARTS:
        remove_shared(cache / part)


def is_offered(cache: Path) -> bool:
    """Whether a film's chunks are still wanted."""
    return (cache / OFFER_NAME).exists()


def read_offer(cache: Path) -> Offer | None:
    """The offer; None if it was withdrawn or a power cut damaged it."""
    try:
        return msgspec.json.decode((cache / OFFER_NAME).read_bytes(), type=Offer)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def untouched_part(cache: Path, offer: Offer) -> int | None:
    """Index in `PARTS` of the first part with a chunk that nobody has begun; None if all are
    begun.
    """
    found = (
        number for number, part in enumerate(PARTS) if _run_of(offer, cache / part).is_untouched()
    )
    return next(found, None)


def make_offered(cache: Path, offer: Offer) -> Chunk | None:
    """Encode one chunk for the film's importer.

    Returns:
        The chunk; None if all are finished or being encoded by others.

    Raises:
        ChunkError: It cannot be encoded in chunks.
        MediaError: The transcoder failed.
        OSError: The film was cancelled meanwhile, or the disk is full.
    """
    return take_offered(
        cache, offer, lambda part, chunk, folder: encode_offered(offer, part, chunk, folder)
    )


def take_offered(
    cache: Path, offer: Offer, make: Callable[[str, Chunk, Path], None]
) -> Chunk | None:
    """Have one chunk made for the film's importer.

    Args:
        cache: The film's folder.
        offer: Its offer.
        make: Puts the files of a part's chunk into a folder; where it raises, the chunk is left to
            others.

    Returns:
        The chunk; None if all are finished or being made by others.

    Raises:
        OSError: The film was cancelled meanwhile, or the disk is full.
    """
    for part in PARTS:
        chunks = _run_of(offer, cache / part)
        if chunks.is_untouched() and (made := chunks.take_next(partial(make, part))) is not None:
            return made
    return None


def encode_offered(
    offer: Offer, part: str, chunk: Chunk, folder: Path, stop: Event | None = None
) -> None:
    """Encode a chunk into a folder.

    Args:
        offer: The film's.
        part: Which renditions.
        chunk: One of the plan's.
        folder: Receives the files.
        stop: Ends it; None if nobody else may.

    Raises:
        CancelledError: `stop` was set.
        ChunkError: It cannot be encoded in chunks.
        MediaError: The transcoder failed.
        OSError: The disk is full.
    """
    _run_of(offer, folder, stop).encode(chunk, rungs_of(offer.plan, part), folder)


def _run_of(offer: Offer, folder: Path, stop: Event | None = None) -> ChunkRun:
    run = PlannedRun(plan=offer.plan, work=folder, stop=stop)
    return ChunkRun(plan=offer.plan, source=Path(offer.source), folder=folder, run=run)
