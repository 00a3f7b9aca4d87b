"""The files of a job that makes one video: in the job's folder, and published."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import msgspec

from liuying.kit.object_store import ObjectStore
from liuying.media.audio_tracks import AudioTrack
from liuying.media.ladder import Rung
from liuying.media.packaged import join, stored
from liuying.media.transcode import rung_file, track_file

# In the job's folder.
DRAFTS, FIRST_DRAFT = "drafts", "first"


class JobFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Where they are.

    Attributes:
        work: The job's own folder.
        objects: The store they are published in.
        prefix: The prefix of the keys of everything published.
    """

    work: Path
    objects: ObjectStore
    prefix: str

    @property
    def name(self) -> str:
        """The video's in logs."""
        return PurePosixPath(self.prefix).name

    def draft(self, folder: str = "") -> Path:
        """Where files that are published together are prepared, or a folder of it."""
        return self.work / DRAFTS / (folder or FIRST_DRAFT)

    def new_draft(self, folder: str = "") -> Path:
        """An empty one."""
        draft = self.draft(folder)
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        return draft

    def publish_together(self, folder: str, names: Sequence[str]) -> None:
        """Publish files of the job's folder at once, in a folder of their own."""
        draft = self.new_draft(folder)
        for name in names:
            (self.work / name).rename(draft / name)
        self.objects.put_folder(f"{self.prefix}{folder}/", draft)

    def rendition(self, rung: Rung) -> Path:
        """A rendition as the transcoder writes it."""
        return self.work / rung_file(rung)

    def joined(self, rung: Rung) -> Path:
        """A published rendition as one file.

        Raises:
            OSError: A part of it is missing, or the disk is full.
            PlaylistError: Its playlist is not one of ours.
        """
        return self._joined(rung.name, self.rendition(rung))

    def joined_track(self, track: AudioTrack) -> Path:
        """A published audio track as one file; raises as `joined` does."""
        return self._joined(track.name, self.work / track_file(track))

    def _joined(self, folder: str, file: Path) -> Path:
        if not file.exists():  # An earlier import published it.
            join(stored(self.objects, f"{self.prefix}{folder}/"), file)
        return file
