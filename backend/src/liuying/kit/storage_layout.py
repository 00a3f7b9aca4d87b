"""Where everything lies in an installation's data folder.

No other module joins a name to the data folder or knows one of these names; `tools/storage_paths`
checks it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.kit.database import DATABASE_SUFFIXES
from liuying.kit.object_keys import MEDIA, ORIGINALS, PICTURES, UPLOADS

DATABASE_NAME, SECRETS_NAME, JOBS_NAME = "liuying.db", "secrets.json", "jobs"
# Beside the job folders: chunks of long films, which outlive the import that encoded them.
CHUNKS_NAME = ".chunks"
# There too: files that a worker fetched from the store, while it imports them.
INBOX_NAME = ".inbox"
# And what a process needs while it helps with a film that another machine imports.
HELPING_NAME = ".helping"
# Lock files: for using the data folder, for sweeping or beginning a job, and for working on one.
IN_USE_NAME, GATE_NAME, LOCK_NAME = ".in-use", ".gate", ".lock"
RESTORED_FROM_NAME = ".restored-from.json"
# Unless the settings name another folder; no restore touches it.
BACKUPS_NAME = "backups"
SEARCHED_TEXTS_NAME = "search"
FILLING_PREFIX, MOVING_OUT_NAME, MOVING_IN_NAME, OLD_PREFIX = (
    ".restoring-",
    ".restoring",
    ".restored",
    ".before-restore-",
)


class StorageLayout(msgspec.Struct, frozen=True):
    """The paths of one installation.

    Attributes:
        data_dir: The folder of all of them.
    """

    data_dir: Path

    def at(self, name: str) -> Path:
        """The path of an object's key, or of another name in the data folder."""
        return self.data_dir / name

    @property
    def database(self) -> Path:
        """The SQLite database, unless the settings name another."""
        return self.data_dir / DATABASE_NAME

    @property
    def database_files(self) -> list[Path]:
        """The database and the files that SQLite keeps beside it; not all need to exist."""
        return [self.data_dir / f"{DATABASE_NAME}{suffix}" for suffix in DATABASE_SUFFIXES]

    @property
    def secrets(self) -> Path:
        """Pepper and cover keys."""
        return self.data_dir / SECRETS_NAME

    @property
    def in_use(self) -> Path:
        """Its lock tells who uses the data folder."""
        return self.data_dir / IN_USE_NAME

    @property
    def jobs(self) -> Path:
        """Working folders of imports, by asset key."""
        return self.data_dir / JOBS_NAME

    @property
    def inbox(self) -> Path:
        """Fetched files of the import queue, by their content."""
        return self.jobs / INBOX_NAME

    @property
    def helping(self) -> Path:
        """Working folders of those who help with films of other machines."""
        return self.jobs / HELPING_NAME

    @property
    def media(self) -> Path:
        """Published media, open and protected."""
        return self.data_dir / MEDIA

    @property
    def pictures(self) -> Path:
        """Encrypted pictures."""
        return self.data_dir / PICTURES

    @property
    def originals(self) -> Path:
        """Kept originals; no public address leads here."""
        return self.data_dir / ORIGINALS

    @property
    def uploads(self) -> Path:
        """Uploads that are still arriving, by their id."""
        return self.data_dir / UPLOADS

    @property
    def backups(self) -> Path:
        """Backups that the console made, unless the settings name another folder."""
        return self.data_dir / BACKUPS_NAME

    @property
    def searched_texts(self) -> Path:
        """What the machine's processes have read of many texts; made again where it is missing."""
        return self.data_dir / SEARCHED_TEXTS_NAME

    @property
    def moving_out(self) -> Path:
        """Verified contents of a backup, while the old data are moved aside."""
        return self.data_dir / MOVING_OUT_NAME

    @property
    def moving_in(self) -> Path:
        """Verified contents of a backup, while they are moved into place."""
        return self.data_dir / MOVING_IN_NAME

    @property
    def restored_from(self) -> Path:
        """What the last restore says of its backup, until the server has logged it."""
        return self.data_dir / RESTORED_FROM_NAME

    def old_data(self, moment: str) -> Path:
        """Where a restore moves the previous data."""
        return self.data_dir / f"{OLD_PREFIX}{moment}"

    @property
    def replaced(self) -> list[Path]:
        """What every restore replaces; not all of it needs to exist."""
        return [*self.database_files, self.secrets, self.jobs]

    @property
    def is_empty(self) -> bool:
        """Whether nothing of an installation exists yet."""
        found = (self.database, self.secrets, self.media, self.pictures)
        return not any(path.exists() for path in found)
