"""Where everything of an installation lies in its data folder.

Nothing else joins a name to the data folder, or knows one of these names: `tools/storage_paths`
looks for it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.kit.database import DATABASE_SUFFIXES
from liuying.kit.object_keys import MEDIA, ORIGINALS, PICTURES

DATABASE_NAME, SECRETS_NAME, JOBS_NAME = "liuying.db", "secrets.json", "jobs"
# Beside the job folders: chunks of long films, which outlive the import that made them.
CHUNKS_NAME = ".chunks"
# Files whose locks say who uses the data folder, who sweeps or begins a job, and who works on one.
IN_USE_NAME, GATE_NAME, LOCK_NAME = ".in-use", ".gate", ".lock"
FILLING_PREFIX, MOVING_OUT_NAME, MOVING_IN_NAME, OLD_PREFIX = (
    ".restoring-",
    ".restoring",
    ".restored",
    ".before-restore-",
)


class StorageLayout(msgspec.Struct, frozen=True):
    """The places of one installation.

    Attributes:
        data_dir: The folder of all of them.
    """

    data_dir: Path

    def at(self, name: str) -> Path:
        """The place of an object's key, or of something else by its name in the data folder."""
        return self.data_dir / name

    @property
    def database(self) -> Path:
        """The SQLite database, where the settings name no other."""
        return self.data_dir / DATABASE_NAME

    @property
    def database_files(self) -> list[Path]:
        """The database with what SQLite keeps beside it; not all of them are there."""
        return [self.data_dir / f"{DATABASE_NAME}{suffix}" for suffix in DATABASE_SUFFIXES]

    @property
    def secrets(self) -> Path:
        """Pepper and keys of pictures."""
        return self.data_dir / SECRETS_NAME

    @property
    def in_use(self) -> Path:
        """Its lock says who uses the data folder."""
        return self.data_dir / IN_USE_NAME

    @property
    def jobs(self) -> Path:
        """Folders that imports work in, by the asset's key."""
        return self.data_dir / JOBS_NAME

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
        """Kept originals: no address leads there."""
        return self.data_dir / ORIGINALS

    @property
    def moving_out(self) -> Path:
        """Checked contents of a backup, while the old data are moved aside."""
        return self.data_dir / MOVING_OUT_NAME

    @property
    def moving_in(self) -> Path:
        """Checked contents of a backup, while they are moved to their places."""
        return self.data_dir / MOVING_IN_NAME

    def old_data(self, moment: str) -> Path:
        """Where a restore moves what was there before."""
        return self.data_dir / f"{OLD_PREFIX}{moment}"

    @property
    def replaced(self) -> list[Path]:
        """What every restore replaces; not all of it is there."""
        return [*self.database_files, self.secrets, self.pictures, self.jobs]

    @property
    def is_empty(self) -> bool:
        """Whether nothing of an installation is there yet."""
        found = (self.database, self.secrets, self.media, self.pictures)
        return not any(path.exists() for path in found)
