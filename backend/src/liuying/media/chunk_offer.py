"""The chunks of a long film, offered to whoever is idle: who imports it says beside them what is
made of what.

The folder of a film holds a folder for the chunks of its first rung and one for those of the
others. Each is there as long as its chunks are wanted; who imports makes and removes them, who
helps never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from liuying.kit.files import remove_shared, write_private
from liuying.media.chunk_run import ChunkRun
from liuying.media.chunks import Chunk
from liuying.media.plan import Plan, Rung
from liuying.media.planned_run import PlannedRun

OFFER_NAME = "offer.json"
# Finished chunks, of the first rung with the sound, and of the others.
LOW_FOLDER, REST_FOLDER = "low", "rest"
# The first rung goes first: it is what visitors wait for.
PARTS = (LOW_FOLDER, REST_FOLDER)


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a helper needs to know.

    Attributes:
        source: The operator's file, an absolute path.
        size: Its bytes.
        changed_ns: When it was changed, in nanoseconds.
        plan: What is made of it; without the moments of its pictures, which are many.
    """

    source: str
    size: int
    changed_ns: int
    plan: Plan

    def is_of_this_source(self) -> bool:
        """Whether the file is the same here: another machine may have another one of that name, or
        none.
        """
        try:
            found = Path(self.source).stat()
        except OSError:
            return False
        return (found.st_size, found.st_mtime_ns) == (self.size, self.changed_ns)


def rungs_of(plan: Plan, part: str) -> list[Rung]:
    """The encoded rungs of a part."""
    rungs = plan.rungs[:1] if part == LOW_FOLDER else plan.rungs[1:]
    return [rung for rung in rungs if not rung.is_copied]


def offer_chunks(cache: Path, plan: Plan, source: Path, parts: Sequence[str]) -> None:
    """Let others make chunks of a film.

    Args:
        cache: The film's folder, held by the caller.
        plan: What is made; it has chunks.
        source: The operator's file.
        parts: Of which chunks are wanted.
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
    """Nothing of a film is wanted in chunks any more: helpers end, and what there is goes."""
    (cache / OFFER_NAME).unlink(missing_ok=True)
    for part in PARTS:
        remove_shared(cache / part)


def is_offered(cache: Path) -> bool:
    """Whether the chunks of a film are still wanted."""
    return (cache / OFFER_NAME).exists()


def read_offer(cache: Path) -> Offer | None:
    """What is offered; None where nothing is any more, or a power cut spoilt it."""
    try:
        return msgspec.json.decode((cache / OFFER_NAME).read_bytes(), type=Offer)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def untouched_part(cache: Path, offer: Offer) -> int | None:
    """The place in `PARTS` of the first one with a chunk that nobody has begun; None where all are
    begun.
    """
    found = (
        number for number, part in enumerate(PARTS) if _run_of(cache, offer, part).is_untouched()
    )
    return next(found, None)


def make_offered(cache: Path, offer: Offer) -> Chunk | None:
    """Make one chunk for whoever imports the film.

    Returns:
        The chunk; None where all are in others' hands or finished.

    Raises:
        ChunkError: It is not possible in chunks.
        MediaError: The transcoder failed.
        OSError: The film was given up meanwhile, or the disk is full.
    """
    for part in PARTS:
        chunks = _run_of(cache, offer, part)
        if (
            chunks.is_untouched()
            and (made := chunks.make_next(rungs_of(offer.plan, part))) is not None
        ):
            return made
    return None


def _run_of(cache: Path, offer: Offer, part: str) -> ChunkRun:
    run = PlannedRun(plan=offer.plan, work=cache)
    return ChunkRun(plan=offer.plan, source=Path(offer.source), folder=cache / part, run=run)
