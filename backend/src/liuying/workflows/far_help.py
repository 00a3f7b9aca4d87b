"""Helping with a long film that another machine imports: the helper's side.

A process fetches the film's source from the inbox once, asks its import for a chunk
(`workflows/chunk_claim.py`), and encodes it as that one would.
"""

from __future__ import annotations

import platform
import secrets
import shutil
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import msgspec
import sqlalchemy as sa

from liuying import __version__
from liuying.kit.database import Database
from liuying.kit.object_store import ObjectStore, RecordsObjects
from liuying.kit.storage_layout import StorageLayout
from liuying.media.chunk_offer import Offer, encode_offered
from liuying.media.chunks import Chunk
from liuying.workflows.chunk_cache import is_of_plan
from liuying.workflows.chunk_claim import ChunkClaim
from liuying.workflows.import_services import ImportServices
from liuying.workflows.inbox import fetch, has_linked
from liuying.workflows.job_folders import ImportBusyError, JobFolder, JobFolders, is_held
from liuying.workflows.queries import shared_films
from liuying.workflows.queries.shared_films import SharedFilm


def find_far_films(
    database: Database, folders: JobFolders, passed_over: Collection[str]
) -> list[str]:
    """Names of films of other machines with a chunk to encode, first renditions first.

    Args:
        database: The installation's.
        folders: This machine's job folders: what is imported here is helped with by its folder.
        passed_over: Names to leave out.
    """
    with database.read() as connection:
        names = shared_films.films_to_help(connection, platform.machine(), __version__, passed_over)
    if not names:
        return []
    with folders.gate():
        return [
            name
            for name in names
            if not ((found := folders.chunks / name).is_dir() and is_held(found))
        ]


def far_film(database: Database, name: str) -> SharedFilm | None:
    """A film of another machine; None if its import is over."""
    with database.read() as connection:
        return shared_films.living_film(connection, name)


def is_made_alike(film: SharedFilm) -> bool:
    """Whether a chunk that this machine encodes is the one that the film's own would.

    Raises:
        TranscoderError: The transcoder does not start.
    """
    offer = _offer_of(film)
    return offer is not None and is_of_plan(Path(film.name), offer.plan)


def is_far_film_wanted(database: Database, name: str) -> bool:
    """Whether its import may still go on."""
    with database.read() as connection:
        return shared_films.may_live(connection, name)


def sweep_far_help(database: Database, layout: StorageLayout, objects: ObjectStore) -> None:
    """Remove what dead helpers left on this machine, and rows of dead imports and helpers.

    What such helpers stored goes with the sweep of the inbox, which comes after this.
    """
    folders = JobFolders(layout.helping)
    if folders.root.is_dir():
        with folders.gate():
            folders.remove_orphans()
    if isinstance(objects, RecordsObjects):
        with database.write() as connection:
            shared_films.sweep_films(connection)


class FarHelper:
    """What a process has of the films that it helps with, from one chunk to the next.

    Args:
        services: The installation.
    """

    def __init__(self, services: ImportServices) -> None:
        self._database = services.database
        self._objects = services.objects
        self._folders = JobFolders(services.layout.helping)
        # By the film's name. Several films may want help in turns, and fetching one again is
        # dearer than its room.
        self._copies: dict[str, JobFolder] = {}

    def __enter__(self) -> FarHelper:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.let_go_of_all()

    def let_go_of_all(self) -> None:
        """Remove all films: a film of this machine's own needs the room."""
        while self._copies:
            self._copies.popitem()[1].__exit__()

    def let_go_of_ended(self) -> None:
        """Remove the films that nobody imports any more: other work may need the room."""
        # Otherwise they go at the next call, or with this process.
        with suppress(sa.exc.SQLAlchemyError):
            for name in list(self._copies):
                if not is_far_film_wanted(self._database, name):
                    self._copies.pop(name).__exit__()

    def help_with(self, name: str, tell_fetched: Callable[[], None]) -> Chunk | None:
        """Encode one chunk of a film.

        Args:
            name: The film's, of `find_far_films`.
            tell_fetched: Called when the film is here, before a chunk is asked for.

        Returns:
            The chunk; None if none was left, or another process of this machine fetches the film.

        Raises:
            ChunkError: It cannot be encoded in chunks.
            MediaError: The transcoder failed, or the film is not in the inbox.
            OSError: The disk is full, or the store does not answer.
        """
        film = far_film(self._database, name)
        offer = None if film is None else _offer_of(film)
        if film is None or offer is None:
            return None
        source = self._fetched(film, f"{film.content}{Path(offer.source).suffix}")
        if source is None:
            return None
        tell_fetched()
        offer = msgspec.structs.replace(offer, source=str(source))
        claim = ChunkClaim(self._database, self._objects, name)
        with claim.kept() as given:
            if given is None:
                return None
            chunk = {one.number: one for one in offer.plan.chunks}[given.number]
            folder = source.parent / chunk.name
            folder.mkdir()
            try:
                encode_offered(offer, given.part, chunk, folder, claim.is_lost)
                is_taken = claim.store(folder)
            except CancelledError:
                is_taken = False
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        return chunk if is_taken else None

    def _fetched(self, film: SharedFilm, name: str) -> Path | None:
        """The film's source on this machine; None while another process fetches it."""
        if (held := self._copies.get(film.name)) is not None:
            return held.path / name
        with self._folders.gate():
            self._folders.remove_orphans()
            here = next(self._folders.root.glob(f"*/{name}"), None)
            work = self._folders.begin(secrets.token_hex(8))
        try:
            is_here = self._has_brought(film.content, here, work.path / name)
        except BaseException:
            work.__exit__()
            raise
        if not is_here:
            work.__exit__()
            return None
        self._copies[film.name] = work
        return work.path / name

    def _has_brought(self, content: str, here: Path | None, target: Path) -> bool:
        with suppress(FileNotFoundError):  # Whoever had it has just let go of it.
            if here is not None and has_linked(here, target):
                return True
        try:
            with self._folders.gate():
                fetching = self._folders.begin(content)
        except ImportBusyError:
            return False
        with fetching as folder:
            fetch(self._objects, content, folder / "whole")
            (folder / "whole").rename(target)
        return True


def _offer_of(film: SharedFilm) -> Offer | None:
    """None where another version wrote something that this one does not know."""
    try:
        return msgspec.json.decode(film.offer, type=Offer)
    except msgspec.MsgspecError:
        return None
