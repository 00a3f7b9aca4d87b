"""What a worker and the process that imports for it tell each other: one JSON object a line, and
signals.
"""

from __future__ import annotations

import signal
from typing import Any

import msgspec

from liuying.core.jobs.rules import Cause
from liuying.workflows.import_progress import Stage

# To the process: the operator cancelled the job, nobody will take it up again. SIGTERM: somebody
# may.
CANCEL = signal.SIGUSR1


class ImportRequest(msgspec.Struct, frozen=True, tag="import"):
    """To the process: import this file; `wanted` is as in the ledger."""

    source: str
    wanted: dict[str, Any]


class MendRequest(msgspec.Struct, frozen=True, tag="mend"):
    """To the process: let picture and sound of a published video end together."""

    video_id: int


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """To the process: whether the rest is left to a later import."""

    is_rest_left: bool


class Help(msgspec.Struct, frozen=True, tag="help"):
    """To the process: make one chunk of a film that another process imports; the folder of its
    chunks.
    """

    cache: str


class Progressed(msgspec.Struct, frozen=True, tag="progress"):
    """From the process: the stage, and its share done, 0 to 1."""

    stage: Stage
    share: float


class Published(msgspec.Struct, frozen=True, tag="published"):
    """From the process: the first rung can be watched; it waits for an `Answer`."""


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """From the process: nothing of this file is going on any more.

    Attributes:
        is_whole: Nothing is left to do.
        video_id: What came of the file.
        cause: Why it failed; None where it did not.
    """

    is_whole: bool = False
    video_id: int | None = None
    cause: Cause | None = None


class Helped(msgspec.Struct, frozen=True, tag="helped"):
    """From the process: it is at no chunk any more.

    Attributes:
        is_made: A chunk was made; else all were in others' hands.
        is_failed: It could not be made here; whoever imports the film will see.
    """

    is_made: bool = False
    is_failed: bool = False


Told = ImportRequest | MendRequest | Answer | Help
Said = Progressed | Published | Ended | Helped


def line_of(message: Told | Said) -> bytes:
    """A message as it goes through the pipe."""
    return msgspec.json.encode(message) + b"\n"
