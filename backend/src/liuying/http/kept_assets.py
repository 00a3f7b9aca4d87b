"""Files of the web builds of other versions: while machines are upgraded one by one, a page of
either version may ask either version for its files, and for a week afterwards.

Each process notes its own files before it serves anybody. A file that is not its own is looked for
among those that all have noted.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
from time import monotonic

from litestar.types import HTTPScope, Send
from sqlalchemy.exc import SQLAlchemyError

from liuying.http.recurring import repeat
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.refusals import FAILURE, send_refusal
from liuying.kit.representation import Representation, send_variant
from liuying.kit.web_files import HASHED_FOLDER, WebFiles, represent
from liuying.workflows.queries.web_assets import asset_content, asset_paths, note_assets

LOG = logging.getLogger(__name__)
# As the web build names them.
ASSET = re.compile(rf"/{HASHED_FOLDER}/[0-9A-Za-z_.-]{{1,120}}-[0-9A-Za-z_-]{{8}}\.[a-z0-9]{{2,5}}")
# How often a process says that its version serves; how often, at most, it looks for new names.
NOTED_EVERY_S, LOOK_EVERY_S = 6 * 3600.0, 1.0


class KeptAssets:
    """Notes this process's own files, and sends those of others.

    Args:
        database: Keeps them.
        clock: The time.
        own: This process's files.
    """

    def __init__(self, database: Database, clock: Clock, own: WebFiles) -> None:
        self._database = database
        self._clock = clock
        self._own = own.hashed
        self._names: frozenset[str] = frozenset()
        self._looked_at = -math.inf
        self._looking = asyncio.Lock()
        self._ready: dict[str, Representation] = {}

    async def begin(self) -> None:
        """Note before anybody is served; a database that cannot be written to is no reason not to
        serve.

        Other processes may have looked a moment ago: nobody gets a page that names new files before
        they look again.
        """
        try:
            if await asyncio.to_thread(self.note) and not self._database.is_sqlite:
                await asyncio.sleep(LOOK_EVERY_S)
        except SQLAlchemyError as error:
            LOG.warning("files of the web build could not be noted: %s", type(error).__name__)

    async def run(self) -> None:
        """Note again and again until cancelled."""
        await repeat(
            self.note_again,
            NOTED_EVERY_S,
            "files of the web build could not be noted",
            delay=NOTED_EVERY_S,
        )

    def note(self) -> bool:
        """Note once; whether a file is new."""
        if not self._own:
            return False
        with self._database.write() as connection:
            return note_assets(connection, self._own, self._clock())

    def note_again(self) -> None:
        """Say that this version still serves."""
        self.note()

    async def send(self, scope: HTTPScope, send: Send) -> bool:
        """Answer a request for a file of another version.

        Returns:
            False where there is no such file; then nothing was sent.
        """
        path = scope["path"]
        if ASSET.fullmatch(path) is None or scope["method"] not in {"GET", "HEAD"}:
            return False
        try:
            ready = await self._find(path)
        except SQLAlchemyError as error:
            LOG.error("files of other versions could not be read: %s", type(error).__name__)
            await send_refusal(send, 503, FAILURE, [(b"retry-after", b"2")])
            return True
        if ready is None:
            return False
        await send_variant(*await ready.negotiate(scope["headers"]), scope, send)
        return True

    async def _find(self, path: str) -> Representation | None:
        if (ready := self._ready.get(path)) is not None:
            return ready
        async with self._looking:
            # Names that nobody has cost one look a second, however many are asked for.
            if path not in self._names and monotonic() - self._looked_at >= LOOK_EVERY_S:
                self._names = await asyncio.to_thread(self._read_names)
                self._looked_at = monotonic()
            if path not in self._names:
                return None
            if path not in self._ready:
                content = await asyncio.to_thread(self._read, path)
                if content is None:
                    self._names -= {path}
                    return None
                self._ready[path] = represent(path, content)
        return self._ready[path]

    def _read_names(self) -> frozenset[str]:
        with self._database.read() as connection:
            return frozenset(asset_paths(connection))

    def _read(self, path: str) -> bytes | None:
        with self._database.read() as connection:
            return asset_content(connection, path)
