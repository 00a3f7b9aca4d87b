"""What the parts of a running installation share."""

from __future__ import annotations

import base64
from pathlib import Path

import msgspec

from liuying.installation.lost_parts import require_own_secrets, secrets_of
from liuying.installation.object_store import open_object_store
from liuying.installation.settings import Settings
from liuying.kit.clock import Clock, system_clock
from liuying.kit.database import Database
from liuying.kit.encryption import GATED_KEY, ImageEncryptor, gated_key
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.object_store import ObjectStore
from liuying.kit.process_limits import ProcessLimits
from liuying.kit.secrets import SecretFile
from liuying.kit.shared_limits import SharedLimits
from liuying.kit.storage_layout import StorageLayout


class Services(msgspec.Struct, frozen=True):
    """The open database and object store, the keys and the clock of one process."""

    settings: Settings
    database: Database
    secrets: SecretFile
    encryptor: ImageEncryptor
    hashes: KeyedHashes
    clock: Clock
    objects: ObjectStore

    @property
    def data_dir(self) -> Path:
        return self.settings.data_dir

    @property
    def layout(self) -> StorageLayout:
        return self.settings.layout

    @property
    def keeps_originals(self) -> bool:
        """Whether imports keep the operator's files unless an import says otherwise."""
        return self.settings.keep_originals


def open_services(
    settings: Settings, clock: Clock = system_clock, objects: ObjectStore | None = None
) -> Services:
    """Open the database and load the secrets, or create both in an empty data folder. The caller
    closes `database`.

    Args:
        objects: The store of media, pictures and originals; None for the one in the settings.

    Raises:
        SecretsError: The secrets are unusable, not the database's, or missing.
        LostDatabaseError: The database is missing or empty although files exist.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    database = Database(settings.database)
    objects = objects or open_object_store(settings, database)
    try:
        secrets = secrets_of(settings, database, objects)
        hashes = KeyedHashes(base64.b64decode(secrets.pepper))
        require_own_secrets(settings, database, hashes, secrets)
    except BaseException:
        database.close()
        raise
    keys = {int(key_id): base64.b64decode(key) for key_id, key in secrets.cover_keys.items()}
    keys[GATED_KEY] = gated_key(hashes)
    return Services(
        settings=settings,
        database=database,
        secrets=secrets,
        encryptor=ImageEncryptor(keys, secrets.current_cover_key),
        hashes=hashes,
        clock=_shared_clock(database) if clock is system_clock else clock,
        objects=objects,
    )


def blank_services() -> Services:
    """Services of no installation, to describe an application's routes: no file is written and no
    database opened.
    """
    settings = Settings()
    database = Database("sqlite://")
    return Services(
        settings=settings,
        database=database,
        secrets=SecretFile(cover_keys={}, current_cover_key=1, pepper=""),
        encryptor=ImageEncryptor({1: bytes(16)}, 1),
        hashes=KeyedHashes(b""),
        clock=system_clock,
        objects=open_object_store(settings, database),
    )


def limits_of(services: Services) -> Limits:
    """The limits of clients: in memory on SQLite, which one process serves; on PostgreSQL shared by
    all processes.
    """
    if services.database.is_sqlite:
        return ProcessLimits(services.hashes, services.clock)
    return SharedLimits(services.database, services.hashes, services.clock)


def _shared_clock(database: Database) -> Clock:
    """The time of the machine; on PostgreSQL the server's, so that leases, limits and hours are the
    same on every machine.
    """
    if database.is_sqlite:
        return system_clock
    return lambda: system_clock() + database.clock_offset_ms
