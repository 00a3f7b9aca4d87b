"""Letting other machines help with a long film: the importer's side.

On one machine helpers find a film by its folder and share its chunks by locks. For those on other
machines a thread of the import does so: it offers the film in the database, and for each helper
that asks it takes a chunk as a helper of its own machine would, waits until that one's files are in
the inbox, and fetches them. Neither the import nor its machine's helpers know the difference.

A film can be shared if its source is in the inbox; its rows count while the import holds its asset.
"""

from __future__ import annotations

import logging
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread

import msgspec
import sqlalchemy as sa

from liuying import __version__
from liuying.kit.errors import LiuyingError
from liuying.kit.object_keys import inbox_key
from liuying.media.chunk_files import are_chunk_files, check_chunk
from liuying.media.chunk_offer import Offer, read_offer, rungs_of, take_offered, untouched_part
from liuying.media.chunks import Chunk
from liuying.media.errors import ChunkError
from liuying.workflows.asset_hold import CLOCK, AssetHold
from liuying.workflows.import_services import ImportServices
from liuying.workflows.inbox import fetch, has_inbox, remove_unneeded
from liuying.workflows.queries import shared_films
from liuying.workflows.queries.shared_films import HELD_MS, Claimed, SharedFilm, State

LOG = logging.getLogger(__name__)
# How often it looks who asks, and how far the helpers are.
LOOK_S = 0.5
# How often it makes sure that the film is still offered.
CONFIRM_S = 5.0
# After so many chunks that were none, this film is made without other machines: they would make
# the same again.
MOST_REFUSED = 3
# What the film, a store or a database may be at fault for, and not the program.
EXPECTED = (LiuyingError, ChunkError, OSError, sa.exc.SQLAlchemyError)


class ChunkLostError(LiuyingError):
    """A helper does not make its chunk, or what it made is not here: others make it."""

    def __init__(self) -> None:
        super().__init__("另一台机器没有做完这一块")


@contextmanager
def shared_with_machines(
    services: ImportServices, cache: Path, content: str, hold: AssetHold
) -> Iterator[None]:
    """Let other machines help with a film until the block ends.

    Args:
        services: The installation.
        cache: The folder of the film's chunks, held by the caller.
        content: SHA-256 of the source file.
        hold: The import's hold of the asset.
    """
    if not hold.owner or not _is_in_inbox(services, content):
        yield
        return
    sharing = _Sharing(services, cache, content, hold)
    thread = Thread(target=sharing.run, name=f"sharing {cache.name}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        sharing.is_over.set()
        thread.join()


def _is_in_inbox(services: ImportServices, content: str) -> bool:
    if not has_inbox(services.objects):
        return False
    try:
        found = services.objects.open(inbox_key(content))
    except OSError as error:
        LOG.warning("no other machine can help with %s: %s", content, error)
        return False
    if found is not None:
        found.close()
    return found is not None


class _Sharing:
    """One film while it is imported."""

    def __init__(
        self, services: ImportServices, cache: Path, content: str, hold: AssetHold
    ) -> None:
        self._database = services.database
        self._objects = services.objects
        self._cache = cache
        self._content = content
        self._hold = hold
        self._serving: dict[str, Thread] = {}
        # Chunks that helpers had finished and that were none.
        self._refused = 0
        # What the film's row says; None where there is no row.
        self._said: tuple[int | None] | None = None
        self._confirmed_at = 0.0
        self.is_over = Event()

    def run(self) -> None:
        """Answer helpers until it is over."""
        fault: type[Exception] | None = None
        try:
            while not self.is_over.wait(LOOK_S):
                try:
                    self._look()
                    fault = None
                except Exception as error:  # Helpers wait for as long as the film is offered.
                    if fault is not type(error):  # Logged once: it looks all the time.
                        is_expected = isinstance(error, EXPECTED)
                        text = "other machines are not answered: %s"
                        LOG.warning(text, error, exc_info=None if is_expected else error)
                    fault = type(error)
            for thread in self._serving.values():
                thread.join()
        finally:
            # Otherwise the row means nothing once the hold is over.
            with suppress(sa.exc.SQLAlchemyError):
                self._withdraw()

    def _look(self) -> None:
        self._serving = {claim: one for claim, one in self._serving.items() if one.is_alive()}
        offer = read_offer(self._cache)
        if offer is None or self._refused >= MOST_REFUSED:
            self._withdraw()
            return
        self._offer(offer, untouched_part(self._cache, offer))
        name, owner = self._cache.name, self._hold.owner
        with self._database.read() as connection:
            asking = shared_films.asked(connection, name, owner)
            # Whoever waited for these could not note how that ended.
            left = shared_films.given(connection, name, owner) - self._serving.keys()
        if left:
            with self._database.write() as connection:
                for claim in left:
                    shared_films.void(connection, claim)
        for claim in asking:
            if claim not in self._serving:
                self._serving[claim] = Thread(
                    target=self._serve,
                    args=(claim, offer),
                    name=f"chunk for {claim}",
                    daemon=True,
                )
                self._serving[claim].start()

    def _offer(self, offer: Offer, free_part: int | None) -> None:
        now = time.clock_gettime(CLOCK)
        if self._said == (free_part,) and now - self._confirmed_at < CONFIRM_S:
            return
        name, owner = self._cache.name, self._hold.owner
        with self._database.write() as connection:
            is_there = self._said is not None and shared_films.note_free_part(
                connection, name, owner, free_part
            )
            if not is_there:
                # Nobody offers what another has taken over.
                self._hold.require(connection)
                film = SharedFilm(
                    name=name,
                    asset_key=self._hold.key,
                    held_by=owner,
                    content=self._content,
                    machine=platform.machine(),
                    version=__version__,
                    offer=msgspec.json.encode(offer).decode(),
                )
                shared_films.offer_film(connection, film, free_part)
        self._said, self._confirmed_at = (free_part,), now

    def _withdraw(self) -> None:
        if self._said is None:
            return
        with self._database.write() as connection:
            shared_films.withdraw_film(connection, self._cache.name, self._hold.owner)
        self._said = None

    def _serve(self, claim: str, offer: Offer) -> None:
        """Have one chunk made by whoever asked."""
        is_received = False
        try:
            made = take_offered(self._cache, offer, partial(self._receive, claim, offer))
            is_received = made is not None
            if made is not None:
                LOG.info("another machine made %s of %s", made.name, self._cache.name)
        except EXPECTED as error:
            LOG.warning("a chunk of %s comes from no other machine: %s", self._cache.name, error)
            self._refused += isinstance(error, ChunkError)
        except Exception:  # Its helper must learn it.
            LOG.exception("a chunk of %s comes from no other machine", self._cache.name)
        try:
            self._end(claim, is_received=is_received)
        except EXPECTED as error:  # The next look and the sweep of the inbox try again.
            LOG.warning("what was received of %s stays: %s", self._cache.name, error)

    def _receive(self, claim: str, offer: Offer, part: str, chunk: Chunk, folder: Path) -> None:
        """Wait for a chunk, and fetch it.

        Raises:
            ChunkLostError: The helper does not make it, or nobody wants it any more.
            ChunkError: What it made is not this chunk.
            MediaError: Its files cannot be had.
            OSError: The store does not answer.
        """
        with self._database.write() as connection:
            if not shared_films.give(connection, claim, part, chunk.number):
                raise ChunkLostError
        files = self._stored(claim, folder)
        rungs = rungs_of(offer.plan, part)
        if not are_chunk_files(files.keys(), rungs):
            raise ChunkError(f"{chunk.name}: {sorted(files)}")
        for name, content in files.items():
            fetch(self._objects, content, folder / name)
        # The helper itself named the content: it says nothing of what that is.
        check_chunk(folder, chunk, rungs)

    def _stored(self, claim: str, folder: Path) -> dict[str, str]:
        """Wait for the helper; names in the inbox by file name.

        Raises:
            ChunkLostError: It does not make the chunk, or nobody wants it any more.
        """
        known_at = time.clock_gettime(CLOCK)
        # The folder goes where the film is made in one piece after all.
        while not self.is_over.wait(LOOK_S) and folder.exists():
            try:
                found = self._claimed(claim)
            except sa.exc.SQLAlchemyError:
                if time.clock_gettime(CLOCK) - known_at > HELD_MS / 1000:
                    raise
                continue
            known_at = time.clock_gettime(CLOCK)
            if found is not None and found.state is State.STORED:
                return found.files
            if found is None or found.state is not State.GIVEN:
                break
        raise ChunkLostError

    def _claimed(self, claim: str) -> Claimed | None:
        with self._database.read() as connection:
            found = shared_films.claimed(connection, claim)
        if found is None or found.state is not State.GIVEN or not found.is_out:
            return found
        # Its helper has died or stands still: what it may still store is not used.
        with self._database.write() as connection:
            return None if shared_films.void_if_out(connection, claim) else found

    def _end(self, claim: str, *, is_received: bool) -> None:
        with self._database.write() as connection:
            found = shared_films.claimed(connection, claim)
            if is_received:
                shared_films.forget(connection, claim)
            else:
                shared_films.void(connection, claim)
        if is_received and found is not None:
            remove_unneeded(self._database, self._objects, found.files.values())
