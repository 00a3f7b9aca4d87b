"""Whether a visitor may read the files of an asset (docs/security.md#t5): asked by whoever sends
them, this process or an nginx in front of a bucket.
"""

from __future__ import annotations

import asyncio
import logging
import re
from enum import Enum

from litestar.concurrency import sync_to_thread
from litestar.types import HTTPScope, Send
from sqlalchemy.exc import SQLAlchemyError

from liuying.core.playback.queries import playable
from liuying.core.playback.signed_urls import GRANT_LENGTH, LOCKED_MESSAGE
from liuying.http.protected_media import MAX_CACHED_S, ProtectedMedia
from liuying.kit.answering import SlowDatabaseError
from liuying.kit.database import Database
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import ObjectStore
from liuying.kit.refusals import FAILURE, send_refusal

LOG = logging.getLogger(__name__)
ACCESS_PATH = "/media-access/"
# Nobody can tell who may read an asset.
UNKNOWN_ACCESS = (OSError, SQLAlchemyError, SlowDatabaseError)
ASKED = re.compile(
    rf"{ACCESS_PATH}(?:r/(?P<signed>[0-9A-Za-z_-]{{{GRANT_LENGTH}}})/)?(?P<asset>[0-9a-z]{{8,32}})"
)


class Access(Enum):
    """Who may read an asset."""

    OPEN = "open"
    LOCKED = "locked"
    # There is no such asset, or no longer.
    ABSENT = "absent"


class MediaAccess:
    """Answers by an asset's row. Where a store keeps protected files apart, their place answers:
    it is looked at without waiting for the database.

    Args:
        objects: The store of media.
        database: The catalogue.
    """

    def __init__(self, objects: ObjectStore, database: Database) -> None:
        self._objects = objects
        self._database = database

    async def ask(self, asset: str) -> Access:
        """Who may read an asset's files, as `of` says it; a database that does not answer is given
        up like that of any other request.

        Raises:
            OSError: As `of`.
            sqlalchemy.exc.SQLAlchemyError: As `of`.
            SlowDatabaseError: The database does not answer in time.
        """
        if self._objects.media.is_split:
            return await asyncio.to_thread(self.of, asset)
        return await sync_to_thread(self.of, asset)

    def of(self, asset: str) -> Access:
        """Who may read an asset's files; an unpublished one counts as open in the data folder.

        Raises:
            OSError: The data folder cannot be read.
            sqlalchemy.exc.SQLAlchemyError: The database does not answer.
        """
        media = self._objects.media
        if media.is_split:
            is_locked = self._objects.has_any(media.prefix(asset, MediaPlace.PROTECTED))
            return Access.LOCKED if is_locked else Access.OPEN
        with self._database.read() as connection:
            is_protected = playable.protection_of(connection, asset)
        if is_protected is None:
            return Access.ABSENT
        return Access.LOCKED if is_protected else Access.OPEN


class AccessAnswers:
    """Answers nginx's `auth_request`: `/media-access/{asset}`, and with a signed prefix
    `/media-access/r/{signed_prefix}/{asset}`.

    204 lets it send the files; 403 does not, whatever the reason: another answer would be an error
    to nginx. What it says is no secret: asking for the files themselves tells the same.

    Args:
        access: Who may read without a signed URL.
        protected: Decides who reads by one.
    """

    def __init__(self, access: MediaAccess, protected: ProtectedMedia) -> None:
        self._access = access
        self._protected = protected

    async def __call__(self, scope: HTTPScope, send: Send) -> None:
        found = ASKED.fullmatch(scope["path"])
        if found is None:
            await send_refusal(send, 403, LOCKED_MESSAGE)
            return
        signed, asset = found["signed"], found["asset"]
        left = self._protected.seconds_left(signed, asset) if signed else 0
        # First, because it needs nobody: a right that has ended is refused whoever is away.
        if signed and not left:
            await send_refusal(send, 403, LOCKED_MESSAGE)
            return
        try:
            access = await self._access.ask(asset)
        except UNKNOWN_ACCESS as error:
            LOG.error("nobody knows who may read an asset: %r", error)
            await send_refusal(send, 503, FAILURE, [(b"retry-after", b"5")])
            return
        if access is Access.ABSENT or not (signed or access is Access.OPEN):
            await send_refusal(send, 403, LOCKED_MESSAGE)
            return
        headers = [(b"cache-control", b"no-store")]
        if signed:
            headers.append((b"x-media-cache", b"private, max-age=%d" % min(left, MAX_CACHED_S)))
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
