"""What an import's errors mean for its job: whether a retry may help, and their English texts."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.core.jobs.rules import Cause, Fault
from liuying.kit.database_errors import FULL, database_reason
from liuying.kit.errors import InvalidInputError, LiuyingError
from liuying.kit.object_store import ObjectStoreError
from liuying.media import errors
from liuying.media.frame import NoFrameError
from liuying.media.webvtt import SubtitleError
from liuying.workflows.job_folders import ImportBusyError
from liuying.workflows.originals import OriginalChangedError
from liuying.workflows.preconditions import (
    NotRegularFileError,
    SystemFaultError,
    TranscoderMissingError,
)
from liuying.workflows.resemblance import ResemblesError

# The first matching class counts.
MEANINGS: list[tuple[type[LiuyingError], Fault, str]] = [
    (errors.DiskFullError, Fault.DISK_FULL, "The disk has too little room for the result"),
    (errors.UnreadableError, Fault.UNREADABLE, "The file cannot be read"),
    (SystemFaultError, Fault.SYSTEM, "The operating system refused something other than the file"),
    (TranscoderMissingError, Fault.SYSTEM, "The transcoder cannot be started (LIUYING_FFMPEG)"),
    (ImportBusyError, Fault.BUSY, "Another process is importing the same file"),
    (errors.JobTimeoutError, Fault.TIMEOUT, "The work took longer than its limit"),
    (errors.TranscoderError, Fault.TRANSCODER, "The transcoder failed"),
    (errors.EmptyFileError, Fault.REFUSED, "The file has no bytes"),
    (errors.NotVideoError, Fault.REFUSED, "Not a video of a supported format"),
    (errors.NoVideoStreamError, Fault.REFUSED, "The file has no moving pictures"),
    (errors.UndecodableError, Fault.REFUSED, "The pictures cannot be decoded"),
    (errors.TooManyPixelsError, Fault.REFUSED, "The picture is too large"),
    (errors.TooManyStreamsError, Fault.REFUSED, "The file has too many streams"),
    (errors.TruncatedError, Fault.REFUSED, "The file ends early or is damaged"),
    (errors.DamagedError, Fault.DAMAGED, "The file is damaged: too many pictures fail to decode"),
    (
        errors.AbsurdTimestampsError,
        Fault.REFUSED,
        "Two pictures that follow each other lie too far apart",
    ),
    (errors.TooLongError, Fault.REFUSED, "The video is too long"),
    (NoFrameError, Fault.REFUSED, "No picture can be decoded at that moment"),
    (errors.PictureError, Fault.REFUSED, "The cover's picture cannot be read"),
    (SubtitleError, Fault.REFUSED, "A subtitle file cannot be used"),
    (
        OriginalChangedError,
        Fault.REFUSED,
        "The video is there, but its file changed meanwhile and was not kept",
    ),
    (NotRegularFileError, Fault.REFUSED, "Not a regular file"),
    (ResemblesError, Fault.HELD, "The pictures are those of a film that was taken down"),
    (InvalidInputError, Fault.REFUSED, "What is said of the file, or its content, is refused"),
    (LiuyingError, Fault.REFUSED, "The file is refused"),
]
ENDED = Cause(Fault.KILLED, "处理进程意外结束", "The process that did the work ended unexpectedly")
PROGRAM_FAULT = Cause(
    Fault.PROGRAM, "程序出错，详情见日志", "A fault of the program; the log has the details"
)
DATABASE_FAULT = Cause(Fault.SYSTEM, "数据库没有回应", "The database did not answer")


# How a command is told to import all the same.
OPTIONS: Mapping[str, str] = {Fault.HELD: "--accept-match", Fault.DAMAGED: "--accept-damaged"}


def with_option(cause: str, fault: str) -> str:
    """Why an import failed, with the option that would let it go on, where there is one."""
    option = OPTIONS.get(fault)
    return f"{cause}（{option}）" if option else cause


def cause_of(error: Exception) -> Cause:
    """What an error means."""
    if isinstance(error, sa.exc.OperationalError):
        return _database_cause(error)
    if isinstance(error, ObjectStoreError):
        return Cause(Fault.SYSTEM, str(error), "The store of objects did not answer")
    for kind, fault, english in MEANINGS:
        if isinstance(error, kind):
            return Cause(fault, error.message, english)
    return PROGRAM_FAULT


def _database_cause(error: sa.exc.OperationalError) -> Cause:
    reason = database_reason(error)
    if reason is None:
        return DATABASE_FAULT
    if reason is FULL:
        return cause_of(errors.DiskFullError())
    return Cause(
        Fault.SYSTEM,
        f"数据库无法使用：{reason.chinese}",
        f"The database cannot be used: {reason.english}",
    )
