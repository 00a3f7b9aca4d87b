"""A real S3 store of a test run's own: the cluster's SeaweedFS, with its data in a folder."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from liuying_cluster.store import Store

from liuying.kit.s3_place import S3Place


class S3Server:
    """A store that is started, killed and started again on the same folder and ports.

    Args:
        folder: Its data; made here.
        is_readable_by_all: Whether objects are read without a signature.
    """

    def __init__(self, folder: Path, *, is_readable_by_all: bool = False) -> None:
        folder.mkdir(parents=True)
        self._store = Store(folder, is_readable_by_all=is_readable_by_all)

    @property
    def endpoint(self) -> str:
        return self._store.endpoint

    def start(self) -> None:
        """Start it, and wait until it takes objects.

        Raises:
            MissingProgramError: There is no such program here.
            TimeoutError: It does not start.
        """
        self._store.start()

    def place(self) -> S3Place:
        """An empty place: a prefix of its own in one bucket, since each bucket takes volumes."""
        return self._store.place(f"tests/{uuid4().hex}")

    def settings(self) -> dict[str, str]:
        """The settings of an installation with a place of its own."""
        place = self.place()
        return {
            "store": f"s3://{place.bucket}/{place.prefix}",
            "s3_endpoint": place.endpoint,
            "s3_access_key": place.access_key,
            "s3_secret_key": place.secret_key,
        }

    def kill(self) -> None:
        """End it as a failing machine would."""
        self._store.part.kill()

    def freeze(self) -> None:
        """Let it hold its connections and answer nothing, until `thaw`."""
        self._store.part.freeze()

    def thaw(self) -> None:
        """Let it go on."""
        self._store.part.thaw()

    def close(self) -> None:
        """End it; nothing of it is kept."""
        self._store.part.kill()
