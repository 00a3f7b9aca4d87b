"""Messages between a worker and the process that imports for it: one JSON object per line, and
signals.
"""

from __future__ import annotations

import signal
from typing import Any

import msgspec

from liuying.core.jobs.rules import Cause
from liuying.workflows.import_progress import Stage

# To the process: the operator cancelled the job, so nobody will continue it. After SIGTERM somebody
# may.
CANCEL = signal.SIGUSR1


class ImportRequest(msgspec.Struct, frozen=True, tag="import"):
    """To the process: import this file; `wanted` is as in the ledger."""

    source: str
    wanted: dict[str, Any]


class MendRequest(msgspec.Struct, frozen=True, tag="mend"):
    """To the process: make picture and sound of a published video end together."""

    video_id: int


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """To the process: whether the rest is left to a later import."""

    is_rest_left: bool


class Help(msgspec.Struct, frozen=True, tag="help"):
    """To the process: encode one chunk of a film that another process imports, given the folder
    of its chunks.
    """

    cache: str


class FarHelp(msgspec.Struct, frozen=True, tag="far-help"):
    """To the process: encode one chunk of a film that another machine imports, given its name."""

    film: str


class Progressed(msgspec.Struct, frozen=True, tag="progress"):
    """From the process: the stage, and the completed share of it, 0 to 1."""

    stage: Stage
    share: float


class Published(msgspec.Struct, frozen=True, tag="published"):
    """From the process: the first rendition is playable; it now waits for an `Answer`."""


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """From the process: all work on this file has ended.

    Attributes:
        is_whole: Nothing is left to do.
        video_id: The resulting video.
        cause: Why it failed; None if it did not.
    """

    is_whole: bool = False
    video_id: int | None = None
    cause: Cause | None = None


class FilmFetched(msgspec.Struct, frozen=True, tag="film-fetched"):
    """From the process: the film of a `FarHelp` is on this machine; now it asks for a chunk."""


class Helped(msgspec.Struct, frozen=True, tag="helped"):
    """From the process: it works on no chunk any more.

    Attributes:
        is_made: A chunk was encoded; otherwise others had all of them.
        is_failed: It could not be encoded here; the film's importer will find out.
    """

    is_made: bool = False
    is_failed: bool = False


Told = ImportRequest | MendRequest | Answer | Help | FarHelp
Said = Progressed | Published | Ended | FilmFetched | Helped


def line_of(message: Told | Said) -> bytes:
    """A message as sent through the pipe."""
    return msgspec.json.encode(message) + b"\n"
